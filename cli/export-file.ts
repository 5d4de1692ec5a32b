/**
 * `firerank export`: all players of a season into a file that can be imported again.
 *
 * They are read at one time, in order of their ids: that leaves out nobody, neither the hidden nor the banned, and
 * reads each document once. The file appears under its name when it is whole.
 */
import { createWriteStream, existsSync, renameSync } from "node:fs";
import { extname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import type { Firestore, Timestamp } from "../functions/src/documents/firestore.ts";
import { leaderboardPath, playersPath, type SeasonKey } from "../functions/src/documents/paths.ts";
import { byId } from "../functions/src/documents/queries.ts";
import type { Definition } from "../functions/src/model/definition.ts";
import { documentsPerReadMax } from "../functions/src/model/limits.ts";
import type { Services } from "../functions/src/operations/services.ts";
import { getAt } from "../functions/src/repair/read-all.ts";
import { requestedBoard } from "../functions/src/seasons/current.ts";
import { CliError } from "./cli-error.ts";
import { createProgress, type Progress, type ProgressStream } from "./progress.ts";
import { cellsOf, headerOf, recordOf, type RecordValue } from "./records/format-record.ts";

export interface ExportOptions {
  leaderboard: string;
  file: string;
  season?: string | undefined;
  /** Replaces a file that is there. */
  force: boolean;
}

/** What was written: players, and documents left out because no rank could come of them. */
export interface ExportReport {
  players: number;
  leftOut: number;
}

/**
 * Exports a season. Cost: 1 read a player, and 1 for each 1,000 to know how many there are. It has to end within the hour
 * for which Firestore keeps what it held.
 * @throws CliError when the file is there already, or its name says neither CSV nor NDJSON; `leaderboard_not_found`.
 */
export async function exportFile(
  services: Services,
  stream: ProgressStream,
  { leaderboard, file, season, force }: ExportOptions,
): Promise<ExportReport> {
  const extension = extname(file).toLowerCase();
  if (![".csv", ".ndjson", ".jsonl"].includes(extension))
    throw new CliError(`"${file}" must end in .csv or in .ndjson.`, { exitCode: 2 });
  if (existsSync(file) && !force) throw new CliError(`"${file}" exists already; --force replaces it.`);
  const { db } = services;
  const { key, definition } = await requestedBoard(services, { leaderboard, season });
  const { readTime: at } = await db.doc(leaderboardPath(leaderboard)).get();
  const count = (await db.collection(playersPath(key)).count().get()).data().count;
  const progress = createProgress(stream, "exporting", count, "players");
  const report: ExportReport = { players: 0, leftOut: 0 };
  const records = readPlayers(db, { key, definition, at }, report, progress);
  const partial = `${file}.partial`;
  try {
    const target = createWriteStream(partial);
    if (extension === ".csv") await pipeline(Readable.from(rowsOf(records, definition)), stringify(), target);
    else await pipeline(Readable.from(linesOf(records)), target);
  } finally {
    progress.stop();
  }
  renameSync(partial, file);
  return report;
}

interface Source {
  key: SeasonKey;
  definition: Definition;
  at: Timestamp;
}

async function* readPlayers(
  db: Firestore,
  { key, definition, at }: Source,
  report: ExportReport,
  progress: Progress,
): AsyncGenerator<RecordValue> {
  let after: string | undefined;
  for (;;) {
    const { docs } = await getAt(db, at, byId(db, playersPath(key), documentsPerReadMax, { after }));
    for (const document of docs) {
      const record = recordOf(definition, document.id, document.data());
      if (record === undefined) {
        report.leftOut += 1;
        progress.log(`left out: ${document.ref.path} has no score that this board could rank`);
        continue;
      }
      report.players += 1;
      yield record;
    }
    progress.update(report.players + report.leftOut);
    after = docs.at(-1)?.id;
    if (docs.length < documentsPerReadMax) return;
  }
}

async function* rowsOf(
  records: AsyncIterable<RecordValue>,
  definition: Definition,
): AsyncGenerator<string[]> {
  yield headerOf(definition);
  for await (const record of records) yield cellsOf(definition, record);
}

async function* linesOf(records: AsyncIterable<RecordValue>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}
