/**
 * The rebuild: it makes a new generation from the marks alone, whatever state the pages and shards are in.
 *
 * At one read time T, rows = histogram of the marks − the sum of all shards pending at T (conservation). A score that
 * is counted after T is in a shard that the rows do not include. So submissions and events go on, and nothing is
 * locked.
 *
 * Three things could still make the new rows wrong:
 *
 * - **Runs** between T and the commit would move changes from shards into rows that the rebuild replaces. The rebuild
 *   holds off the schedule (`next_run_at`, extended while it makes progress: a rebuild that dies delays the next run by
 *   minutes), watches page 0, and starts over if another run published anyway. Safety depends only on the commit's
 *   guard: page 0 is unchanged, or still missing.
 * - **Corrections** of direct writes whose events are on their way. The histogram already has what these writes did to
 *   marks up to T. So the rebuild writes a note before it chooses T. While the note stands, corrections wait. The
 *   commit requires the note, and writes T into it (documents/repair-record.ts).
 * - **A damaged shard** (an increment that was applied twice) makes wrong rows until the shard is folded, when both
 *   errors cancel. So the rebuild is only done when all shards of T are folded.
 */
import { type DocumentSnapshot, Timestamp, type Transaction } from "../../documents/firestore.ts";
import { countedIn } from "../../documents/mark.ts";
import { pagePath, playersPath, repairNotePath, type SeasonKey, seasonPath } from "../../documents/paths.ts";
import { documentsAt } from "../../documents/reads.ts";
import { type Rebuilt, readRepairNote } from "../../documents/repair-record.ts";
import { readSeason } from "../../documents/season.ts";
import { valuesIn } from "../../documents/segment-page.ts";
import type { FoundDocument } from "../../documents/top.ts";
import { segmentNames } from "../../model/definition.ts";
import { FirerankError } from "../../model/errors.ts";
import { slotGraceSeconds } from "../../model/limits.ts";
import { fieldToMark } from "../../model/segments.ts";
import { planReplacement, type Replacement } from "../../ranking/publication.ts";
import { writeReplacement } from "../../ranking/publish.ts";
import { createMarkFold } from "../../ranking/ranked.ts";
import { publishRanking } from "../../ranking/run.ts";
import { teamSegments } from "../../ranking/totals.ts";
import { type Board, withSeason } from "../../seasons/read-board.ts";
import { keepInterval } from "../../seasons/dormancy.ts";
import { countsNoMore } from "../../seasons/open-now.ts";
import { followGate } from "../../top/keep-live.ts";
import { readTopPlayers } from "../../top/document.ts";
import { tryAgain } from "../../world/try-again.ts";
import type { StepOptions } from "../progress.ts";
import { readAll, readSeasonState, type SeasonState } from "./season-state.ts";
import type { Services } from "../../world/services.ts";

interface RebuildOptions extends Pick<StepOptions, "documentsPerRead"> {
  onProgress?: (done: number) => Promise<void>;
  /** Called before the rebuild reads everything again. */
  onRestart?: (attempts: number) => Promise<void>;
}

/**
 * Another run published, or the note belongs to another attempt now. Two tasks of one step may each take the note from
 * the other; the repair's record decides which of the two goes on.
 */
class MustStartOver extends Error {}

/** How often all marks are read before the repair gives up; it starts over when a run has published meanwhile. */
const rebuildAttemptsMax = 5;

/**
 * Reads everything and publishes a new generation. Call {@link settle} afterwards.
 *
 * Cost: 4 reads and 2 writes for the season and the note; 1 read for each page, page of segments, shard and player; the
 * top players, and 1 read for each 1,000 of them; writes of the pages, the top, the season and the note; 1 delete for
 * each document that is no page of the new generation. All this again each time that a run published meanwhile. If the
 * interval is longer than ten minutes, 1 more read. Memory: as the fold's, for as many different scores.
 * @param run the repair's id, with which the note's holder begins.
 * @throws `season_not_found`; `season_closed` if the season has ended meanwhile; `contention` if another repair has
 * begun; what `onRestart` throws; an error if runs published during each attempt; Firestore's error if the rebuild
 * takes longer than the hour that Firestore keeps.
 */
export async function rebuild(
  services: Services,
  board: Board,
  run: string,
  before: Rebuilt,
  options: RebuildOptions = {},
) {
  const { log } = services;
  for (let attempts = before.attempts + 1; ; attempts++) {
    try {
      const result = await tryToRebuild(services, board, run, options);
      await keepInterval(services, board);
      return { ...result, rebuilt: { ...result.rebuilt, attempts } };
    } catch (error) {
      if (!(error instanceof MustStartOver) || attempts >= rebuildAttemptsMax) throw error;
      log.info("a run published during a rebuild, so the rebuild starts again", { ...board.key, attempts });
      await options.onRestart?.(attempts);
    }
  }
}

/**
 * Folds the shards that the rebuild subtracted. The run looks for shards from the earliest slot on. Cost: as a ranking
 * run's.
 * @returns the last published generation, and its players and rows, if all these shards are folded; undefined if other
 * runs were first each time: then call this again after `settles_at`.
 */
export async function settle(
  services: Services,
  key: SeasonKey,
  { settles_at: settlesAt }: Rebuilt,
): Promise<({ generation: number | null } & Partial<Pick<Rebuilt, "players" | "rows">>) | undefined> {
  if (settlesAt === null) return { generation: null };
  const includeOpenSlot = services.now() < settlesAt.toMillis();
  try {
    const run = await publishRanking(services, key, { includeOpenSlot, fromStart: true });
    const { outcome, generation, players, rows } = run;
    return outcome === "published" ? { generation, players, rows } : { generation };
  } catch (error) {
    if (includeOpenSlot && error instanceof FirerankError && error.code === "contention") return undefined;
    throw error;
  }
}

/** How long runs of the schedule, and corrections, wait for a repair that shows no progress. */
const rebuildPauseMs = 5 * 60_000;

/** One attempt to rebuild. */
// eslint-disable-next-line max-lines-per-function -- from that read to the commit
async function tryToRebuild(
  services: Services,
  board: Board,
  run: string,
  { documentsPerRead, onProgress }: RebuildOptions,
) {
  const { db, now, slotMs } = services;
  const { key, definition } = board;
  const holder = `${run}/${services.newId()}`;
  await hold(services, key, holder, false);
  const state = await readSeasonState(services, key, definition.order);
  // The board may be in memory from before the season closed. Then its shards are being deleted, and shards that are
  // left make no ranking.
  if (countsNoMore(state.season))
    throw new FirerankError("season_closed", `${seasonPath(key)} has closed, and its index is gone.`);
  const guard = guardOf(state.pages.find(({ id }) => id === "0"));
  let heldMs = now();
  const fold = createMarkFold(definition.order);
  let [marks, unusable, done] = [0, -state.sums.unusable, 0];
  await readAll(db, {
    at: state.at,
    path: playersPath(key),
    documentsPerRead,
    async use(part) {
      for (const player of part) {
        const counted = countedIn(player.data());
        if (counted === "unusable") unusable += 1;
        const mark = fieldToMark(counted ?? "");
        if (mark === undefined) continue;
        marks += 1;
        fold.add(mark, 1);
      }
      done += part.length;
      await onProgress?.(done);
      if (now() - heldMs < rebuildPauseMs / 3) return;
      heldMs = now();
      await hold(services, key, holder, true);
      const first = await db.doc(pagePath(key, 0)).get();
      if (guardOf(first) !== guard) throw new MustStartOver("another run has published");
    },
  });
  fold.addChanges(state.pending, -1);
  const asOf = Timestamp.fromMillis(Math.min(state.at.toMillis(), state.sums.oldestSlotEndMs - slotMs));
  const choice = {
    names: segmentNames(definition),
    kept: valuesIn(state.segmentPages),
    teams: teamSegments(definition),
  };
  const remade = {
    ranked: fold.finish(choice),
    readAt: state.at,
    pending: state.pending,
    asOf,
    unusable,
  };
  const check = (first: DocumentSnapshot, note: DocumentSnapshot) => {
    requireOwn(note, holder);
    if (guardOf(first) !== guard) throw new MustStartOver("another run has published");
  };
  const { generation, players, rows, pages } = await publish(services, board, state, remade, check);
  const facts = { attempts: 0, marks, pending_shards: state.shards, players, rows, pages };
  return { readAt: state.at, generation, rebuilt: { ...facts, settles_at: settlesAtOf(state) } };
}

/** When the slots of all pending shards will certainly have ended; null if no shard is pending. */
function settlesAtOf({ shards, sums }: SeasonState): Timestamp | null {
  return shards === 0 ? null : Timestamp.fromMillis(sums.newestSlotEndMs + slotGraceSeconds * 1_000);
}

/** Publishes the new ranking, with the top as of now. @param check throws unless page 0 and the note are unchanged. */
async function publish(
  services: Services,
  board: Board,
  { season, pages, segmentPages }: SeasonState,
  remade: Parameters<typeof planReplacement>[1],
  check: (first: DocumentSnapshot, note: DocumentSnapshot) => void,
) {
  const { db, now, databaseMs } = services;
  const opened = withSeason(board, season);
  const remadeAt = Timestamp.fromMillis(databaseMs(remade.readAt));
  const paths = [pagePath(board.key, 0), repairNotePath(board.key)] as const;
  return tryAgain(services, async () => {
    let planned: { replaced: FoundDocument; next: Replacement } | undefined;
    const commit = async (transaction: Transaction): Promise<void> => {
      const [first, note] = await documentsAt(db, paths, transaction);
      check(first, note);
      const top = await readTopPlayers(db, transaction, opened);
      const found = { pages: [...pages, ...segmentPages], first, top };
      const next = planReplacement(opened, { ...remade, remadeAt }, found, now());
      writeReplacement(db, transaction, next, found);
      transaction.update(note.ref, { holder: null, stands_until: null, repaired_at: remade.readAt });
      planned = { replaced: top.document, next };
    };
    const [committed] = await Promise.allSettled([db.runTransaction(commit, { maxAttempts: 1 })]);
    if (planned !== undefined)
      await followGate(services, board, planned.replaced, planned.next.top, committed);
    if (committed.status === "rejected") throw committed.reason;
    if (planned === undefined) throw new Error("a transaction ended without a publication");
    return planned.next.season.ranking;
  });
}

/** A text that changes whenever page 0 is published, and when it is deleted. */
function guardOf(page: DocumentSnapshot | undefined): string {
  return page?.updateTime?.valueOf() ?? "missing";
}

/**
 * Keeps the schedule from starting runs, and lets corrections wait, for {@link rebuildPauseMs}.
 * @param isBegun whether the note must belong to this attempt already; the first call replaces any other attempt's
 * note.
 */
async function hold({ db, now }: Services, key: SeasonKey, holder: string, isBegun: boolean): Promise<void> {
  const paths = [repairNotePath(key), seasonPath(key)] as const;
  await db.runTransaction(async (transaction) => {
    const [note, season] = await documentsAt(db, paths, transaction);
    if (isBegun) requireOwn(note, holder);
    if (!season.exists || countsNoMore(readSeason(season.data()))) return;
    const until = Timestamp.fromMillis(now() + rebuildPauseMs);
    transaction.update(season.ref, { next_run_at: until });
    transaction.set(note.ref, { holder, stands_until: until }, { merge: true });
  });
}

/**
 * Requires that the note belongs to an attempt.
 * @throws `contention` if another repair has begun since, to which this repair leaves the work; MustStartOver if
 * the note has no holder any more, or belongs to another task of the same repair
 */
function requireOwn(note: DocumentSnapshot, own: string): void {
  const { holder } = readRepairNote(note.data());
  if (holder === own) return;
  if (holder === null) throw new MustStartOver("another repair has published");
  const [run = "", ownRun] = [holder, own].map((name) => name.split("/")[0]);
  if (run === ownRun) throw new MustStartOver(`another task of the repair ${run} has begun to read`);
  throw new FirerankError("contention", `Another repair has begun, and goes on: the run ${run}.`);
}
