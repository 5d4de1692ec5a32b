import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { documentSize } from "../model/document-size.ts";
import * as limits from "../model/limits.ts";
import { generation } from "../../../test/support/pages.ts";
import { someRows } from "../../../test/support/rows.ts";
import { packSegments } from "./pack-pages.ts";
import { type Choice, createMarkFold, noneRanked, type Ranked } from "./ranked.ts";
import { addSegmentChanges } from "./segment-changes.ts";
import { foldPending } from "./shards.ts";

type Change = readonly [segment: string, delta: number, score?: number];

const names = ["guild"];

/** A ranking with some changes folded in: of at most three values in each segment. */
function next(before: Ranked, changes: readonly Change[], choice: Partial<Choice> = {}): Ranked {
  const fold = createMarkFold("descending", before);
  for (const [segment, delta, score = 5] of changes) fold.add({ score, segments: [segment] }, delta);
  return fold.finish({ names, most: 3, ...choice });
}
const from = (...changes: Change[]) => next(noneRanked, changes);
const rankedIn = ({ segments }: Ranked) =>
  [...segments.keys()].map((segment) => segment.split("=")[1]).join("");
const guilds = (values: string, delta = 1) =>
  Array.from(values).map((value): Change => [`guild=${value}`, delta]);
const leftIn = ({ leftOut }: Ranked) =>
  Object.fromEntries([...leftOut].map(([name, { players }]) => [name, players]));

describe("which values are ranked is decided of the result", () => {
  test("a value that goes leaves its place to one that comes in the same fold", () => {
    const after = next(from(...guilds("abc")), [...guilds("n"), ...guilds("a", -1)]);
    expect([rankedIn(after), leftIn(after)]).toEqual(["bcn", {}]);
  });

  test("values that come and go in one fold take no place", () => {
    const after = from(...guilds("abc"), ...guilds("abc", -1), ...guilds("defabc"), ...guilds("abc", -1));
    expect([rankedIn(after), leftIn(after)]).toEqual(["def", {}]);
  });

  test("each segment of the board has places of its own, and those that it has no more share as many", () => {
    const changes: Change[] = ["x", "y", "guild", "country"].flatMap((name) =>
      ["a", "b", "c", "d"].map((value): Change => [`${name}=${value}`, 1]),
    );
    const after = next(noneRanked, changes, { names: ["country", "guild"] });
    expect([...after.segments.keys()].join(" ")).toBe(
      "country=a country=b country=c guild=a guild=b guild=c x=a x=b x=c",
    );
    expect(leftIn(after)).toEqual({ country: 1, guild: 1, "*": 5 });
  });

  test("those that were ranked keep their place, then come those with the most players, then by name", () => {
    const before = from(...guilds("ab"));
    const after = next(before, [...guilds("cd"), ["guild=z", 2], ["guild=y", 2, 7]]);
    expect([rankedIn(after), leftIn(after)]).toEqual(["aby", { guild: 4, "*": 0 }]);
    const closing = next(
      noneRanked,
      [
        ["guild=a", 1],
        ["guild=b", 9],
        ["guild=c", 8],
        ["guild=d", 7],
      ],
      {
        kept: new Set(["guild=a"]),
      },
    );
    expect(rankedIn(closing)).toBe("abc");
  });
});

describe("once values were left out", () => {
  const full = from(...guilds("aabbcc"), ...guilds("d"));

  test("none comes in, as long as somebody is left in them", () => {
    const after = next(full, [...guilds("ab", -2), ...guilds("d"), ...guilds("e")]);
    expect([rankedIn(after), leftIn(after)]).toEqual(["c", { guild: 3, "*": 0 }]);
  });

  test("others come in as soon as nobody is, also in the same fold", () => {
    const after = next(full, [...guilds("a", -2), ...guilds("d", -1), ...guilds("e")]);
    expect([rankedIn(after), leftIn(after)]).toEqual(["bce", {}]);
    const later = next(next(full, [...guilds("d", -1)]), [...guilds("a", -2), ...guilds("d")]);
    expect([rankedIn(later), leftIn(later)]).toEqual(["bcd", {}]);
  });

  test("equal scores of two values do not cancel out", () => {
    const after = next(full, [["guild=other", -1]]);
    expect(leftIn(after)).toEqual({ guild: 0, "*": 0 });
    expect(rankedIn(next(after, [...guilds("a", -2), ...guilds("e")]))).toBe("bc");
  });

  test("a segment that the board gets is one of the others as long as some of these are left out", () => {
    const others = ["a", "b", "c", "d"].map((value): Change => [`league=${value}`, 1]);
    const before = from(...others);
    expect(leftIn(before)).toEqual({ guild: 0, "*": 1 });
    const both = ["guild", "league"];
    const after = next(before, [["league=e", 1]], { names: both });
    expect([rankedIn(after), leftIn(after)]).toEqual(["abc", { guild: 0, "*": 2 }]);
    const known = next(
      after,
      [
        ["league=d", -1],
        ["league=e", -1],
      ],
      { names: both },
    );
    expect([
      rankedIn(
        next(
          known,
          [
            ["league=f", 1],
            ["guild=a", 1],
          ],
          { names: both },
        ),
      ),
      leftIn(known),
    ]).toEqual(["aabc", {}]);
  });
});

test("whatever changes, what is ranked and what is left out are all players, and nobody is left out without need", () => {
  const anyChange = fc.tuple(
    fc.constantFrom("guild=a", "guild=b", "guild=c", "guild=d", "guild=e", "x=a", "x=b"),
    fc.integer({ min: 1, max: 3 }),
    fc.boolean(),
  );
  fc.assert(
    fc.property(fc.array(fc.array(anyChange, { maxLength: 6 }), { maxLength: 8 }), (folds) => {
      const held = new Map<string, number>();
      let ranked = noneRanked;
      for (const changes of folds) {
        const made = changes.flatMap(([segment, score, comes]): Change[] => {
          const key = `${score} ${segment}`;
          const count = held.get(key) ?? 0;
          if (!comes && count === 0) return [];
          held.set(key, count + (comes ? 1 : -1));
          return [[segment, comes ? 1 : -1, score]];
        });
        const before = ranked;
        ranked = next(before, made, { most: 2 });
        const inValue = (value: string) =>
          [1, 2, 3].reduce((sum, score) => sum + (held.get(`${score} ${value}`) ?? 0), 0);
        for (const [segment, { scores, players }] of ranked.segments)
          scores.forEach((score, i) => expect(players[i]).toBe(held.get(`${score} ${segment}`)));
        for (const group of ["guild", "x"]) {
          const values = ["a", "b", "c", "d", "e"].map((value) => `${group}=${value}`);
          const out = values.filter((value) => !ranked.segments.has(value) && inValue(value) > 0);
          const due = out.reduce((sum, value) => sum + inValue(value), 0);
          expect(leftIn(ranked)[group === "x" ? "*" : group] ?? 0).toBe(due);
          const isWhole = (leftIn(before)[group === "x" ? "*" : group] ?? 0) === 0;
          if (isWhole && out.length > 0)
            expect([...ranked.segments.keys()].filter((one) => one.startsWith(group))).toHaveLength(2);
        }
      }
    }),
  );
});

test("changes of many scores of a segment are those of few", () => {
  const added = addSegmentChanges("ascending");
  const plain = new Map<number, number>();
  for (let i = 0; i < 6_000; i++) {
    const [score, change] = [(i * 7) % 2_003, (i % 5) - 1];
    added.add("guild=many", score, change);
    plain.set(score, (plain.get(score) ?? 0) + change);
    if (score < 9) added.add("guild=few", score, change);
  }
  const rowsOf = (scores: (score: number) => boolean) =>
    someRows(...[...plain].filter(([score, n]) => n !== 0 && scores(score)).sort(([a], [b]) => a - b));
  const sums = added.finish();
  expect(sums.get("guild=many")).toEqual(rowsOf(() => true));
  expect(sums.get("guild=few")).toEqual(rowsOf((score) => score < 9));
  expect(sums.get("guild=none")).toBeUndefined();
});

describe("100,000 pending changes in as many guilds", { timeout: 60_000 }, () => {
  const count = 100_000;
  async function folded() {
    function* chunks() {
      for (let i = 0; i < count; i += 5_000) {
        const fields = Array.from({ length: 5_000 }, (_, n) => [`${i + n} guild=g${i + n}`, 1] as const);
        const data = { slot_ends_at: Timestamp.fromMillis(10_000), player_count: Object.fromEntries(fields) };
        yield [{ data: () => data }];
      }
    }
    return (await foldPending("descending", chunks())).pending;
  }

  test("are kept in some 40 bytes each, as an instance's memory says too", async () => {
    const { segments, rows } = await folded();
    expect(rows.scores).toHaveLength(count);
    expect(segments.get("guild=g77")).toEqual(someRows([77, 1]));
    expect(segments.bytes).toBeLessThan(50 * count);
    // What the process has kept, besides what it had: a tenth of the 74 MB that an object for each guild took.
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const used = () => {
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = used();
    const kept = await folded();
    let bytes = NaN;
    // What the engine optimizes in the background keeps more for a while.
    const measured = expect.poll(() => (bytes = used() - before), { timeout: 20_000 });
    await measured.toBeLessThan(7_400_000);
    expect(kept.segments.bytes + 24 * count).toBeGreaterThan(bytes / 2);
  });

  test("of which some are ranked make rows of these alone", async () => {
    const fold = createMarkFold("descending");
    fold.addChanges(await folded(), 1);
    const { segments, leftOut } = fold.finish({ names });
    expect(segments.size).toBe(limits.valuesRankedMax);
    expect(leftOut.get("guild")?.players).toBe(count - limits.valuesRankedMax);
  });
});

test("pages of as many values as can be ranked fit a commit beside all others", () => {
  const named = Array.from({ length: limits.segmentsMax + 1 }, (_, n) => `${n}`.padStart(64, "s"));
  const rows = someRows([-1.2345678901234567e-100, 1], [-1.3345678901234567e-100, 3, -1.4e-100]);
  const segments = new Map(
    named.flatMap((name) =>
      Array.from({ length: limits.valuesRankedMax }, (_, i) => {
        return [`${name}=${`${i}`.padStart(limits.segmentValueCharactersMax, "v")}`, rows] as const;
      }),
    ),
  );
  const pages = packSegments("descending", segments, generation, segments);
  const bytes = pages.map((page) => documentSize("leaderboards/b/seasons/s/segments_ranking/0", page));
  const used = segments.size * (400 + 2 * 32);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(used);
  expect(Math.max(...bytes)).toBeLessThan(limits.documentBytesMax);
});
