/** What a trusted server may store, and calls refuse: docs say that an export may be imported as it is. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { expect, test } from "vitest";
import { definitionSchema } from "../../functions/src/model/definition.ts";
import { csvOf, quotedToo } from "./csv.ts";
import type { FoundRecord } from "./found-record.ts";
import { readRecord, recordOf } from "./player-record.ts";
import { readRecords } from "./read-records.ts";

const plain = definitionSchema(0).parse({});
const exported = (player: string, data: Record<string, unknown>) =>
  JSON.parse(JSON.stringify(recordOf(plain, player, data))) as object;
const folder = mkdtempSync(join(tmpdir(), "firerank-"));

const deep = (levels: number): object => (levels === 1 ? { a: 1 } : { a: deep(levels - 1) });

test.each([
  ["metadata of 2 KB", "ann", { score: 5, metadata: { bio: "x".repeat(2_000) } }],
  ["a name of 100 characters", "ann", { score: 5, display_name: "x".repeat(100) }],
  ["an id of 200 characters", "x".repeat(200), { score: 5 }],
  ["an id that ends with a space, of somebody banned", "ann ", { status: "banned" }],
  ["an id with a control character", "a\u0001nn", { score: 5 }],
  ["a name of two lines with a tab", "ann", { score: 5, display_name: "A\tn\r\nn\rn\u0001" }],
  ["metadata of 20 levels", "ann", { score: 5, metadata: deep(20) }],
  ["metadata with a double above 2^53", "ann", { score: 5, metadata: { gold: 1.5e21, gems: 1e16 } }],
  ["a document of a megabyte", "ann", { score: 5, metadata: { bio: "\u0001".repeat(1_047_000) } }],
] as const)("an exported line can be imported as it is: %s", async (_, player, data) => {
  const record = exported(player, data);
  const read = readRecord(plain, record);
  expect(read).not.toHaveProperty("problem");
  expect(read).toEqual(record);
  const { header, cells } = csvOf(plain);
  for (const [name, text] of [
    ["all.ndjson", JSON.stringify(record)],
    ["all.csv", stringify([header, cells(record)], { quoted_match: quotedToo })],
  ] as const) {
    const path = join(folder, name);
    writeFileSync(path, text);
    const found = (await Readable.from(readRecords(path, plain)).toArray()) as FoundRecord[];
    expect(found.map((one) => ("value" in one ? readRecord(plain, one.value) : one))).toEqual([record]);
  }
});

test.each([
  ["metadata of 21 levels", { metadata: deep(21) }, "metadata: must be at most 20 levels deep"],
  ["more than a document has room for", { metadata: { a: "x".repeat(1_048_000) } }, "is 10480"],
])("a line that Firestore could not store is bad: %s", (_, fields, problem) => {
  expect(readRecord(plain, { player: "ann", score: 5, ...fields })).toEqual({
    problem: expect.stringContaining(problem) as string,
  });
});
