import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documentSize, entriesSize } from "../model/document-size.ts";
import { Timestamp } from "./firestore.ts";
import {
  lacksStatus,
  missingFields,
  type Player,
  readPlayer,
  readPlayerStatus,
  writtenSize,
} from "./player.ts";
import { rankedScoreOf } from "./ranked-score.ts";

const time = Timestamp.fromMillis(1_700_000_000_000);
const whole: Player = {
  score: 12.5,
  columns: { points: 3 },
  achieved_at: time,
  last_submission_at: time,
  attempts: 4,
  status: "active",
  display_name: "Ann",
  metadata: { level: [1, { map: "ice" }] },
  submission_ids: ["a", "b"],
};
const anyValue = fc.oneof(
  fc.anything(),
  fc.constantFrom(...(Object.values(whole) as unknown[])),
  fc.double(),
);
const anyDocument = fc.dictionary(fc.constantFrom(...Object.keys(whole), "something_else"), anyValue);

describe("a player's document", () => {
  test("is read as it was written, without a server's own fields", () => {
    expect(readPlayer({ ...whole })).toEqual(whole);
    expect(readPlayer({ ...whole, team: "blue" })).toEqual(whole);
  });

  test("without any fields is an active player's without attempts; a missing one is undefined", () => {
    expect(readPlayer({})).toEqual({ attempts: 0, status: "active" });
    expect(readPlayer(undefined)).toBeUndefined();
  });

  test.each([
    ["score", ["12", NaN, 2 ** 53, null]],
    ["columns", ["a", { points: "3" }, null]],
    ["achieved_at", ["2026-11-21T00:00:00Z", 1_700_000_000_000, { seconds: 1, nanoseconds: 0 }]],
    ["last_submission_at", ["now", null]],
    ["display_name", [7, null, "\u3164"]],
    ["metadata", ["text", [1], null]],
    ["submission_ids", ["a", [1], null]],
  ])("counts a %s of the wrong type as absent, and only that", (field, values) => {
    const { [field as keyof Player]: _, ...rest } = whole;
    for (const value of values) expect(readPlayer({ ...whole, [field]: value })).toEqual(rest);
  });

  test("counts invalid attempts as no attempts, a text that is no status as hidden, and another invalid status as active", () => {
    for (const attempts of ["4", -1, 1.5, null]) expect(readPlayer({ ...whole, attempts }).attempts).toBe(0);
    expect(readPlayer({ ...whole, status: "Banned" }).status).toBe("hidden");
    for (const status of ["", 7, null]) expect(readPlayer({ ...whole, status }).status).toBe("active");
  });

  test("can always be read, whatever it holds, and reading it twice changes nothing", () => {
    fc.assert(
      fc.property(anyDocument, (data) => {
        const player = readPlayer(data);
        expect(readPlayer({ ...player })).toEqual(player);
        expect(Object.values(player)).not.toContain(undefined);
      }),
    );
  });
});

test.each([
  [{}, {}],
  [{ score: null, status: null }, {}],
  [{ score: "7" }, { achieved_at: time }],
  [{ score: 7, status: null, achieved_at: "yesterday" }, { achieved_at: time }],
  [{ score: 7, status: "hidden", achieved_at: Timestamp.fromMillis(1) }, {}],
])("a document with %j lacks %j beside a status to be listed", (data, missing) => {
  expect(missingFields(data, time)).toEqual(missing);
});

test.each([
  [{}, false],
  [{ score: null, status: null }, false],
  [{ score: "7" }, true],
  [{ score: 7, status: null }, true],
  [{ score: 7, status: "" }, true],
  [{ score: 7, status: "hidden" }, false],
  [{ score: 7, status: 7 }, false],
])("of a document with %j it is %j that it lacks a status", (data, lacks) => {
  expect(lacksStatus(data)).toBe(lacks);
});

test("a write takes the document and its index entries, without those of fields that have none", () => {
  const entries = entriesSize("players/ann", { score: 7 }, new Set());
  const data = { score: 7, achieved_at: time };
  expect(writtenSize("players/ann", data)).toBe(documentSize("players/ann", data) + entries);
});

test("the status of a player who is in no season is active, unless a document says otherwise", () => {
  const documents = [undefined, {}, { status: "banned" }, { status: 7 }, { status: "Banned" }];
  expect(documents.map(readPlayerStatus)).toEqual(["active", "active", "banned", "active", "hidden"]);
});

describe("what the index counts for a document", () => {
  test.each([
    [undefined, undefined],
    [{}, undefined],
    [{ score: null }, undefined],
    [{ status: "active" }, undefined],
    [{ score: -0 }, { score: 0 }],
    [{ score: 1 - 2 ** 53, status: null }, { score: 1 - 2 ** 53 }],
    [{ score: 7, status: "active" }, { score: 7 }],
    [{ score: 7, status: "hidden" }, undefined],
    [{ score: "7", status: "banned" }, undefined],
    [{ score: "7" }, { unusable: 'score is a string ("7"), not a number' }],
    [{ score: 7, status: "Active" }, { unusable: 'status "Active" is not one of active, hidden, banned' }],
    [{ score: 7, status: 0 }, { unusable: "status 0 is not one of active, hidden, banned" }],
  ])("of %j is %j", (data, ranked) => {
    expect(rankedScoreOf(data)).toEqual(ranked);
  });

  test("is a score that can be ranked, a reason or nothing, for any garbage", () => {
    fc.assert(
      fc.property(anyDocument, (data) => {
        const ranked = rankedScoreOf(data);
        if (ranked === undefined) return;
        if ("unusable" in ranked) expect(ranked.unusable).toMatch(/^(score|status) /);
        else expect(Math.abs(ranked.score)).toBeLessThan(2 ** 53);
      }),
    );
  });
});
