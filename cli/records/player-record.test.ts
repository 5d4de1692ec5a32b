import { expect, test } from "vitest";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { definitionSchema } from "../../functions/src/model/definition.ts";
import { readRecord } from "./player-record.ts";

const board = (definition: object = {}) => definitionSchema(0).parse(definition);
const columns = [
  { name: "points", min: 0, max: 300 },
  { name: "fouls", min: 0, max: 99, order: "ascending" },
];

test("a record needs a player and a score; all other fields are optional", () => {
  expect(readRecord(board(), { player: "ann", score: 0 })).toEqual({ player: "ann", score: 0 });
  const full = {
    player: "Ann 🏆",
    score: 1.5,
    display_name: 'A "quoted", name\nof two lines',
    metadata: { a: [1] },
    attempts: 4,
    status: "banned",
  };
  expect(readRecord(board(), { ...full, achieved_at: "2026-11-21T12:00:00.123456+01:00" })).toEqual({
    ...full,
    achieved_at: new Timestamp(Date.parse("2026-11-21T11:00:00Z") / 1_000, 123_456_000),
  });
});

test("the first and the last time that Firestore stores are times", () => {
  const timeOf = (achieved_at: string) => readRecord(board(), { player: "ann", score: 1, achieved_at });
  expect(timeOf("0001-01-01T01:00:00+01:00")).toMatchObject({
    achieved_at: new Timestamp(-62_135_596_800, 0),
  });
  const last = new Timestamp(253_402_300_799, 999_999_000);
  expect(timeOf("9999-12-31T22:59:59.999999-01:00")).toMatchObject({ achieved_at: last });
});

test("an empty list of columns is none on a board without columns, as PHP and dkjson write an empty map", () => {
  const record = { player: "ann", score: 2 };
  expect(readRecord(board(), { ...record, columns: [] })).toEqual(record);
});

test("a JSON null is a missing field", () => {
  const nulls = { columns: null, display_name: null, metadata: null, achieved_at: null, attempts: null };
  const record = { player: "ann", score: 2 };
  expect(readRecord(board(), { ...record, status: null, ...nulls })).toEqual(record);
});

test("an empty list in place of named values is none, and a list with values is refused", () => {
  const record = { player: "ann", score: 2 };
  const both = { ...record, segments: [], metadata: [] };
  expect(readRecord(board({ segments }), both)).toEqual({ ...record, segments: {}, metadata: {} });
  for (const field of ["segments", "metadata", "columns"])
    expect(readRecord(board({ segments }), { ...record, [field]: ["AT"] })).toMatchObject({
      problem: expect.stringMatching(`^${field}`) as string,
    });
});

test("columns are packed into the score as a submission's are", () => {
  const record = { player: "ann", columns: { points: 3, fouls: 1 } };
  expect(readRecord(board({ columns }), record)).toEqual({ ...record, score: 398 });
});

const segments = [
  { name: "country", from: "claim" },
  { name: "platform", from: "submission", values: ["ios"] },
];

test("values of segments are taken, also those that players cannot say", () => {
  const record = { player: "ann", score: 2, segments: { country: "AT", platform: "ios" } };
  expect(readRecord(board({ segments }), record)).toEqual(record);
});

test.each([
  [{ max_score: 1_000 }, 1_200],
  [{ aggregation: "sum", min_score: 5 }, -2],
  // More than 15 digits, which a server may have written.
  [{ decimals: 2 }, 12_345_678_901_234.5],
])(
  "limits of scores bind submissions, so on the board %j a record may have the score %j",
  (limits, score) => {
    expect(readRecord(board(limits), { player: "ann", score })).toEqual({ player: "ann", score });
  },
);

test("limits of single submissions do not apply to a player's total", () => {
  const strict = board({
    aggregation: "sum",
    max_change: 5,
    max_attempts: { all_time: 1 },
    min_seconds_between: 60,
  });
  expect(readRecord(strict, { player: "ann", score: 1_000, attempts: 9 })).toMatchObject({ score: 1_000 });
});

test("a record without a player, or that is no object, is bad", () => {
  const problem = (text: string) => ({ problem: expect.stringContaining(text) as string });
  expect(readRecord(board(), { score: 1 })).toEqual(problem("player: "));
  expect(readRecord(board(), { player: "a/b", score: 1 })).toEqual(problem('player: must not contain "/"'));
  expect(readRecord(board(), ["ann", 1])).toEqual(problem("must be an object; this is a list"));
});

test("all that is wrong with a record is told at once", () => {
  const record = {
    score: 10,
    display_name: "\u200b",
    status: "gone",
    segments: { land: "AT", platform: "web" },
  };
  const { problem = "" } = readRecord(board({ segments, columns }), record) as { problem?: string };
  for (const part of [
    "player: is missing",
    "display_name: ",
    'status: must be "active"',
    "segments.land: is not a segment",
    'segments.platform: "web" is not a value',
    "score: this leaderboard has columns",
  ])
    expect(problem).toContain(part);
  const { problem: ofBoard } = readRecord(board({ segments, columns }), {
    ...{ player: "ann", score: 10, segments: { land: "AT" } },
  }) as { problem?: string };
  expect(ofBoard).toContain("; score: this leaderboard has columns");
  // What is told of a score is told once.
  expect(readRecord(board(), { player: "a/b", score: "12a" })).toEqual({
    problem: 'player: must not contain "/"; score: is a string ("12a"), not a number',
  });
});

test("a line of a final table is bad, and says which file can be imported", () => {
  const { problem } = readRecord(board(), { position: 1, rank: 1, player: "ann", score: 1 }) as {
    problem?: string;
  };
  expect(problem).toBe(
    'has "position" and "rank", which is not known here; this is a line of a final table: npx --no-install firerank ' +
      "export <board> <file> --season <season> --players writes a file that can be imported",
  );
});

test.each([
  [{}, {}, "score: is missing"],
  [{}, { score: "12a" }, 'score: is a string ("12a"), not a number'],
  [{}, { columns: { points: 1 } }, "columns: this leaderboard has no columns; send score"],
  [{ columns }, { score: 1 }, "score: this leaderboard has columns"],
  [{ columns }, { columns: { points: 1 } }, "columns.fouls: is missing"],
  [{ columns }, { columns: { points: 301, fouls: 0 } }, "columns.points: 301 is not from 0 to 300"],
  [{}, { score: 1, rank: 1 }, 'has "rank", which is not known here'],
  [{}, { score: 1, display_name: "\u0000" }, "display_name: must have a visible character"],
  [{}, { score: 1, display_name: "a\ud800" }, "display_name: must hold well-formed Unicode only"],
  [{}, { score: 1, metadata: { a: [[]] } }, "metadata: must not hold an array directly in an array"],
  [{}, { score: 1, metadata: { ["x".repeat(1_501)]: 1 } }, "metadata: must not have a key of more than 1500"],
  [{}, { score: 1, achieved_at: "yesterday" }, "achieved_at: must be an ISO 8601 time"],
  [{}, { score: 1, achieved_at: "0001-01-01T00:00:00+01:00" }, "achieved_at: must lie in the years 0001 to"],
  [
    {},
    { score: 1, achieved_at: "9999-12-31T23:59:59.9-01:00" },
    "achieved_at: must lie in the years 0001 to",
  ],
  [{}, { score: 1, attempts: 1.5 }, "attempts: must be a whole number"],
  [{}, { score: 1, status: "gone" }, 'status: must be "active", "hidden" or "banned"'],
  [{}, { score: 1, segments: { country: "AT" } }, "segments.country: this leaderboard has no"],
  [{ segments }, { score: 1, segments: { land: "AT" } }, "segments.land: is not a segment"],
  [{ segments }, { score: 1, segments: { country: "A T" } }, "segments.country: must be 1 to 32"],
  [{ segments }, { score: 1, segments: { platform: "web" } }, 'segments.platform: "web" is not'],
  [{ segments }, { score: 1, segments: "AT" }, "segments: must be values by segment"],
])("on the board %j the record %j is bad: %s", (definition, fields, problem) => {
  expect(readRecord(board(definition), { player: "ann", ...fields })).toEqual({
    problem: expect.stringContaining(problem) as string,
  });
});
