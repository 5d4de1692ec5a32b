import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyScore } from "../../../test/support/arbitraries.ts";
import { Timestamp } from "./firestore.ts";
import { markToField } from "../model/segments.ts";
import { countedIn, isMarkRight, isOurs, markOf, shouldCount, type Version, versionName } from "./mark.ts";

const path = "leaderboards/chess/seasons/all_time/players/ann";
const other = "leaderboards/chess/seasons/all_time/players/bob";
const windowMs = 270_000;
/** Microseconds since 1970. */
const at = (micros: number) => new Timestamp(Math.floor(micros / 1e6), (micros % 1e6) * 1_000);
const version = (micros: number, counted?: unknown, createdAt = micros): Version => ({
  data: counted === undefined ? {} : { counted },
  updateTime: at(micros),
  createTime: at(createdAt),
});

describe("what is counted", () => {
  test("is what a mark was made for", () => {
    const segments = fc.subarray(["country=AT", "guild=a-1", "platform=ios"]);
    const marked = fc.tuple(anyScore, segments).map(([score, some]) => markToField(score, some));
    const anything = fc.oneof(marked, fc.constant("unusable"), fc.constant(undefined));
    fc.assert(
      fc.property(anything, (counted) => {
        const mark = markOf(path, counted, { updateTime: at(1), readTime: at(2) });
        expect(countedIn({ counted: mark })).toBe(counted);
      }),
    );
    expect(countedIn({ counted: { score: null, of: "x", unusable: true } })).toBe("unusable");
  });

  test("has no more segments than a mark of ours, as the key of a change must fit", () => {
    const segments = Array.from({ length: 5 }, (_, i) => `guild${i}=a`);
    expect(countedIn({ counted: { score: 5, segments, of: "x" } })).toBe("5");
    expect(countedIn({ counted: { score: 5, segments: segments.slice(1), of: "x" } })).not.toBe("5");
  });

  test.for([undefined, null, "5", 5, {}, { score: "5" }, { score: NaN }, { score: 2 ** 53 }, { of: "x" }])(
    "is nothing where the mark is %o",
    (counted) => {
      expect(countedIn({ score: 5, counted })).toBeUndefined();
      expect(countedIn(undefined)).toBeUndefined();
    },
  );

  test("should be the score of an active player, and nothing or unusable otherwise", () => {
    const documents = [{ score: 7 }, { score: 7, status: "hidden" }, { score: "7" }, {}, undefined];
    expect(documents.map((data) => shouldCount(data))).toEqual([
      "7",
      undefined,
      "unusable",
      undefined,
      undefined,
    ]);
    const segments = { platform: "ios", country: "AT", guild: "not a value", "9": "a", team: 5 };
    expect(shouldCount({ score: 7, segments })).toBe("7 country=AT platform=ios");
    expect(shouldCount({ score: 7, segments: { a: "1", b: "2", c: "3", d: "4", e: "5" } })).toBe(
      "7 a=1 b=2 c=3 d=4",
    );
  });

  test("has a place first for segments of the board, and without the board for those of the mark", () => {
    const own = { score: 7, segments: { a: "1", b: "2", c: "3", d: "4", e: "5", f: "6" } };
    const board = (...names: string[]) => ({
      segments: names.map((name) => ({ name, from: "server" as const })),
    });
    expect(shouldCount(own, board("f", "gone", "c"))).toBe("7 a=1 b=2 c=3 f=6");
    expect(shouldCount(own, board())).toBe("7 a=1 b=2 c=3 d=4");
    const marked = { ...own, counted: { score: 7, segments: ["a=1", "c=3", "e=5", "f=6"], of: "x" } };
    expect(isMarkRight(marked)).toBe(true);
    expect(isMarkRight(marked, board("e"))).toBe(false);
    // It had room for more, or says what the document does not.
    for (const segments of [["e=5", "f=6"], ["a=1", "c=3", "e=5", "f=0"], undefined])
      expect(isMarkRight({ ...own, counted: { score: 7, segments, of: "x" } })).toBe(false);
  });

  test("should be the nearest step where the board has decimals", () => {
    const noise = { score: 0.1 + 0.2 };
    expect([shouldCount(noise), shouldCount(noise, { decimals: 1 })]).toEqual(["0.30000000000000004", "0.3"]);
    expect(isMarkRight({ ...noise, counted: { score: 0.3 } }, { decimals: 1 })).toBe(true);
  });
});

describe("a write is ours", () => {
  const ours = (before: Version | undefined, after: Version | undefined, of = path) =>
    isOurs(of, before, after, windowMs);

  test("if its mark names the version before", () => {
    const before = version(5_000_000, { score: 1, of: "anything" });
    const mark = markOf(path, "2", { updateTime: before.updateTime as Timestamp, readTime: at(6_000_000) });
    expect(ours(before, version(7_000_000, mark))).toBe(true);
    expect(ours(before, version(7_000_000, mark), other)).toBe(false);
    expect(ours(version(5_000_001), version(7_000_000, mark))).toBe(false);
    expect(ours(undefined, version(7_000_000, mark))).toBe(false);
  });

  test("if it creates the document after the read that found none, as long as a transaction can take", () => {
    const mark = markOf(path, "2", { updateTime: undefined, readTime: at(1_000_000) });
    const created = (micros: number) => version(micros, mark);
    const times = [999_000, 1_000_001, 271_000_999, 271_001_000];
    expect(times.map((micros) => ours(undefined, created(micros)))).toEqual([false, true, true, false]);
    expect(ours(undefined, created(1_000_001), other)).toBe(false);
    // The same mark over a document that was there.
    expect(ours(version(1), created(1_000_001))).toBe(false);
  });

  test("neither without a mark, nor if it deletes the document", () => {
    expect(ours(undefined, version(1))).toBe(false);
    expect(ours(version(1, { score: 1, of: "x" }), undefined)).toBe(false);
    expect(ours(version(1), version(2, { score: 1 }))).toBe(false);
  });

  test("also where the event's times are of another copy of the client library", () => {
    const foreign = (time: Timestamp) => ({
      seconds: time.seconds,
      nanoseconds: time.nanoseconds,
      toMillis: () => time.toMillis(),
    });
    const mark = markOf(path, "2", { updateTime: undefined, readTime: at(1_000_000) });
    const created = {
      data: { counted: { ...mark, at: foreign(at(1_000_000)) } },
      updateTime: foreign(at(2_000_000)),
      createTime: foreign(at(2_000_000)),
    };
    expect(ours(undefined, created)).toBe(true);
  });
});

test("each version of each document has a name of its own, to the microsecond", () => {
  const names = [path, other].flatMap((one) =>
    [0, 1, 1_000_000].map((micros) => versionName(one, at(micros))),
  );
  expect(new Set(names).size).toBe(6);
  expect(versionName(path, at(7))).toBe(versionName(path, at(7)));
  for (const name of names) expect(name).toMatch(/^[\w-]{16}$/);
});
