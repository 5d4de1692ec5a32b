/** Values in the forms in which databases and other programs write them, each as its program wrote it in a trial. */
import { expect, test } from "vitest";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { definitionSchema } from "../../functions/src/model/definition.ts";
import { readRecord } from "./player-record.ts";

const plain = definitionSchema(0).parse({});
const ofColumns = definitionSchema(0).parse({ columns: [{ name: "points", min: 0, max: 300 }] });

const at = (seconds: string, micros = 0) => new Timestamp(Date.parse(seconds) / 1_000, micros * 1_000);

test.each([
  // PostgreSQL 15 and DuckDB 2.0, CSV
  ["2026-11-20 19:03:11.123456+01", at("2026-11-20T18:03:11Z", 123_456)],
  ["2026-07-20 20:03:00+05:30", at("2026-07-20T14:33:00Z")],
  // pandas 3.1 and Python 3.11, CSV
  ["2026-11-20 18:03:11.123456+00:00", at("2026-11-20T18:03:11Z", 123_456)],
  // polars 2.1, CSV
  ["2026-11-20T18:03:00.000000+0000", at("2026-11-20T18:03:00Z")],
  // BigQuery, as Google's docs show it
  ["2026-11-20 18:03:11.5 UTC", at("2026-11-20T18:03:11Z", 500_000)],
  // OffsetDateTime of Java 17 at a full minute
  ["2026-11-20T19:03+01:00", at("2026-11-20T18:03:00Z")],
  ["2026-11-20T18:03Z", at("2026-11-20T18:03:00Z")],
  // RFC3339Nano of Go
  ["2026-11-20T19:03:11.123456789+01:00", at("2026-11-20T18:03:11Z", 123_456)],
  // a Timestamp of Firestore's library for servers, of the one for apps, and of its newer versions
  [{ _seconds: 1_763_661_791, _nanoseconds: 123_456_000 }, new Timestamp(1_763_661_791, 123_456_000)],
  [{ seconds: -1, nanoseconds: 5_000 }, new Timestamp(-1, 5_000)],
  [{ type: "firestore/timestamp/1.0", seconds: 7, nanoseconds: 0 }, new Timestamp(7, 0)],
])("the time %j is taken to the microsecond", (achieved_at, wanted) => {
  expect(readRecord(plain, { player: "ann", score: 1, achieved_at })).toEqual({
    ...{ player: "ann", score: 1, achieved_at: wanted },
  });
});

test.each([
  // No zone: SQLite's datetime(), a timestamp of PostgreSQL without one, Calc.
  "2026-11-20 18:03:11",
  "20.11.2026 18:03",
  // A time in milliseconds, as pandas' to_json and csv-stringify write it, may be one in seconds elsewhere.
  1_795_197_791_123,
  "1795197791123",
  "2026-02-30 18:03:11+00",
  "2026-11-20 18:03:11+25",
  "infinity",
  "NaT",
  { _seconds: 1.5, _nanoseconds: 0 },
  { _seconds: 300_000_000_000, _nanoseconds: 0 },
  { seconds: 1, nanoseconds: 1_000_000_000 },
  { seconds: 1, nanoseconds: 0, type: "other" },
  { _seconds: 1, _nanoseconds: 0, more: 1 },
  { seconds: 1, _nanoseconds: 0 },
])("the time %j is refused", (achieved_at) => {
  const { problem } = readRecord(plain, { player: "ann", score: 1, achieved_at }) as { problem?: string };
  expect(problem).toBe("achieved_at: must be an ISO 8601 time with its zone, such as 2026-11-21T12:00:00Z");
});

test("a number may be a text, as 64-bit integers are in protobuf's JSON", () => {
  const record = { player: "ann", score: "850", attempts: "3", metadata: '{"level":"7"}' };
  expect(readRecord(plain, record)).toEqual({
    ...{ player: "ann", score: 850, attempts: 3, metadata: { level: "7" } },
  });
  expect(readRecord(ofColumns, { player: "ann", columns: { points: "12" } })).toMatchObject({ score: 12 });
  for (const [text, score] of [
    // R and C; Go; SQLite, PostgreSQL's numeric, and Redis for 0.1
    ["1e+06", 1_000_000],
    ["1.234567e+06", 1_234_567],
    ["1000000.0", 1_000_000],
    ["61.2500", 61.25],
    ["0.10000000000000001", 0.1],
    ["9007199254740991", 2 ** 53 - 1],
  ] as const)
    expect(readRecord(plain, { player: "ann", score: text })).toEqual({ player: "ann", score });
});

const decimalPoint = "; write it with a decimal point, and nothing between thousands";
const inSeconds = "; write a time as one number, such as its seconds";

test.each([
  ...["NaN", "inf", "NULL", "0x10", "[object Object]", "1 lap"].map((score) => [score, ""]),
  ...["1,234", "61,25", "-1.234,5", "1.234.567", "1'234", "1 234", "1\u202f234"].map((score) => [
    score,
    decimalPoint,
  ]),
  ...["1:01.250", "00:01:01", "1:01,25"].map((score) => [score, inSeconds]),
])("the score %j is refused%s", (score, advice) => {
  expect(readRecord(plain, { player: "ann", score })).toEqual({
    problem: `score: is a string (${JSON.stringify(score)}), not a number${advice}`,
  });
});

// Came out: stored as its neighbour, and never ranked.
test.each(["9007199254740993", 2 ** 53, "-9007199254740992", "1e+17", 1e21])(
  "the score %j is refused, as no larger number than 2^53 - 1 in size is ranked",
  (score) => {
    expect(readRecord(plain, { player: "ann", score })).toEqual({
      problem: `score: is ${Number(score)}, larger in size than 2^53 - 1`,
    });
  },
);

test("an empty text in JSON is a missing field, as an empty cell of a CSV is", () => {
  const empty = { display_name: "", metadata: "", achieved_at: "", attempts: "", status: "", columns: "" };
  expect(readRecord(plain, { player: "ann", score: 1, ...empty })).toEqual({ player: "ann", score: 1 });
  expect(readRecord(plain, { player: "ann", score: "" })).toEqual({ problem: "score: is missing" });
  expect(readRecord(plain, { player: "", score: 1 })).toEqual({ problem: "player: must not be empty" });
});

test("a text that is no JSON is no metadata", () => {
  for (const metadata of ["{'a': 1}", "[object Object]", "7"])
    expect(readRecord(plain, { player: "ann", score: 1, metadata })).toMatchObject({
      problem: expect.stringContaining("metadata: must be an object of named values") as string,
    });
});
