/**
 * `firerank export`: writes all players of a season to a file that can be imported again; for a closed season its final
 * table.
 *
 * Players are read at one read time, ordered by id: this includes hidden and banned players, and reads each document
 * once. At the end come those whom the board keeps hidden or banned and who have no score there, so that a ban goes along.
 * The file gets its name only when it is complete.
 */
import { once } from "node:events";
import { createWriteStream, renameSync, rmSync, statSync } from "node:fs";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import type { Firestore, Timestamp } from "../functions/src/documents/firestore.ts";
import {
  definitionPath,
  playersPath,
  playerStatusesPath,
  type SeasonKey,
} from "../functions/src/documents/paths.ts";
import { lacksStatus, readPlayerStatus } from "../functions/src/documents/player.ts";
import { byId } from "../functions/src/documents/queries.ts";
import { documentsPerReadMax } from "../functions/src/model/limits.ts";
import {
  type PlayerStatus,
  statusProblem,
  statusSaid,
  stricter,
} from "../functions/src/model/player-status.ts";
import { definitionOf, type SavedDefinition } from "../functions/src/model/season-definition.ts";
import type { Services } from "../functions/src/world/services.ts";
import { asOf, getAt, inChunks } from "../functions/src/documents/reads.ts";
import { currentSeasons, requestedBoard, type SeasonAsked } from "../functions/src/seasons/current.ts";
import { definedIn } from "../functions/src/seasons/read-board.ts";
import type { Placed } from "../functions/src/standings/pack.ts";
import {
  finalCells,
  finalHeader,
  finalTable,
  finalValue,
  type ReadDocuments,
} from "../functions/src/standings/table.ts";
import { CliError, usageError } from "./cli-error.ts";
import { count, createProgress, type Progress, type ProgressStream } from "./progress.ts";
import { csvOf, quotedToo } from "./records/csv.ts";
import { fieldsLeftOut, leftOutReason, recordOf } from "./records/player-record.ts";
import { asCliError } from "./system-error.ts";

export interface ExportOptions {
  leaderboard: string;
  file: string;
  season?: string | undefined;
  /** A span, for its running season. */
  span?: string | undefined;
  force: boolean;
  /** For a closed season: exports all players, including hidden ones, instead of its final table. */
  players?: boolean | undefined;
}

/** Of how many players fields that are left out are named: a value taken off a list may be that of every player. */
const inPartNamedMax = 100;

/** What was written: players, and documents left out because they cannot be ranked. */
export interface ExportReport {
  players: number;
  leftOut: number;
  /** Players whose record lacks a field or a value of theirs, as an import would refuse it. */
  inPart?: number;
  /** True for a final table, with ranks and positions. */
  isFinal?: true;
}

/**
 * Exports a season. Cost: 1 read a player, 1 for each whom the board keeps hidden or banned, at least 1, and 1 for each
 * 1,000 to count them; for a final table 1 for each 1,000
 * players (2 if they have metadata), and 1. It must finish within the hour for which Firestore keeps old data.
 * @throws CliError if the file exists already, cannot be written, or its name is neither CSV nor NDJSON;
 * `leaderboard_not_found`.
 */
export async function exportFile(
  services: Services,
  stream: ProgressStream,
  { leaderboard, file, season, span, force, players: wantsPlayers = false }: ExportOptions,
): Promise<ExportReport> {
  const extension = extname(file).toLowerCase();
  if (![".csv", ".ndjson", ".jsonl"].includes(extension))
    throw usageError(`"${file}" must end in .csv or in .ndjson.`);
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory() === true) throw new CliError(`"${file}" is a folder; name a file.`);
  if (there !== undefined && !force) throw new CliError(`"${file}" already exists; --force replaces it.`);
  const { db } = services;
  const asked = { leaderboard, season, span };
  const { key, definition, season: opened } = await requestedBoard(services, asked);
  stream.write(`${await seasonExported(services, asked, key.season)}\n`);
  const defined = await db.doc(definitionPath(leaderboard)).get();
  const { readTime: at } = defined;
  const isFinal = opened?.status === "closed" && !wantsPlayers;
  const table = isFinal ? await finalTable(readerAt(db, at), key) : undefined;
  const total = table?.players ?? (await db.collection(playersPath(key)).count().get()).data().count;
  const progress = createProgress(stream, "exporting", total, "players");
  const report: ExportReport = { players: 0, leftOut: 0, ...(isFinal ? { isFinal } : {}) };
  const partial = `${file}.partial`;
  const isCsv = extension === ".csv";
  try {
    if (table === undefined) {
      // By the board's present segments, as an import goes by these; a season that has ended keeps those of its end.
      const saved = definedIn(leaderboard, defined);
      const present = { ...saved, definition: definitionOf(saved, { ordering: opened?.ordering }) };
      const values = readPlayers(db, { key, saved: present, at }, report, progress);
      const { header, cells } = csvOf(present.definition);
      await writeFile(partial, isCsv ? header : undefined, values, cells, (record) => record);
    } else {
      const values = counted(table.rows, report, progress);
      const cells = (row: Placed) => finalCells(definition, row);
      const header = isCsv ? finalHeader(definition) : undefined;
      await writeFile(partial, header, values, cells, (row) => finalValue(definition, row));
    }
  } finally {
    progress.stop();
  }
  try {
    renameSync(partial, file);
  } catch (error) {
    throw asCliError(error, { advice: `All of the export is in "${partial}".` });
  }
  return report;
}

/** An export has one season. Whoever named none may not know that the board has others running. Cost: no read. */
async function seasonExported(services: Services, { leaderboard, season, span }: SeasonAsked, taken: string) {
  const named = season !== undefined || span !== undefined;
  const running = named ? [] : await currentSeasons(services, leaderboard);
  const others = running.flatMap(({ key }) => (key.season === taken ? [] : [`"${key.season}"`]));
  const without =
    others.length === 0 ? "" : ` Not in the file: ${others.join(", ")}; --span or --season names another.`;
  return `Exporting the season "${taken}".${without}`;
}

/** What was exported, in words. Pure. */
export function exportSummary(
  { players, leftOut, inPart = 0, isFinal }: ExportReport,
  { season, players: wantsPlayers = false }: Pick<ExportOptions, "season" | "players">,
): string {
  const what = isFinal === true ? "The final table: " : "";
  const documents = leftOut === 0 ? "" : `; ${count(leftOut, "document")} left out`;
  const without = `${documents}${inPart === 0 ? "" : `; fields of ${count(inPart, "player")} left out`}`;
  const isEarly = season !== undefined && isFinal !== true && !wantsPlayers;
  const early = isEarly
    ? `\n"${season}" has not closed, so this file has its players, in order of id, and not a final table.`
    : "";
  return `${what}${count(players, "player")} exported${without}.${early}`;
}

function readerAt(db: Firestore, at: Timestamp): ReadDocuments {
  return async (paths) => {
    const refs = paths.map((path) => db.doc(path));
    const found = await asOf(db, at, (transaction) => transaction.getAll(...refs));
    return found.map((document) => document.data());
  };
}

async function* counted(
  rows: AsyncIterable<Placed[]>,
  report: ExportReport,
  progress: Progress,
): AsyncGenerator<Placed> {
  for await (const some of rows) {
    yield* some;
    report.players += some.length;
    progress.update(report.players);
  }
}

async function* readPlayers(
  db: Firestore,
  { key, saved, at }: { key: SeasonKey; saved: SavedDefinition; at: Timestamp },
  report: ExportReport,
  progress: Progress,
): AsyncGenerator<object> {
  const allIn = (path: string) =>
    inChunks(byId(db, path, documentsPerReadMax), documentsPerReadMax, (query) => getAt(db, at, query));
  const kept = new Map<string, PlayerStatus>();
  for await (const docs of allIn(playerStatusesPath(key.leaderboard)))
    for (const document of docs) {
      // The board keeps where players stand in a league, too.
      const status = readPlayerStatus(document.data());
      if (status !== "active") kept.set(document.id, status);
    }
  for await (const docs of allIn(playersPath(key))) {
    for (const document of docs) {
      const data = document.data();
      const keptStatus = kept.get(document.id);
      const named = lacksStatus(data) && keptStatus !== undefined ? { ...data, status: keptStatus } : data;
      const record = recordOf(saved.definition, document.id, named);
      if (record === undefined) {
        if (keptStatus !== undefined) continue;
        report.leftOut += 1;
        progress.log(`left out: ${document.ref.path}: ${leftOutReason(data)}`);
        continue;
      }
      const { status, remark } = exportedStatus(record.status, named, keptStatus);
      if (remark !== undefined) progress.log(`exported as ${status}: ${document.ref.path}: ${remark}`);
      const fields = fieldsLeftOut(saved, data);
      if (fields.length > 0) report.inPart = (report.inPart ?? 0) + 1;
      if (fields.length > 0 && (report.inPart ?? 0) <= inPartNamedMax)
        progress.log(`left out of ${document.ref.path}: ${fields.join("; ")}`);
      kept.delete(document.id);
      report.players += 1;
      yield { ...record, status };
    }
    progress.update(report.players + report.leftOut);
  }
  for (const [player, status] of kept) {
    report.players += 1;
    yield { player, status };
  }
}

/** A text that is no status says only that the player is not ranked: a ban that the board keeps goes along. */
function exportedStatus(status: PlayerStatus, data: Record<string, unknown>, kept: PlayerStatus = "active") {
  const said = statusSaid(data);
  if (said === status) return { status };
  return { status: stricter(status, kept), remark: statusProblem(said) };
}

/** A CSV if there is a header, and NDJSON otherwise. What fails leaves no file. @throws CliError if it cannot be written */
async function writeFile<Value>(
  path: string,
  header: string[] | undefined,
  values: AsyncIterable<Value>,
  cells: (value: Value) => (string | number)[],
  json: (value: Value) => object,
): Promise<void> {
  async function* lines() {
    for await (const value of values)
      yield header === undefined ? `${JSON.stringify(json(value))}\n` : cells(value);
  }
  try {
    const target = createWriteStream(path);
    // Before the first player is read.
    await once(target, "open");
    try {
      if (header === undefined) await pipeline(lines, target);
      else
        await pipeline(lines, stringify({ header: true, columns: header, quoted_match: quotedToo }), target);
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    }
  } catch (error) {
    throw asCliError(error, { file: path, advice: "Nothing was exported." });
  }
}
