/**
 * The ranking run: folds pending shards into the next generation and publishes it, in one guarded commit (publish.ts).
 * So runs may overlap, start twice, come late or die between any two steps. What a run knows is in state.ts.
 *
 * The schedule requests a run when the season's `next_run_at` has come, and another one 110 seconds later if the season is
 * still due, or ten minutes later once it is ten minutes overdue (jobs/schedule/schedule.ts); runs of small seasons share a
 * task. `runRanking`, the command line and a repair start runs themselves.
 */
import type { Timestamp } from "../documents/firestore.ts";
import type { SeasonKey } from "../documents/paths.ts";
import { type Bill, emptyRecord, finished, type RankingRecord } from "../documents/ranking-record.ts";
import { isBoardNotFound } from "../model/errors.ts";
import {
  shardBytesBesideSegmentsMax,
  shardBytesBesideTeamsMax,
  shardBytesPerPublicationMax,
  shardsPerPublicationMax,
  sharedShardBytesMax,
} from "../model/limits.ts";
import { boardCacheOf } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import { keepInterval, parkSeason, restSeason } from "../seasons/dormancy.ts";
import { countsNoMore } from "../seasons/open-now.ts";
import { readTopIfChanged } from "../top/document.ts";
import type { Services } from "../world/services.ts";
import { followGate } from "../top/keep-live.ts";
import { isBeaten } from "../world/retryable.ts";
import { beginAttempts, giveWay } from "./attempts.ts";
import { keepBaseline } from "./baselines.ts";
import { joinShards } from "./join-shards.ts";
import { planPublication } from "./publication.ts";
import { commit } from "./publish.ts";
import { readAndFold } from "./read.ts";
import { shardsFromOf } from "./shards.ts";
import type { Run, Snapshot, Taken } from "./state.ts";
import { teamSegments } from "./totals.ts";

interface RunOptions {
  /** Also folds shards whose slot has not ended. Writers may still use them: on a busy board such a run reads twice. */
  includeOpenSlot?: boolean;
  /** Also looks for shards in slots that ended long ago. */
  fromStart?: boolean;
  /** Whether the schedule has found the season due: then it may doze (seasons/dormancy.ts). */
  mayRest?: boolean;
}

/**
 * Runs until no shard is pending, in as many generations as the backlog needs.
 *
 * Cost of a generation: reads the published pages, the folded shards, the top, and where a change may show in it, its
 * players and 1 for each 1,000 of these; writes the pages, the top, the season and the run record; deletes the folded
 * shards. A generation takes at most 1,000 shard documents, or 4 MiB of them; a slot that alone has more is joined first
 * ({@link joinShards}). Where the ranking was repaired or restored less than a minute ago, up to 20 are read twice; where the
 * interval is longer than ten minutes, 1 read in the end that is not in the record. With nothing pending: 1 read, and
 * with `mayRest` what falling asleep costs (seasons/dormancy.ts). The board costs 2 reads a minute.
 * @returns the record of the last generation it published, or one that says there was nothing to do.
 * @throws `leaderboard_not_found`; `contention` when other writers were first at each attempt, or Firestore refused each
 * as too big; an error when the published ranking is damaged. A failed run leaves a record too.
 */
export async function publishRanking(
  services: Services,
  key: SeasonKey,
  options: RunOptions = {},
): Promise<RankingRecord> {
  const run = await beginRun(services, key, options);
  let last: RankingRecord | undefined;
  while (!isSeasonClosed(run)) {
    const { record, more } = await publishNext(run);
    if (record.outcome === "published") last = record;
    if (!more) {
      await endRun(run, last !== undefined);
      return last ?? record;
    }
    // A backlog may take longer than an instance may remember a board.
    run.board = await boardToRank(services, key);
  }
  return last ?? emptyRecord(key, services.now());
}

/**
 * Publishes one generation at most, as the schedule's run of a season that shares its task (jobs/schedule/step.ts). It
 * folds at most 512 KiB of shard documents. Cost: as above.
 * @returns whether nothing is left. Otherwise {@link publishRanking} goes on.
 * @throws as above
 */
export async function publishPart(services: Services, key: SeasonKey): Promise<boolean> {
  const run = await beginRun(services, key, { mayRest: true });
  if (isSeasonClosed(run)) return true;
  run.isPart = true;
  run.deletedBytesMax = sharedShardBytesMax;
  const { record, more } = await publishNext(run);
  if (!more) await endRun(run, record.outcome === "published");
  return !more;
}

async function beginRun(
  services: Services,
  key: SeasonKey,
  { includeOpenSlot = false, fromStart = false, mayRest = false }: RunOptions,
): Promise<Run> {
  const board = await boardToRank(services, key);
  return {
    services,
    board,
    includeOpenSlot,
    mayRest,
    isPart: false,
    shardsFrom: fromStart ? null : shardsFromIn(board),
    deletesMax: shardsPerPublicationMax,
    deletedBytesMax: deletedBytesMaxOf(board.definition),
    joinedMs: -Infinity,
    overfull: 0,
  };
}

/** How many bytes of shard documents a publication deletes: its commit has to hold what it writes, too. */
function deletedBytesMaxOf(definition: Board["definition"]): number {
  if (definition.segments === undefined) return shardBytesPerPublicationMax;
  return teamSegments(definition).size === 0 ? shardBytesBesideSegmentsMax : shardBytesBesideTeamsMax;
}

const isSeasonClosed = ({ board: { season } }: Run) => season !== undefined && countsNoMore(season);

/** What follows once nothing is left to publish. */
async function endRun({ services, board, mayRest, shardsFrom }: Run, hasPublished: boolean): Promise<void> {
  if (hasPublished) await keepInterval(services, board);
  else if (mayRest) await restSeason(services, board, shardsFrom);
}

async function boardToRank(services: Services, key: SeasonKey): Promise<Board> {
  try {
    return await boardCacheOf(services).load(key);
  } catch (error) {
    // Without a definition the schedule would request runs for ever.
    if (isBoardNotFound(error)) await parkSeason(services, key);
    throw error;
  }
}

/** Where a run looks whether there are shards, as the board in memory says. A season falls asleep only without any. */
function shardsFromIn({ season }: Board): Timestamp | null {
  if (season?.dormant_at !== null) return null;
  return shardsFromOf(season.ranking.generation, season.ranking.shards_from);
}

/** How often one attempt reads the top again because a refresh was first. Refreshes are a second apart or more. */
export const topOvertakenMax = 8;

/**
 * Publishes the next generation: reads and folds, plans, commits. Where another writer was first, the loop takes another
 * turn, which reads everything again; where only a refresh renewed the top meanwhile, the top alone. A slot of too many
 * documents is joined, and then read again; by a run that publishes a part, it is left.
 */
function publishNext(run: Run): Promise<Published> {
  return run.services.meter.measure((spent) => publishMeasured(run, spent));
}

interface Published {
  record: RankingRecord;
  /** Whether there is more to publish. */
  more: boolean;
}

async function publishMeasured(run: Run, spent: () => Bill): Promise<Published> {
  const { services, board } = run;
  const { db, now } = services;
  const attempts = beginAttempts(run, spent);
  const { record } = attempts;
  let snapshot: Snapshot | undefined;
  for (;;) {
    try {
      // Read and fold, unless only the top was overtaken.
      if (snapshot === undefined) {
        const found = await readAndFold(run, attempts);
        if (found === undefined || ("slotToJoin" in found && run.isPart)) {
          const nothing = finished({ ...record, billed: spent() }, now());
          return { record: nothing, more: found !== undefined };
        }
        if ("slotToJoin" in found) {
          record.shards_joined += await joinShards(services, board.key, found.slotToJoin);
          run.joinedMs = found.slotToJoin;
          continue;
        }
        snapshot = found;
        record.top_overtaken = 0;
        reportUnreadable(run, snapshot.taken);
        await keepBaseline(services, board.key, snapshot.midnights);
      }

      // Plan and commit. The gate follows, whether the commit has arrived or not.
      const publication = planPublication(board, snapshot, { ...record, billed: spent() }, now());
      const [committed] = await Promise.allSettled([commit(services, snapshot, publication)]);
      await followGate(services, board, snapshot.top.document, publication.top, committed);
      if (committed.status === "fulfilled") {
        services.log.info("published a ranking", { ...publication.record });
        // This instance must not remember as awake a season that dozes now.
        if (snapshot.mayDoze) boardCacheOf(services).forgetSeason(board.key);
        return { record: publication.record, more: goesOn(run, snapshot.taken) };
      }

      // Beaten: if it was by a refresh of the top, the next turn publishes the same ranking with the new top.
      const mayBeTop = isBeaten(committed.reason) && record.top_overtaken < topOvertakenMax;
      const { changed } = snapshot.taken;
      const top = mayBeTop ? await readTopIfChanged(db, board, snapshot.top, changed) : undefined;
      if (top === undefined) throw committed.reason;
      snapshot = { ...snapshot, top };
      record.top_overtaken += 1;
    } catch (error) {
      // Otherwise the next turn reads everything anew, or the generation is given up.
      await giveWay(run, attempts, error);
      snapshot = undefined;
    }
  }
}

function reportUnreadable({ services, board }: Run, { sums: { unreadable: count } }: Taken): void {
  const message = "shard documents hold keys that are not scores; they were skipped";
  if (count > 0) services.log.error(message, { ...board.key, count });
}

/** Overfull generations of one run. The next run goes on. */
const overfullMax = 3;

/** Whether the run goes on after a publication. */
function goesOn(run: Run, { more, isOverfull }: Taken): boolean {
  if (!isOverfull) return more;
  // Documents of its slot are left, and their opposites. They are joined, so that none is left.
  run.overfull += 1;
  run.joinedMs = -Infinity;
  return run.overfull < overfullMax;
}
