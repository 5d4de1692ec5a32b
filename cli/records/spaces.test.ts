/** A CSV with a space behind its commas, as people type one: the header and numbers are taken without it. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { expect, test } from "vitest";
import { definitionSchema } from "../../functions/src/model/definition.ts";
import type { FoundRecord } from "./found-record.ts";
import { csvOf, quotedToo } from "./csv.ts";
import { readRecord, recordOf } from "./player-record.ts";
import { readRecords } from "./read-records.ts";

const plain = definitionSchema(0).parse({});
const path = join(mkdtempSync(join(tmpdir(), "firerank-")), "all.csv");

async function readAll(csv: string) {
  writeFileSync(path, csv);
  const found = (await Readable.from(readRecords(path, plain)).toArray()) as FoundRecord[];
  return found.map((record) => ("value" in record ? readRecord(plain, record.value) : record));
}

test("the space before an id is no part of it, or the line is refused", async () => {
  const [read] = await readAll("score, player\n5, ann\n");
  expect(read && "problem" in read ? "ann" : read?.player).toBe("ann");
});

test("white space counts within quotes alone, and an export has quotes there", async () => {
  const named = [" ann", "\u00a0ann", "a n n"].map((player) => recordOf(plain, player, { score: 5 }) ?? {});
  const { header, cells } = csvOf(plain);
  const csv = stringify([header, ...named.map(cells)], { quoted_match: quotedToo });
  expect(await readAll(csv)).toEqual(named.map((one) => expect.objectContaining(one) as object));
  expect(await readAll('player ,score,display_name\n ann\t, 5 ,"Ann, the 1st" \n" ann",5, \n')).toMatchObject(
    [
      { player: "ann", score: 5, display_name: "Ann, the 1st" },
      { player: " ann", score: 5 },
    ],
  );
});
