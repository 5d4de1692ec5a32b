import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { definitionSchema } from "../../functions/src/model/definition.ts";
import type { FoundRecord } from "./found-record.ts";
import { csvOf } from "./csv.ts";
import { parseTime, readRecord, leftOutReason, recordOf } from "./player-record.ts";
import { readRecords } from "./read-records.ts";
import { exactTime } from "../../functions/src/model/instant.ts";

const folder = mkdtempSync(join(tmpdir(), "firerank-"));
const plain = definitionSchema(0).parse({});
const league = definitionSchema(0).parse({
  order: "ascending",
  segments: [
    { name: "country", from: "claim" },
    { name: "platform", from: "submission", values: ["ios", "android"] },
  ],
  columns: [
    { name: "points", min: 0, max: 300 },
    { name: "attempts", min: -5, max: 5, order: "ascending" },
  ],
});

const time = fc
  .tuple(fc.integer({ min: -60_000_000_000, max: 250_000_000_000 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([seconds, microseconds]) => new Timestamp(seconds, microseconds * 1_000));
const begin = fc.constantFrom("", "'", "=", "+", "-", "@", "\t", "＝", "'=", "''@");
const name = fc
  .tuple(begin, fc.string({ unit: "grapheme", minLength: 1, maxLength: 15 }))
  .map(([first, text]) => `${first}${text},"🏆"\n`)
  .filter((text) => !/[^\P{Cc}\n\t]/u.test(text));
const document = fc.record(
  {
    score: fc.integer({ min: 0, max: 301 * 11 - 1 }),
    display_name: name,
    metadata: fc.dictionary(
      fc.string({ minLength: 1, maxLength: 5 }).filter((key) => !key.startsWith("_")),
      fc.string(),
    ),
    achieved_at: time,
    attempts: fc.nat(),
    status: fc.constantFrom("active", "hidden", "banned"),
  },
  { requiredKeys: ["score", "attempts", "status"] },
);

const segments = fc.record(
  { country: fc.constantFrom("AT", "DE", "a-_9"), platform: fc.constantFrom("ios", "android") },
  { requiredKeys: ["country"] },
);

test.each([
  ["CSV", plain],
  ["CSV", league],
  ["NDJSON", plain],
  ["NDJSON", league],
])("any document comes back from %s as it was", async (format, definition) => {
  await fc.assert(
    fc.asyncProperty(fc.array(documentOf(definition), { minLength: 1, maxLength: 10 }), async (documents) => {
      const records = documents.flatMap((data, i) => recordOf(definition, `p,"${i}`, data) ?? []);
      const path = join(folder, format === "CSV" ? "all.csv" : "all.ndjson");
      const { header, cells } = csvOf(definition);
      const lines = records.map((record) => JSON.stringify(record)).join("\n");
      writeFileSync(path, format === "CSV" ? stringify([header, ...records.map(cells)]) : lines);
      const found = (await Readable.from(readRecords(path, definition)).toArray()) as FoundRecord[];
      const read = found.map((record) => ("value" in record ? readRecord(definition, record.value) : record));
      expect(read).toEqual(
        documents.map((data, i) => expect.objectContaining({ ...data, player: `p,"${i}` }) as object),
      );
    }),
    { numRuns: 50 },
  );
});

function documentOf({ segments: list }: typeof plain) {
  const own = list === undefined ? fc.constant({}) : fc.record({ segments }, { requiredKeys: [] });
  return fc.tuple(document, own).map(([fields, more]) => ({ ...fields, ...more }));
}

test("values of segments that are malformed, or that the board does not have, are left out: an import refuses them", () => {
  const data = { score: 3, segments: { country: "AT", platform: "i o s", guild: "red", other: 1 } };
  expect(recordOf(league, "ann", data)?.segments).toEqual({ country: "AT" });
  // As after a save that took the value off the segment's list.
  const unlisted = { score: 3, segments: { country: "AT", platform: "web" } };
  expect(recordOf(league, "ann", unlisted)?.segments).toEqual({ country: "AT" });
  expect(recordOf(league, "ann", { score: 3, segments: { platform: "web" } })).not.toHaveProperty("segments");
  expect(recordOf(plain, "ann", data)).not.toHaveProperty("segments");
  const before = { a: "1", b: "2", c: "3", city: "4" };
  expect(recordOf(league, "ann", { score: 3, segments: { ...before, country: "AT" } })?.segments).toEqual({
    country: "AT",
  });
  expect([plain, league].map((board) => csvOf(board).header.includes("segments"))).toEqual([false, true]);
});

test("no name or id of a CSV is run as a formula by a spreadsheet, and a negative score stays a number", () => {
  const record = recordOf(plain, "-ann", { score: -5, display_name: "=IMPORTXML(A1)" });
  expect(
    csvOf(plain)
      .cells(record ?? expect.fail())
      .slice(0, 3),
  ).toEqual(["'-ann", "-5", "'=IMPORTXML(A1)"]);
});

test("a document whose score the board could not rank is not a record", () => {
  for (const data of [{}, { score: "12" }, { score: NaN }, { score: 1, status: 7 }]) {
    expect(recordOf(plain, "ann", data)).toBeUndefined();
  }
  expect(recordOf(league, "ann", { score: -1 })).toBeUndefined();
  expect(recordOf(plain, "ann", { score: 12 })).toEqual({
    player: "ann",
    score: 12,
    attempts: 0,
    status: "active",
  });
});

test("a text that is no status is exported as what it counts as", () => {
  expect(recordOf(plain, "ann", { score: 1, status: "Banned" })).toMatchObject({
    score: 1,
    status: "hidden",
  });
  expect(recordOf(plain, "ann", { status: "Banned" })).toEqual({ player: "ann", status: "hidden" });
});

test.each([
  [{}, "has no score that this board can rank"],
  [{ score: "12" }, 'score is a string ("12"), not a number'],
  [{ score: 1, status: 7 }, "status 7 is not one of active, hidden, banned"],
])("a document with %j is left out, as %s", (data, reason) => {
  expect(leftOutReason(data)).toBe(reason);
});

test("times keep their microseconds, even before 1970", () => {
  fc.assert(
    fc.property(time, (timestamp) => {
      expect(parseTime(exactTime(timestamp))).toEqual(timestamp);
    }),
  );
  expect(exactTime(new Timestamp(0, 0))).toBe("1970-01-01T00:00:00Z");
  expect(exactTime(new Timestamp(-1, 120_000))).toBe("1969-12-31T23:59:59.00012Z");
});
