/** The check of a whole file before any of it is imported. */
import { createHash } from "node:crypto";
import type { Definition } from "../../functions/src/model/definition.ts";
import { readRecord } from "../records/player-record.ts";
import { readRecords } from "../records/read-records.ts";

/** What a file holds. */
export interface CheckedFile {
  /** Records with a value, valid or not. */
  records: number;
  /** Those that can be imported. */
  good: number;
  /** Invalid records, and lines that are not records. */
  bad: number;
  sha256: string;
}

export interface CheckOptions {
  /** Called for each bad line, such as `line 17: score: is missing`. */
  onBad: (message: string) => void;
  onBytes: (bytes: number) => void;
  /** The number of bad lines after which it stops; undefined if they are all skipped. */
  badMax: number;
}

/** Reads a whole file, with memory for one record. @throws CliError as {@link readRecords}. */
export async function checkFile(
  path: string,
  definition: Definition,
  { onBad, onBytes, badMax }: CheckOptions,
): Promise<CheckedFile> {
  const hash = createHash("sha256");
  const checked = { records: 0, good: 0, bad: 0 };
  const found = readRecords(path, definition, (bytes) => {
    hash.update(bytes);
    onBytes(bytes.length);
  });
  for await (const record of found) {
    if ("value" in record) checked.records += 1;
    const { problem } = "problem" in record ? record : problemIn(definition, record.value);
    if (problem === undefined) {
      checked.good += 1;
      continue;
    }
    checked.bad += 1;
    onBad(`${record.place}: ${problem}`);
    if (checked.bad >= badMax) break;
  }
  return { ...checked, sha256: hash.digest("hex") };
}

function problemIn(definition: Definition, value: unknown): { problem: string | undefined } {
  const read = readRecord(definition, value);
  return { problem: "problem" in read ? read.problem : undefined };
}
