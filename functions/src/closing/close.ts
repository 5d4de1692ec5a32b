/**
 * Closing a season: from its last submission to final standings, in phases that its record names
 * (documents/closing-record.ts).
 *
 * Nothing is locked. Submissions have ended, but an admin may hide a player, a trusted server may write, and
 * triggers come late. So the standings, which come from the players, are compared with the pages, which come from
 * the index. Where both agree, they are right, or wrong in the same way twice. One transaction then closes the
 * season, on the condition that no admin has changed a player since the last audit and no run has published since
 * the standings were checked.
 */
import { Timestamp } from "../documents/firestore.ts";
import type { ClosingRecord } from "../documents/closing-record.ts";
import { tell } from "../documents/event.ts";
import {
  pagePath,
  pagesPath,
  runPath,
  type SeasonKey,
  seasonPath,
  standingsSummaryPath,
} from "../documents/paths.ts";
import { byId } from "../documents/queries.ts";
import type { Bill } from "../documents/ranking-record.ts";
import { nothingRebuilt, nothingSwept } from "../documents/repair-record.ts";
import { type Season, readSeason } from "../documents/season.ts";
import { storedStandings } from "../documents/standings.ts";
import {
  closingRoundsMax,
  endRetryMs,
  endRetryMsMax,
  publishAttemptsMax,
  sourceKnownMs,
  standingsPerDocument,
  writesPerCommitMax,
} from "../model/limits.ts";
import { publishRanking } from "../ranking/run.ts";
import { findDrift } from "../repair/audit.ts";
import { checkPages } from "../repair/check-pages.ts";
import { createStandingsCheck } from "../repair/check-standings.ts";
import { rebuild, settle } from "../repair/rebuild.ts";
import { standingsInOrder } from "../repair/read-standings.ts";
import { areAllListed, sweepStep } from "../repair/sweep.ts";
import type { Board, OpenedBoard } from "../seasons/board.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { renewTop } from "../top/renew.ts";
import { grpc, grpcCode, isBeaten } from "../world/retryable.ts";
import { tryAgain } from "../world/try-again.ts";
import { createSums, type Sums } from "./pack-standings.ts";
import {
  type ClosingProgress,
  type EndOptions,
  fieldsOf,
  Overtaken,
  type StepOutcome,
  takeUp,
} from "./progress.ts";
import { writeStandings } from "./write-standings.ts";

interface Work {
  services: TopServices;
  board: OpenedBoard;
  progress: ClosingProgress;
  options: EndOptions;
}

/** The result of a phase: the next may begin, the time is over, or it has to wait until the season's `end_due_at`. */
type PhaseOutcome = "next" | "more" | "wait";

/**
 * Continues a closing for as long as a step may take.
 *
 * Cost of a closing: the sweep's 2 reads a player, the audit's and the check's 1 for each 250, a ranking run, 1 read a
 * player and 1 write for each 1,000 (2 where some have metadata) for the standings, and 2 writes in ten seconds for the
 * record. A season of the source `count` is not audited. It is swept, at 1 read a player, only where documents of
 * trusted servers are incomplete; finding that out costs 2 reads for each 1,000 players. Memory: two thousand players,
 * 20 documents of the standings, and what a ranking run needs.
 * @throws Overtaken where another step does the work.
 */
export async function continueClosing(
  services: TopServices,
  key: SeasonKey,
  season: Season,
  spent: () => Bill,
  options: EndOptions,
): Promise<StepOutcome> {
  const { now, log } = services;
  const startedMs = now();
  const progress = await takeUp(services, key, season, spent);
  const { phase: taken } = progress.record();
  // The step before has closed the season since its status was read: the standings are final, and may already be
  // revised.
  if (taken === "clearing" || taken === "ended") throw new Overtaken();
  try {
    const board = await services.boards.load(key);
    const work = { services, board: { ...board, season }, progress, options };
    for (;;) {
      options.onPhase?.(progress.record().phase);
      const outcome = await phaseOf(progress.record())(work);
      if (outcome === "wait") return "done";
      if (outcome === "more" || now() - startedMs >= (options.budgetMs ?? 0)) return "more";
    }
  } catch (error) {
    if (error instanceof Overtaken || (options.retries === true && isBeaten(error))) throw error;
    const { phase, disagreements: before } = progress.record();
    const disagreements = before + (error instanceof Disagreement ? 1 : 0);
    // Each attempt reads all players a few times, and only a person can fix it.
    const waitMs = error instanceof Disagreement ? endRetryMs * 2 ** before : endRetryMs;
    await progress.save(
      { outcome: "failed", error: withoutPaths(error), rounds: 0, disagreements },
      now() + Math.min(waitMs, endRetryMsMax),
    );
    log.error("the closing of a season failed and will be tried again", {
      ...key,
      phase,
      error: withoutPaths(error),
    });
    if (error instanceof Disagreement) return "done";
    throw error;
  }
}

function phaseOf({ phase }: ClosingRecord): (work: Work) => Promise<PhaseOutcome> {
  switch (phase) {
    case "settling":
      return waitForSubmissions;
    case "sweeping":
      return sweep;
    case "auditing":
      return audit;
    case "repairing":
      return repair;
    case "ranking":
      return rank;
    case "writing":
      return write;
    case "checking":
    case "clearing":
    case "ended":
      return checkAndClose;
  }
}

/**
 * Waits until everything that was let in before the end has been committed, and until all instances know the board's
 * source. A later change of it does not count, as a season that closes takes no more scores.
 */
async function waitForSubmissions({ services, board, progress }: Work): Promise<PhaseOutcome> {
  const { closes_at: closesAt, left_to_counts_at: leftAt } = board.season;
  const settledMs = Math.max(
    (closesAt?.toMillis() ?? 0) + services.endWaitMs,
    (leftAt?.toMillis() ?? 0) + sourceKnownMs,
  );
  if (services.now() < settledMs) {
    await progress.save({}, settledMs);
    return "wait";
  }
  await progress.save(sweepAgain(board));
  return "next";
}

/** Where the work begins, the first time and again; for the source `count`, its last run counts again. */
function sweepAgain({ definition: { source } }: Board): Partial<ClosingRecord> {
  return { phase: source === "count" ? "ranking" : "sweeping", swept: nothingSwept, progress: noProgress };
}

const noProgress = { done: 0, total: 0 };

async function sweep({ services, board, progress, options }: Work): Promise<PhaseOutcome> {
  const total = Math.max(board.season.ranking.players, progress.record().progress.total);
  const swept = await sweepStep(services, board, progress.record().swept, {
    ...options,
    onProgress: (soFar) =>
      progress.tell({
        swept: soFar,
        progress: { done: soFar.players, total: Math.max(soFar.players, total) },
      }),
  });
  if (!swept.ended) {
    await progress.save({ swept });
    return "more";
  }
  const next = board.definition.source === "count" ? "ranking" : "auditing";
  await progress.save({ swept, phase: next, progress: noProgress });
  return "next";
}

/**
 * The cheap audit, of totals that should no longer change. If Firestore gives up on a count, although each covers only
 * a part of the players, the check of the standings finds any difference by itself, later and just as well.
 */
async function audit({ services, board, progress }: Work): Promise<PhaseOutcome> {
  const season = await seasonNow(services, board.key);
  const { found, repair } = await findDrift(services, board, false, { inFlightMs: 0 }).catch(
    (error: unknown) => {
      if (grpcCode(error) !== grpc.deadlineExceeded) throw error;
      services.log.warn("a season closes without an audit, as Firestore stopped a count", {
        ...board.key,
      });
      return { found: null, repair: "none" as const };
    },
  );
  const noted = { changed_at: season.changed_at, problems: found?.pages ?? [] };
  if (repair === "none") await progress.save({ ...noted, phase: "ranking" });
  else {
    const sweeps = repair === "sweep";
    const problem = `the audit asks for a ${repair.replace("_", " ")}`;
    await beginAgain(board, progress, [problem, ...noted.problems], sweeps ? {} : { phase: "repairing" });
  }
  return "next";
}

/** A rebuild: the ranking is made from the index again. The sweep before it has found what was left to counts. */
async function repair({ services, board, progress }: Work): Promise<PhaseOutcome> {
  const { readTime: sweptFrom } = await services.db.doc(seasonPath(board.key)).get();
  const { rebuilt } = await rebuild(services, board, nothingRebuilt, {
    sweptFrom,
    onProgress: (done) =>
      progress.tell({ progress: { done, total: Math.max(done, board.season.ranking.players) } }),
  });
  await settle(services, board.key, rebuilt);
  await progress.save({ ...sweepAgain(board) });
  return "next";
}

/**
 * The last run, until nothing is pending; and the top, which a lost refresh may have left out of date. A run that
 * counts finds out how many players have complete documents: if others do not, a sweep comes first.
 */
async function rank({ services, board, progress }: Work): Promise<PhaseOutcome> {
  const { key, definition } = board;
  const isCounted = definition.source === "count";
  if (isCounted && !progress.record().swept.ended && !(await areAllListed(services, board))) {
    await progress.save({ phase: "sweeping" });
    return "next";
  }
  if (isCounted) {
    const { changed_at: changedAt } = await seasonNow(services, key);
    await progress.save({ changed_at: changedAt });
  }
  for (let runs = 1; ; runs++) {
    const { outcome } = await publishRanking(services, key, { includeOpenSlot: true });
    if (isCounted || outcome === "nothing_to_do") break;
    if (runs === publishAttemptsMax) throw new Error(`changes came before each of the last ${runs} runs`);
    await progress.tell({});
  }
  await renewTop(services, board);
  const { pass, documents } = progress.record().written;
  const written = { pass: documents === 0 ? pass : pass + 1, documents: 0, players: 0, ended: false };
  await progress.save({ phase: "writing", written, progress: noProgress });
  return "next";
}

async function write({ services, board, progress, options }: Work): Promise<PhaseOutcome> {
  const total = board.season.ranking.players;
  const { documentsPerRead, ...rest } = options;
  const written = await tryAgain(services, () =>
    writeStandings(services, board, progress.record().written, {
      ...rest,
      ...(documentsPerRead === undefined ? {} : { playersPerRead: documentsPerRead }),
      onProgress: (soFar) =>
        progress.tell({
          written: soFar,
          progress: { done: soFar.players, total: Math.max(soFar.players, total) },
        }),
    }),
  );
  await progress.save(written.ended ? { written, phase: "checking" } : { written });
  return written.ended ? "next" : "more";
}

/**
 * Compares the standings with the pages, sums them up, and closes the season.
 * Cost: 1 read a page and for each 1,000 players; 3 reads, and 5 writes in the transaction.
 */
async function checkAndClose(work: Work): Promise<PhaseOutcome> {
  const { services, board, progress } = work;
  const { key, definition } = board;
  const { ranking } = await seasonNow(services, key);
  const found = await byId(services.db, pagesPath(key), writesPerCommitMax).get();
  const checked = checkPages(
    definition.order,
    found.docs.map((page) => ({ id: page.id, data: page.data() })),
    ranking.generation,
  );
  const check = createStandingsCheck(definition, checked.pages);
  const sums = createSums();
  const { pass, documents } = progress.record().written;
  let read = 0;
  let earlier = 0;
  const fields = ["players", "scores", "achieved_at", "display_names", "has_metadata", "pass"];
  for await (const chunk of standingsInOrder(services, key, { fields })) {
    for (const document of chunk) {
      const passOf: unknown = document.get("pass");
      if (typeof passOf === "number" && passOf > pass) throw new Overtaken();
      // A stopped step of an earlier pass has written it late; the next pass overwrites it.
      if (passOf !== pass) earlier += 1;
      const standings = storedStandings.parse(document.data());
      check.add(standings);
      sums.add(standings.scores);
      read += 1;
    }
    // For ten million players this takes minutes, and without progress the schedule would take it for dead.
    const done = read * standingsPerDocument;
    await progress.tell({ progress: { done, total: Math.max(done, ranking.players) } });
  }
  const missing = read === documents ? [] : [`${documents} documents were written, ${read} are there`];
  const mixed = earlier === 0 ? [] : [`${earlier} documents are of an earlier pass`];
  const problems = [...checked.problems, ...missing, ...mixed, ...check.finish()];
  if (problems.length > 0) {
    // A mistake that totals do not show is in the index, or new: a rebuild and the sweep after it fix both.
    const phase = definition.source === "count" ? "ranking" : "repairing";
    await beginAgain(board, progress, problems, { phase });
    return "next";
  }
  return commitClosing(work, sums.finish(), ranking.generation, checked.pages.length > 0);
}

/**
 * One transaction: the summary, the season closed, the record, the event, and page 0 marked as final. The mark stops a
 * run that remembers the season open, or that has begun before, from publishing. It costs such a run no further read.
 */
async function commitClosing(
  { services, board: { key, definition }, progress }: Work,
  sums: Sums,
  generation: number,
  hasPages: boolean,
): Promise<PhaseOutcome> {
  const { db, now, log, boards, endWaitMs } = services;
  const { changed_at: changedBefore } = progress.record();
  const closedAt = Timestamp.fromMillis(now());
  const dueMs = now() + endWaitMs;
  const outcome = await db.runTransaction(async (transaction) => {
    const { record, updateTime } = progress.next({
      phase: "clearing",
      players: sums.players,
      generation,
      problems: [],
      progress: noProgress,
    });
    const recordRef = db.doc(runPath(key, record.run));
    const [found, recorded] = await transaction.getAll(db.doc(seasonPath(key)), recordRef);
    if (found?.exists !== true) throw new Overtaken();
    const season = readSeason(found.data());
    if (season.status !== "closing" || season.closing_run !== record.run) throw new Overtaken();
    if (recorded?.updateTime?.isEqual(updateTime) !== true) throw new Overtaken();
    if (!isSame(season.changed_at, changedBefore)) return "changed";
    if (season.ranking.generation !== generation) return "ranked";
    const summary = { ...sums, as_of: closedAt, revisions: 0, ties: definition.ties };
    transaction.set(db.doc(standingsSummaryPath(key)), summary);
    // The generation has not changed since it was read, so neither have the pages.
    if (hasPages) transaction.update(db.doc(pagePath(key, 0)), { final: true });
    transaction.update(found.ref, closedFields(closedAt, dueMs));
    transaction.update(recordRef, fieldsOf(record));
    const fields = { closed_at: closedAt, player_count: sums.players };
    const happened = { key, span: season.span, atMs: closedAt.toMillis(), once: record.run, fields };
    tell(db, transaction, definition, { kind: "season_closed", ...happened });
    return "closed";
  });
  if (outcome === "closed") {
    boards.forget(key.leaderboard);
    log.info("closed a season", { ...key, players: sums.players, generation });
    return "wait";
  }
  // It is normal that an admin changes a player now and then, so this does not count as a round.
  const from = definition.source === "count" ? "ranking" : "auditing";
  if (outcome === "changed") await progress.save({ phase: from, swept: nothingSwept });
  return "next";
}

/** What a season says from its closing on. */
function closedFields(closedAt: Timestamp, dueMs: number): Partial<Season> {
  return {
    status: "closed",
    closed_at: closedAt,
    next_run_at: null,
    dormant_at: null,
    parked: null,
    end_due_at: Timestamp.fromMillis(dueMs),
  };
}

/** Standings and pages still differ after several rounds: somebody has to look. */
class Disagreement extends Error {}

/** Goes back to the sweep, a few times. @throws Disagreement after that. */
async function beginAgain(
  board: Board,
  progress: ClosingProgress,
  problems: string[],
  change: Partial<ClosingRecord> = {},
): Promise<void> {
  const rounds = progress.record().rounds + 1;
  const again = { ...sweepAgain(board), rounds, problems: problems.slice(0, 20), ...change };
  await progress.save(again);
  if (rounds > closingRoundsMax)
    throw new Disagreement(`after ${closingRoundsMax} rounds it is still not right: ${problems[0] ?? ""}`);
}

async function seasonNow({ db }: TopServices, key: SeasonKey): Promise<Season> {
  const found = await db.doc(seasonPath(key)).get();
  if (!found.exists) throw new Overtaken();
  return readSeason(found.data());
}

function isSame(a: Timestamp | null, b: Timestamp | null): boolean {
  return a === null || b === null ? a === b : a.isEqual(b);
}

/** An error as a text without a path, which could name a player. */
function withoutPaths(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/(players|index_entries)\/\S+/g, "…");
}
