/**
 * `firerank upgrade`: converts boards and seasons to the form that this release writes.
 *
 * A document says by itself which form it is in, so no other progress has to be kept: each board and each season is
 * converted in one transaction, one that is converted already is left alone, and the same command goes on after a crash at
 * any point. Functions may run meanwhile, as they read both forms.
 */
import { ZodError } from "zod";
import type { DocumentReference, DocumentSnapshot } from "../functions/src/documents/firestore.ts";
import {
  leaderboardPath,
  leaderboardsPath,
  runPath,
  type SeasonKey,
  seasonPath,
  seasonsPath,
  standingsSummaryPath,
} from "../functions/src/documents/paths.ts";
import { byId } from "../functions/src/documents/queries.ts";
import { requireKnownSchema, schemaVersion, schemaVersionOf } from "../functions/src/model/schema-version.ts";
import type { World } from "../functions/src/world/world.ts";
import { convertDefinition, convertSeason, type Fields, isForeign } from "./conversion.ts";
import { count } from "./progress.ts";

/** What an upgrade has done so far; a dry run, what it would have done. */
export interface Upgraded {
  boards: Tally;
  seasons: Tally;
  /** What it is billed for, apart from looking for what there is to do. */
  reads: number;
  writes: number;
}

interface Tally {
  converted: number;
  /** In the present form already. */
  left: number;
  /** Paths of documents that are not a board or a season in any form. They stay as they are. */
  damaged: string[];
}

export interface UpgradeOptions {
  /** Changes nothing. */
  dryRun?: boolean;
  /** Seasons that are converted at the same time. */
  parallel?: number;
}

/** Reads documents: in a transaction, or outside one. */
type GetAll = (...refs: DocumentReference[]) => Promise<DocumentSnapshot[]>;

/** The writes that convert a board or a season. */
type Plan = { ref: DocumentReference; change: Fields }[];

/**
 * Converts everything that is not in the present form. Yields what was done so far and where, after each board's definition
 * and each group of its seasons; stopping there loses nothing.
 *
 * Cost: 2 reads for each board (in the list, and by itself) and 1 for each season. Converted, a board costs 1 read and 1
 * write more, and a season 2 reads and 1 write, or if it is closing or closed up to 4 reads and 3 writes. A dry run costs
 * the reads.
 * @throws FirerankError `unknown_schema_version` where a newer release has been at work, even meanwhile
 */
export async function* upgrade(
  { db }: Pick<World, "db">,
  { dryRun = false, parallel = 10 }: UpgradeOptions = {},
): AsyncGenerator<{ at: string; soFar: Upgraded }, Upgraded> {
  const soFar: Upgraded = { boards: newTally(), seasons: newTally(), reads: 0, writes: 0 };
  const work = { db, dryRun, soFar };

  // Among them those whose definition was deleted: their seasons come back with it.
  for (const board of await db.collection(leaderboardsPath).listDocuments()) {
    const definition = await board.get();
    const stored = definition.data();
    if (stored !== undefined) {
      if (isForeign(stored)) soFar.boards.damaged.push(board.path);
      else await convert(work, definition, soFar.boards, (getAll) => planBoard(getAll, board));
      yield { at: board.id, soFar };
    }
    let after: string | undefined;
    do {
      const { docs } = await byId(db, seasonsPath(board.id), parallel, { after }).get();
      await Promise.all(
        docs.map((season) => {
          const key = { leaderboard: board.id, season: season.id };
          return convert(work, season, soFar.seasons, (getAll) => planSeason(db, getAll, key));
        }),
      );
      const last = docs.at(-1)?.id;
      if (last !== undefined) yield { at: `${board.id}, season ${last}`, soFar };
      after = docs.length < parallel ? undefined : last;
    } while (after !== undefined);
  }
  return soFar;
}

/** Converts one document, unless it is converted already, and counts it. */
async function convert(
  { db, dryRun, soFar }: { db: World["db"]; dryRun: boolean; soFar: Upgraded },
  found: DocumentSnapshot,
  tally: Tally,
  planFor: (getAll: GetAll) => Promise<Plan>,
): Promise<void> {
  requireKnown(found.ref, found.data());
  if (isConverted(found.data())) {
    tally.left += 1;
    return;
  }
  let reads = 0;
  const counted = (getAll: GetAll): GetAll => {
    reads = 0;
    return (...refs) => {
      reads += refs.length;
      return getAll(...refs);
    };
  };
  try {
    const plan = dryRun
      ? await planFor(counted((...refs) => db.getAll(...refs)))
      : await db.runTransaction(async (transaction) => {
          const planned = await planFor(counted((...refs) => transaction.getAll(...refs)));
          for (const { ref, change } of planned) transaction.update(ref, change);
          return planned;
        });
    tally[plan.length === 0 ? "left" : "converted"] += 1;
    soFar.reads += reads;
    soFar.writes += plan.length;
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    tally.damaged.push(found.ref.path);
  }
}

/** What an upgrade has done, in words. Pure. */
export function upgradeSummary({ boards, seasons, reads, writes }: Upgraded, dryRun: boolean): string {
  const converted = `${count(boards.converted, "board")} and ${count(seasons.converted, "season")}`;
  const left = boards.left + seasons.left;
  const looked = left + boards.converted + seasons.converted;
  const damaged = boards.damaged.length + seasons.damaged.length;
  if (looked === 0) return damaged > 0 ? "Nothing was converted." : "Nothing to do: there are no boards.";
  const before = `${count(left, "document")} ${left === 1 ? "was" : "were"} in form ${schemaVersion} before.`;
  if (looked === left) return `Nothing to do: ${before}`;
  const cost = `${count(reads, "read")} and ${count(writes, "write")}, besides 2 reads for each board and 1 for each season`;
  return dryRun
    ? `Would convert ${converted} to form ${schemaVersion}, for ${cost}. ${before} Nothing was changed.`
    : `Converted ${converted} to form ${schemaVersion}, for ${cost}. ${before}`;
}

const newTally = (): Tally => ({ converted: 0, left: 0, damaged: [] });

/** In a transaction again: a newer release may have converted it since it was found. */
const requireKnown = ({ path }: DocumentReference, data: Fields | undefined) => {
  requireKnownSchema(`document ${path}`, data);
};

const isConverted = (data: Fields | undefined) => schemaVersionOf(data) === schemaVersion;

/** Nothing where another upgrade was faster, or where the board was deleted meanwhile. @throws as {@link upgrade} */
async function planBoard(getAll: GetAll, ref: DocumentReference): Promise<Plan> {
  const stored = (await getAll(ref))[0]?.data();
  requireKnown(ref, stored);
  return stored === undefined || isConverted(stored) ? [] : [{ ref, change: convertDefinition(stored) }];
}

/** Likewise. Reads the season and the definition, then what the season names. */
async function planSeason(db: World["db"], getAll: GetAll, key: SeasonKey): Promise<Plan> {
  const ref = db.doc(seasonPath(key));
  const [found, board] = await getAll(ref, db.doc(leaderboardPath(key.leaderboard)));
  const season = found?.data();
  requireKnown(ref, season);
  if (season === undefined || isConverted(season)) return [];
  const { closing_run: run, status } = season;
  const refs = {
    season: ref,
    closing: typeof run === "string" ? db.doc(runPath(key, run)) : undefined,
    summary: status === "closed" ? db.doc(standingsSummaryPath(key)) : undefined,
  };
  const named = [refs.closing, refs.summary].filter((one) => one !== undefined);
  const below = new Map<string, Fields | undefined>();
  for (const one of named.length === 0 ? [] : await getAll(...named)) below.set(one.ref.path, one.data());
  const dataOf = (one: DocumentReference | undefined) => one && below.get(one.path);
  const change = convertSeason({
    definition: board?.data(),
    season,
    closing: dataOf(refs.closing),
    summary: dataOf(refs.summary),
  });
  return (["season", "closing", "summary"] as const).flatMap((name) => {
    const one = refs[name];
    return one === undefined || Object.keys(change[name]).length === 0
      ? []
      : [{ ref: one, change: change[name] }];
  });
}
