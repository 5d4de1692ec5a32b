/**
 * `firerank import`: imports a file of players into a board's current season.
 *
 * The whole file is checked before anything is written. The progress is kept beside the file, so the same command
 * continues an interrupted import.
 */
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { Definition } from "../../functions/src/model/definition.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import type { OpenedBoard } from "../../functions/src/seasons/board.ts";
import { requestedBoard, requestedOpenBoard } from "../../functions/src/seasons/current.ts";
import { isTaking } from "../../functions/src/seasons/open-now.ts";
import { CliError } from "../cli-error.ts";
import { createProgress, type Progress, type ProgressStream } from "../progress.ts";
import { readRecord } from "../records/player-record.ts";
import { readRecords } from "../records/read-records.ts";
import { type Checkpoint, type CheckpointFile, checkpointOf, type ImportIdentity } from "./checkpoint.ts";
import { importPlayers, type Imported, type NumberedRecord } from "./import-players.ts";
import type { Ramp } from "./ramp.ts";

/** Bad lines after which an import that will not start stops looking for more. */
const badLinesMax = 100;

export interface ImportOptions {
  leaderboard: string;
  file: string;
  season?: string | undefined;
  /** Leaves bad lines out instead of importing nothing. */
  skipBad: boolean;
  dryRun: boolean;
  /** Discards the progress of an interrupted import. */
  restart: boolean;
}

export interface ImportWorld {
  services: Services;
  project: string;
  database: string;
  ramp: Ramp;
  stream: ProgressStream;
}

/** What a file holds. */
export interface CheckedFile {
  /** Records with a value, valid or not. */
  records: number;
  good: number;
  /** Invalid records, and lines that are not records. */
  bad: number;
  sha256: string;
}

/** The result: a check imports nothing. */
export type ImportReport = CheckedFile & { resumedFrom: number; imported: Imported | undefined };

/**
 * Imports a file; see {@link importPlayers} for what it costs.
 * @throws CliError if the file has bad lines (each is printed with its number) and they are not to be skipped;
 * `leaderboard_not_found`.
 */
export async function importFile(world: ImportWorld, options: ImportOptions): Promise<ImportReport> {
  const { services, stream } = world;
  const { file } = options;
  const { key, definition } = await requestedBoard(services, options);
  const checked = await check(stream, definition, options);
  if (options.dryRun) return { ...checked, resumedFrom: 0, imported: undefined };

  const board = await requestedOpenBoard(services, options);
  if (!isTaking(board.season, services.now())) {
    throw new CliError(`The season "${key.season}" takes no scores now; an import needs an open season.`);
  }
  const checkpoints = checkpointOf(file);
  if (options.restart) checkpoints.remove();
  const checkpoint = begin(checkpoints, identityOf(world, board, checked), services.now());
  if (checkpoint.records > 0) {
    stream.write(
      `Continuing after ${checkpoint.records.toLocaleString("en")} records (${checkpoints.path}).\n`,
    );
  }
  const imported = await importFrom(world, { checkpoints, checkpoint, board, file, total: checked.good });
  checkpoints.remove();
  return { ...checked, resumedFrom: checkpoint.records, imported };
}

async function check(
  stream: ProgressStream,
  definition: Definition,
  { file, skipBad, dryRun }: ImportOptions,
): Promise<CheckedFile> {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) throw new CliError(`There is no file "${file}".`);
  const progress = createProgress(stream, "checking", bytes, "bytes");
  try {
    const checked = await checkFile(file, definition, progress, skipBad ? Infinity : badLinesMax);
    if (checked.records === 0 && checked.bad === 0)
      throw new CliError(`"${file}" has no players${afterHeader(file)}; nothing was imported.`);
    if (dryRun) return checked;
    if (skipBad && checked.good === 0)
      throw new CliError(`"${file}" has no line that can be imported; the problem of each line is above.`);
    if (checked.bad === 0 || skipBad) return checked;
    const count = checked.bad === badLinesMax ? `at least ${checked.bad}` : String(checked.bad);
    throw new CliError(
      `"${file}" has ${count} bad ${checked.bad === 1 ? "line" : "lines"}; nothing was imported. ` +
        "Correct them, or skip them with --skip-bad.",
    );
  } finally {
    progress.stop();
  }
}

/** Reads a whole file, with memory for one record. @param badMax bad lines after which it stops */
async function checkFile(
  file: string,
  definition: Definition,
  progress: Progress,
  badMax: number,
): Promise<CheckedFile> {
  const hash = createHash("sha256");
  const checked = { records: 0, good: 0, bad: 0 };
  let read = 0;
  const found = readRecords(file, definition, (bytes) => {
    hash.update(bytes);
    progress.update((read += bytes.length));
  });
  for await (const one of found) {
    if ("value" in one) checked.records += 1;
    const record = "problem" in one ? one : readRecord(definition, one.value);
    if (!("problem" in record)) {
      checked.good += 1;
      continue;
    }
    checked.bad += 1;
    progress.log(`${one.place}: ${record.problem}`);
    if (checked.bad >= badMax) break;
  }
  return { ...checked, sha256: hash.digest("hex") };
}

function afterHeader(file: string): string {
  return file.toLowerCase().endsWith(".csv") ? " after its header line" : "";
}

function identityOf(
  { project, database }: Pick<ImportWorld, "project" | "database">,
  { key, season }: OpenedBoard,
  { sha256 }: CheckedFile,
): ImportIdentity {
  const { leaderboard } = key;
  const openedAt = season.opens_at.toDate().toISOString();
  return { project, database, leaderboard, season: key.season, season_opened_at: openedAt, sha256 };
}

/** The checkpoint of an interrupted import, or a new one, already written: scores get its start as their time. */
function begin(checkpoints: CheckpointFile, identity: ImportIdentity, nowMs: number): Checkpoint {
  const found = checkpoints.read(identity);
  if (found !== undefined) return found;
  const checkpoint = { ...identity, started_at: new Date(nowMs).toISOString(), records: 0 };
  checkpoints.write(checkpoint);
  return checkpoint;
}

interface Begun {
  checkpoints: CheckpointFile;
  checkpoint: Checkpoint;
  board: OpenedBoard;
  file: string;
  total: number;
}

async function importFrom(
  { services, stream, ramp }: ImportWorld,
  { checkpoints, checkpoint, board, file, total }: Begun,
): Promise<Imported> {
  const progress = createProgress(stream, "importing", total, "records");
  try {
    return await importPlayers(services, {
      key: board.key,
      records: goodRecords(file, board.definition, checkpoint.records),
      startedMs: Date.parse(checkpoint.started_at),
      ramp,
      onProgress: ({ index, good }) => {
        checkpoints.write({ ...checkpoint, records: index + 1 });
        progress.update(good);
      },
    });
  } catch (error) {
    progress.log("The import stopped. The same command continues it.");
    throw error;
  } finally {
    progress.stop();
  }
}

/** The records from a number on, without the invalid ones, which the check has reported. */
async function* goodRecords(
  file: string,
  definition: Definition,
  from: number,
): AsyncGenerator<NumberedRecord> {
  let index = -1;
  let good = 0;
  for await (const found of readRecords(file, definition)) {
    if (!("value" in found)) continue;
    index += 1;
    const record = readRecord(definition, found.value);
    if ("problem" in record) continue;
    good += 1;
    if (index >= from) yield { index, good, record };
  }
}
