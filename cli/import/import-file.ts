/**
 * `firerank import`: imports a file of players into a board's current season; or, for a template, into its boards, of
 * which each line names one.
 *
 * The whole file is checked before anything is written. The progress is kept beside the file, so the same command
 * continues an interrupted import.
 */
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { definitionPath } from "../../functions/src/documents/paths.ts";
import { type Definition, readDefinition } from "../../functions/src/model/definition.ts";
import { isoTime } from "../../functions/src/model/instant.ts";
import { isOfTemplate } from "../../functions/src/model/template.ts";
import type { Services } from "../../functions/src/world/services.ts";
import { hashOf } from "../../functions/src/model/hash.ts";
import { requestedBoard, requestedOpenBoard } from "../../functions/src/seasons/current.ts";
import { isTaking } from "../../functions/src/seasons/open-now.ts";
import { CliError, usageError } from "../cli-error.ts";
import { count, createProgress, type ProgressStream } from "../progress.ts";
import { readRecord } from "../records/player-record.ts";
import { readRecords } from "../records/read-records.ts";
import { checkpointOf } from "./checkpoint.ts";
import { importPlayers, type NumberedRecord, SeasonEnded } from "./import-players.ts";
import { createOddities } from "./oddities.ts";
import type { Ramp } from "./ramp.ts";

/** Bad lines after which an import that will not start stops looking for more. */
const badLinesMax = 100;

export interface ImportOptions {
  /** A board, or a template. */
  leaderboard: string;
  file: string;
  season?: string | undefined;
  /** A span, for its running season. */
  span?: string | undefined;
  /** Leaves bad lines out instead of importing nothing. */
  skipBad: boolean;
  dryRun: boolean;
  /** Whether one board is to be ranked afterwards, which the caller does. */
  rank?: boolean;
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

/**
 * Imports a file; see {@link importPlayers} for what it costs.
 * @returns what the file holds, as {@link check} found it, what was imported, and the season that it filled; a check alone
 * imports nothing.
 * @throws CliError if the file has bad lines (each is printed with its number) and they are not to be skipped;
 * `leaderboard_not_found`; SeasonEnded, with what is written, where the season ends meanwhile.
 */
export async function importFile(world: ImportWorld, options: ImportOptions) {
  const { services, project, database, stream, ramp } = world;
  const { file, leaderboard } = options;
  const board = await definedBoard(services, options);
  if (board.template !== undefined && options.rank === true)
    throw usageError(`--rank is for one board, and "${leaderboard}" is a template.`);
  const { first, ...checked } = await check(stream, board, options);
  if (options.dryRun) return { ...checked, resumedFrom: 0, imported: undefined, season: undefined };

  const asked = { leaderboard: first ?? leaderboard, season: options.season, span: options.span };
  const { key, season } = await requestedOpenBoard(services, asked);
  if (!isTaking(season, services.now()))
    throw new CliError(`The season "${key.season}" takes no scores now; an import needs an open season.`);
  stream.write(`${seasonsFilled(key.season, board.definition.spans)}\n`);
  const checkpoints = checkpointOf(file);
  if (options.restart) checkpoints.remove();
  const openedAt = isoTime(season.opens_at);
  const { sha256 } = checked;
  const identity = { project, database, leaderboard, season: key.season, season_opened_at: openedAt, sha256 };
  let checkpoint = checkpoints.read(identity);
  if (checkpoint === undefined) {
    // Written before the first player: scores get its start as their time.
    checkpoint = { ...identity, started_at: new Date(services.now()).toISOString(), records: 0 };
    checkpoints.write(checkpoint);
  }
  const { records: from, started_at: startedAt } = checkpoint;
  if (from > 0)
    stream.write(`Continuing after ${from.toLocaleString("en")} records (${checkpoints.path}).\n`);
  const progress = createProgress(stream, "importing", checked.good, "records");
  try {
    const imported = await importPlayers(services, {
      season: key.season,
      records: goodRecords(file, board, leaderboard, from),
      startedMs: Date.parse(startedAt),
      ramp,
      onProgress: ({ index, good }) => {
        checkpoints.write({ ...identity, started_at: startedAt, records: index + 1 });
        progress.update(good);
      },
    });
    checkpoints.remove();
    return { ...checked, resumedFrom: from, imported, season: key.season };
  } catch (error) {
    if (!(error instanceof SeasonEnded)) progress.log("The import stopped. The same command continues it.");
    throw error;
  } finally {
    progress.stop();
  }
}

/** An import fills one season: a file has no times of scores, which would say what counts where else. */
function seasonsFilled(season: string, spans: readonly string[]): string {
  const others =
    spans.length < 2 ? "" : " Those of other spans stay as they are; --span or --season names another.";
  return `Filling the season "${season}".${others}`;
}

/** What a file is imported into: a board, or the boards of a template. */
interface DefinedBoard {
  definition: Definition;
  template: string | undefined;
}

/** Cost: for a template 1 read, and as {@link requestedBoard}. @throws `leaderboard_not_found`, `season_not_found` */
async function definedBoard(services: Services, options: ImportOptions): Promise<DefinedBoard> {
  const { leaderboard } = options;
  try {
    const { definition } = await requestedBoard(services, options);
    return { definition, template: undefined };
  } catch (error) {
    const document = await services.db.doc(definitionPath(leaderboard)).get();
    const definition = document.exists ? readDefinition(document.data()) : undefined;
    if (isOfTemplate(leaderboard) || definition?.template === undefined) throw error;
    return { definition, template: leaderboard };
  }
}

/**
 * Reads a whole file, with memory for one record, and some 40 bytes for each player and each board.
 * @returns the numbers of records with a value, valid or not; of valid ones; as `bad` of invalid ones and of lines that
 *   are not records; as `replaced` of valid ones with a later one of the same player; its oddities; and of a template's
 *   file its boards, and the first of them
 * @throws CliError if it is not to be imported
 */
async function check(
  stream: ProgressStream,
  { definition, template }: DefinedBoard,
  { file, skipBad, dryRun }: ImportOptions,
) {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) throw new CliError(`There is no file "${file}".`);
  const progress = createProgress(stream, "checking", bytes, "bytes");
  const hash = createHash("sha256");
  const checked = { records: 0, good: 0, bad: 0, replaced: 0 };
  const oddities = createOddities(definition);
  const players = new Set<number>();
  const boards = new Set<number>();
  let first: string | undefined;
  try {
    let read = 0;
    const found = readRecords(file, definition, template, (some) => {
      hash.update(some);
      progress.update((read += some.length));
    });
    for await (const one of found) {
      if ("value" in one) {
        checked.records += 1;
        oddities.seeValue(one.value);
      }
      const record = "problem" in one ? one : readRecord(definition, one.value, template);
      if (!("problem" in record)) {
        checked.good += 1;
        // 48 bits of a hash, as ids would take several times the memory.
        const shortHash = (text: string) => hashOf(text).readUIntBE(0, 6);
        const { leaderboard } = record;
        if (leaderboard !== undefined) boards.add(shortHash(leaderboard));
        first ??= leaderboard;
        const player = shortHash(
          leaderboard === undefined ? record.player : `${leaderboard} ${record.player}`,
        );
        if (players.has(player)) checked.replaced += 1;
        players.add(player);
        const value = "value" in one ? one.value : undefined;
        for (const line of oddities.see(one.place, value, record)) progress.log(line);
        continue;
      }
      checked.bad += 1;
      progress.log(`${one.place}: ${record.problem}`);
      if (checked.bad >= badLinesMax && !skipBad) break;
    }
  } finally {
    progress.stop();
  }
  const { records, good, bad } = checked;
  if (records + bad === 0) {
    const after = file.toLowerCase().endsWith(".csv") ? " after its header line" : "";
    throw new CliError(`"${file}" has no players${after}; nothing was imported.`);
  }
  if (!dryRun && skipBad && good === 0)
    throw new CliError(`"${file}" has no line that can be imported; the problem of each line is above.`);
  if (!dryRun && bad > 0 && !skipBad) {
    const least = bad === badLinesMax ? "at least " : "";
    throw new CliError(
      `"${file}" has ${least}${count(bad, "bad line")}; nothing was imported. ` +
        "Correct them, or skip them with --skip-bad.",
    );
  }
  return { ...checked, ...oddities.found(), boards: boards.size, first, sha256: hash.digest("hex") };
}

/** The records from a number on, without the invalid ones, which the check has reported. */
async function* goodRecords(
  file: string,
  { definition, template }: DefinedBoard,
  leaderboard: string,
  from: number,
): AsyncGenerator<NumberedRecord> {
  let index = -1;
  let good = 0;
  for await (const found of readRecords(file, definition, template)) {
    if (!("value" in found)) continue;
    index += 1;
    const read = readRecord(definition, found.value, template);
    if ("problem" in read) continue;
    good += 1;
    const { leaderboard: named = leaderboard, ...record } = read;
    if (index >= from) yield { index, good, leaderboard: named, record };
  }
}
