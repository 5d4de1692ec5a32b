/**
 * The rebuild: a new generation from the index entries alone, whatever state the pages and shards are in.
 *
 * At one read time T, rows = histogram of the index entries − the sum of all shards pending then. This follows from
 * rows + shards = entries (conservation). Triggers change both sides alike, so a change indexed meanwhile is neither
 * lost nor counted twice: it is in a shard that the rows do not include. So triggers continue, and nothing is locked.
 *
 * Other runs must not publish between T and the commit, as they would move changes from shards into rows that the
 * rebuild replaces. The rebuild holds off the schedule (`next_run_at`, extended while it makes progress: a rebuild that
 * dies delays the next run by minutes), watches page 0, and starts over if another run published anyway. Safety depends
 * only on the commit's guard: page 0 is unchanged, or still missing.
 *
 * A board of the source `count` has neither entries nor shards: its rows are the histogram of the players, exact
 * until the next run counts again.
 *
 * A shard that is itself damaged (an increment applied twice) makes rows that are wrong until that shard is folded:
 * both errors then cancel. That is why the rebuild is done only when all shards of T are folded.
 *
 * An index that was left to counts lacks changes. So a rebuild of it needs a sweep before (ranking/left-to-counts.ts).
 */
import { Timestamp } from "../documents/firestore.ts";
import { indexEntriesPath, pagePath, playersPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { byId } from "../documents/queries.ts";
import type { RebuildRecord } from "../documents/repair-record.ts";
import { rankedScoreOf } from "../documents/ranked-score.ts";
import type { Definition } from "../model/definition.ts";
import { FirerankError } from "../model/errors.ts";
import { rebuildAttemptsMax, rebuildPauseMs, slotGraceSeconds } from "../model/limits.ts";
import { isScore } from "../model/score.ts";
import { createFold } from "../ranking/fold.ts";
import { isWholeAgain, leftToCounts } from "../ranking/left-to-counts.ts";
import { noRows } from "../ranking/rows.ts";
import { publishRanking } from "../ranking/run.ts";
import { noSums } from "../ranking/shard-sums.ts";
import type { Board } from "../seasons/board.ts";
import { keepInterval } from "../seasons/dormancy.ts";
import { isEnded } from "../seasons/open-now.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { guardOf, publishRebuild, PublishedMeanwhile } from "./publish-rebuild.ts";
import { readAll } from "./read-all.ts";
import { isLeft, readSeasonState, type SeasonState } from "./season-state.ts";

type Rebuilt = RebuildRecord["rebuilt"];

export interface RebuildOptions {
  documentsPerRead?: number;
  /** When a sweep of all players began, by the database's clock; undefined without one. */
  sweptFrom?: Timestamp | undefined;
  /** Called with the number of index entries read so far. */
  onProgress?: (done: number) => Promise<void>;
}

/** What a rebuild published. */
export interface RebuiltSeason {
  rebuilt: Rebuilt;
  readAt: Timestamp;
  generation: number;
}

/**
 * Reads everything and publishes a new generation; {@link settle} has to follow.
 *
 * Cost: 2 reads and 1 write for the season, 1 read a page, a shard and an index entry, the top players (and 1 for each
 * 1,000); writes the pages, the top and the season; deletes every document that is not a page of the new generation.
 * All this again each time that a run published meanwhile. Where the interval is longer than ten minutes, 1 more read.
 * Memory: as the fold's, for as many different scores as there are.
 * @throws `season_not_found`; `season_closed` if it has ended meanwhile; `invalid_request` if the index was left to counts
 * and not swept since; an error if runs published during each
 * attempt; Firestore's error if it takes longer than the hour that Firestore keeps.
 */
export async function rebuild(
  services: TopServices,
  board: Board,
  before: Rebuilt,
  options: RebuildOptions = {},
): Promise<RebuiltSeason> {
  const { log } = services;
  for (let attempts = before.attempts + 1; ; attempts++) {
    try {
      const result = await tryToRebuild(services, board, options);
      await keepInterval(services, board);
      return { ...result, rebuilt: { ...result.rebuilt, attempts } };
    } catch (error) {
      if (!(error instanceof PublishedMeanwhile) || attempts >= rebuildAttemptsMax) throw error;
      log.info("a run published during a rebuild, so the rebuild starts again", { ...board.key, attempts });
    }
  }
}

/**
 * Folds the shards that were pending when the rebuild read. The rebuild subtracted all of them, so they are looked for
 * from the very beginning, whatever the instance remembers.
 *
 * Cost: as a ranking run's.
 * @returns the last published generation if all are folded; undefined if other runs were first each time: then it must
 * be called again after `settles_at`.
 */
export async function settle(
  services: TopServices,
  key: SeasonKey,
  { settles_at: settlesAt }: Rebuilt,
): Promise<{ generation: number | null } | undefined> {
  if (settlesAt === null) return { generation: null };
  const includeOpenSlot = services.now() < settlesAt.toMillis();
  try {
    const { generation } = await publishRanking(services, key, { includeOpenSlot, fromStart: true });
    return { generation };
  } catch (error) {
    if (includeOpenSlot && error instanceof FirerankError && error.code === "contention") return undefined;
    throw error;
  }
}

/** One attempt. It is one function, as all that follows its first read depends on that state and its guard. */
async function tryToRebuild(
  services: TopServices,
  board: Board,
  { documentsPerRead, sweptFrom, onProgress }: RebuildOptions,
): Promise<RebuiltSeason> {
  const { db } = services;
  const { key, definition } = board;
  await holdSchedule(services, key);
  const state = await readSeasonState(services, key, definition.order);
  // The board may be in memory from before the season closed. Its index is being deleted by now, and the rest of it is
  // no ranking.
  if (isEnded(state.season))
    throw new FirerankError("season_closed", `${seasonPath(key)} has closed, and its index is gone.`);
  const isCounted = definition.source === "count";
  const isWhole = !isCounted && isWholeOrRefused(key, state, sweptFrom);
  const guard = guardOf(state.pages.find(({ id }) => id === "0"));
  let heldMs = services.now();
  const pending = isCounted ? { ...state, pending: noRows, sums: noSums(), shards: 0 } : state;
  const histogram = createHistogram(definition, pending);
  await readAll(db, {
    at: state.at,
    queries: [(limit, range) => byId(db, isCounted ? playersPath(key) : indexEntriesPath(key), limit, range)],
    ...(documentsPerRead === undefined ? {} : { documentsPerRead }),
    async use(part) {
      for (const { documents } of part) histogram.add(documents[0]?.data());
      await onProgress?.(histogram.entries());
      if (services.now() - heldMs < rebuildPauseMs / 3) return;
      heldMs = services.now();
      await holdSchedule(services, key);
      const now = await db.doc(pagePath(key, 0)).get();
      if (guardOf(now) !== guard) throw new PublishedMeanwhile("another run has published");
    },
  });
  const result = { rows: histogram.finish(), guard, unusable: histogram.unusable(), isWhole };
  const publication = await publishRebuild(services, board, pending, result);
  const { generation, players, rows: rowCount } = publication.season.ranking;
  return {
    readAt: state.at,
    generation,
    rebuilt: {
      phase: "settling",
      attempts: 0,
      index_entries: histogram.entries(),
      unreadable: histogram.unreadable(),
      pending_shards: pending.shards,
      players,
      rows: rowCount,
      pages: publication.pages.length,
      settles_at: settlesAt(pending),
    },
  };
}

/**
 * Whether the sweep before has made an index whole that may have been left to counts.
 * @throws `invalid_request` if it was left and not swept since.
 */
function isWholeOrRefused(key: SeasonKey, state: SeasonState, sweptFrom: Timestamp | undefined): boolean {
  const isWhole = isWholeAgain(state.season.left_to_counts_at, sweptFrom);
  if (!isWhole && isLeft(state)) throw leftToCounts(key);
  return isWhole;
}

/** When the slots of all pending shards have certainly ended. */
function settlesAt({ shards, sums }: SeasonState): Timestamp | null {
  if (shards === 0) return null;
  return Timestamp.fromMillis(sums.newestSlotEndMs + slotGraceSeconds * 1_000);
}

/** Keeps the schedule from starting runs for a while. */
async function holdSchedule({ db, now }: TopServices, key: SeasonKey): Promise<void> {
  await db.doc(seasonPath(key)).update({ next_run_at: Timestamp.fromMillis(now() + rebuildPauseMs) });
}

/** Counts index entries, or the players themselves on a board of the source `count`. */
function createHistogram({ order, source }: Definition, { pending, sums }: SeasonState) {
  const fold = createFold(order, noRows);
  pending.scores.forEach((score, i) => {
    fold.add(score, -(pending.players[i] ?? 0));
  });
  let entries = 0;
  let unusable = 0;
  let unreadable = 0;
  return {
    add(data: Record<string, unknown> | undefined) {
      entries += 1;
      const score = source === "count" ? scoreOf(data) : data?.["score"];
      if (score === undefined && source === "count") return; // hidden, or no score yet
      if (isScore(score)) fold.add(score, 1);
      else if (score === null) unusable += 1;
      else unreadable += 1;
    },
    entries: () => entries,
    unreadable: () => unreadable,
    unusable: () => unusable - sums.unusable,
    finish: () => fold.finish(),
  };
}

/** The score that a player's document should be counted with; null for an unusable one. */
function scoreOf(data: Record<string, unknown> | undefined): number | null | undefined {
  const ranked = rankedScoreOf(data);
  if (ranked === undefined) return undefined;
  return "score" in ranked ? ranked.score : null;
}
