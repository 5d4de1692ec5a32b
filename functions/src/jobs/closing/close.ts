/**
 * Closing a season: from its last submission to final standings, in phases that its record names
 * (documents/closing-record.ts). The table comes from the players, all of them in order at one read time; ARCHITECTURE.md,
 * "The end of a season", says why. Nothing is locked, and nothing makes a closing begin again: what an admin does to a
 * player meanwhile leaves a note, and the commit that closes requires that none is left.
 */
import type { ClosingRange, ClosingRangeProgress, ClosingRecord } from "../../documents/closing-record.ts";
import { closingRangePath, type SeasonKey, seasonPath, standingsSummaryPath } from "../../documents/paths.ts";
import { documentsAt } from "../../documents/reads.ts";
import type { Marked } from "../../documents/repair-record.ts";
import { Timestamp } from "../../documents/firestore.ts";
import { isReadyForTable } from "../../counting/count-players.ts";
import { endPauseMs, passNumbers, rangePlayersMax, readTimeKeptMs } from "../../model/limits.ts";
import { playerStatuses } from "../../model/player-status.ts";
import { type CountedStretch, counterOf, rowsToCount, sumOf } from "../repair/count-stretches.ts";
import { markPlayers } from "../../counting/mark-players.ts";
import { endGroupsOf } from "../../groups/end.ts";
import { settleLeague } from "../../league/settle.ts";
import { boardCacheOf } from "../../seasons/board.ts";
import { type OpenedBoard, withSeason } from "../../seasons/read-board.ts";
import { addBills, noBill } from "../../world/meter.ts";
import { describeError } from "../../world/describe-error.ts";
import { taskIdOf } from "../../world/tasks.ts";
import { applyNotes } from "../../standings/notes.ts";
import { createBudget, Overtaken } from "../progress.ts";
import { type ClosingProgress, type EndStep, type StepOutcome, takeUp } from "./take-up.ts";
import { readForPublication } from "../../standings/publish-standings.ts";
import { closeAndPublish, writeFirstSummary } from "./commit-closing.ts";
import { progressIn, type RangeToWrite, writeRange } from "../../standings/write-range.ts";
import type { Services } from "../../world/services.ts";

interface Work extends EndStep {
  board: OpenedBoard;
  progress: ClosingProgress;
}

/** The result of a phase: the next may begin, the time is over, or it has to wait until the season's `end_due_at`. */
type PhaseOutcome = "next" | "more" | "wait";

/**
 * Continues a closing for as long as a step may take.
 *
 * Cost of a closing: 2 reads for each 1,000 players to count them, 1 read a player and 2 for each 1,000, and 1 write for
 * each 1,000 (2 where some have metadata) for the standings; the pages and the top; 2 writes in ten seconds for the
 * record. If documents are incomplete, 1 read a player more, and 2 for each of them; 2 a player where scores have to be
 * rounded, or segments to be counted.
 * Memory: two thousand players, and a fold's for as many different scores as there are.
 * @throws Overtaken where another step does the work
 */
export async function continueClosing(step: EndStep): Promise<StepOutcome> {
  const { services, key, season, options, isOver } = step;
  const progress = await takeUp(step);
  const { phase } = progress.record();
  // The step before has closed the season since its status was read: the standings may already be revised.
  if (phase === "clearing" || phase === "ended") throw new Overtaken();
  return progress.attempt(options, async () => {
    const board = withSeason(await boardCacheOf(services).load(key), season);
    const work = { ...step, board, progress };
    for (;;) {
      options.onPhase?.(progress.record().phase);
      const outcome = await doPhase(work);
      if (outcome === "wait") return "done";
      if (outcome === "next" && !isOver()) continue;
      await progress.save({});
      return "more";
    }
  });
}

function doPhase(work: Work): Promise<PhaseOutcome> {
  switch (work.progress.record().phase) {
    case "waiting":
      return waitForSubmissions(work);
    case "completing":
      return complete(work);
    case "writing":
      return write(work);
    case "publishing":
      return publish(work);
    case "clearing":
    case "ended":
      throw new Error("a season that has closed has nothing left to close");
  }
}

/** Waits until everything that was let in before the end has been committed. */
async function waitForSubmissions({
  services,
  season,
  board,
  progress,
  isOver,
}: Work): Promise<PhaseOutcome> {
  const untilMs = (season.closes_at?.toMillis() ?? 0) + services.endWaitMs;
  if (services.now() < untilMs) {
    await progress.save({}, { dueMs: untilMs });
    return "wait";
  }
  if (!(await settleUnlessItFails(services, board, isOver))) return "more";
  await progress.save({ phase: "completing" });
  return "next";
}

/** How long a closing ends private groups before its final table, at most: some thousands of them. */
const groupEndsMsMax = 60_000;

/**
 * Settles the week's league, if the season is a week of one, or ends the private groups of a tournament. A failure does not
 * hold up the final table, and neither do many private groups: what is left is done before the season is cleared (clear.ts).
 * @returns whether the final table may follow.
 */
async function settleUnlessItFails(services: Services, board: OpenedBoard, isOver: () => boolean) {
  try {
    if (!(await settleLeague(services, board, isOver))) return false;
    const isGroupsTimeOver = createBudget(services, groupEndsMsMax);
    await endGroupsOf(services, board, () => isOver() || isGroupsTimeOver());
  } catch (error) {
    const facts = { ...board.key, error: describeError(error) };
    services.log.error("the groups of a season could not be settled; it is tried again in minutes", facts);
  }
  return true;
}

/** How often a closing searches for incomplete documents before it closes without the incomplete ones that keep turning up. */
const completingRoundsMax = 3;

/** Whether a search may complete documents: it is the first, or the last one found some, and there were not too many. */
function mayComplete({ rounds, is_missing: isMissing }: ClosingRecord["completed"]): boolean {
  return isMissing && rounds < completingRoundsMax;
}

function searchAfter(completed: ClosingRecord["completed"]): ClosingRecord["completed"] {
  return { ...completed, cursor: "", rounds: completed.rounds + 1, is_missing: false };
}

/**
 * Chooses the time at which the players are read. At that time, the documents with a score must be those that lists find
 * by their statuses: what is missing (a trusted server's bare score) is completed, and a later time is chosen.
 */
async function complete(work: Work): Promise<PhaseOutcome> {
  const { services, board, progress, options } = work;
  const { completed, pass } = progress.record();
  if (completed.cursor !== null) return search(work);
  const { readTime: readAt } = await services.db.doc(seasonPath(board.key)).get();
  const most = Math.ceil((options.rangePlayers ?? rangePlayersMax) / 2 ** Math.min(pass, halvingsMax));
  const onCount = () => progress.report({});
  const rows = await rowsToCount(services.db, board, work.season.ranking, readAt, most);
  const count = counterOf(services.db, board, readAt, rows, { most, onCount });
  const scored = await count.numbered("score");
  const [listed = [], ...others] = await Promise.all(playerStatuses.map((status) => count.listed(status)));
  const missing = scored - sumOf([listed, ...others].flat());
  if (missing < 0) throw new Error(`${-missing} more players are listed than have a score`);
  if (missing > 0 && mayComplete(completed)) {
    await progress.save({ completed: searchAfter(completed) });
    return "next";
  }
  const left = "a season closes without players whose documents cannot be ranked";
  if (missing > 0) services.log.warn(left, { ...board.key, players: missing });
  await progress.save({
    phase: "writing",
    read_at: readAt,
    ranges: rangesOf(listed, most, pass),
    progress: { done: 0, total: sumOf(listed) },
  });
  return "next";
}

/** How often ranges are halved when the players are read again: 12,500 players are read in seconds. */
const halvingsMax = 4;

/** The ranges of a closing are at most about twice as many, as its record has room for half a megabyte of them. */
const rangesMax = 1_000;

/** Ranges of about as many players as one may have, or more if they would be too many; at least one. Pure. */
export function rangesOf(
  stretches: readonly CountedStretch[],
  playersMax: number,
  pass: number,
): ClosingRange[] {
  const most = Math.max(playersMax, Math.ceil(sumOf(stretches) / rangesMax));
  const ranges: ClosingRange[] = [];
  let above = 0;
  for (const { from, before, count } of stretches) {
    const last = ranges.at(-1);
    const ends = { before: before === undefined ? null : [...before] };
    if (last !== undefined && last.players + count <= most)
      Object.assign(last, { players: last.players + count, ...ends });
    else {
      // Each document has a player at least, so no range reaches the numbers of the next.
      const first = pass * passNumbers + above;
      ranges.push({ from: from === undefined ? null : [...from], ...ends, players: count, first });
    }
    above += count;
  }
  return ranges;
}

/** Goes through all players, and completes documents that lists would not find. */
async function search(work: Work): Promise<PhaseOutcome> {
  const { services, board, progress } = work;
  const { completed, progress: before } = progress.record();
  const [players, differing] = [before.done, completed.players];
  const from = { cursor: completed.cursor || null, ended: false, players, differing, changed: 0, refused: 0 };
  const foundBy = ({ cursor, differing, refused }: Marked) => {
    const players = differing - refused;
    const isMissing = completed.is_missing || players > completed.players;
    return { ...completed, cursor, players, is_missing: isMissing };
  };
  const marked = await markPlayers(services, board.key, from, {
    ...work.options,
    isOver: work.isOver,
    isRight: (data) => isReadyForTable(data, board.definition),
    async onProgress(soFar) {
      const { ended, players: done } = soFar;
      const total = Math.max(done, board.season.ranking.players);
      if (!ended) await progress.report({ completed: foundBy(soFar), progress: { done, total } });
    },
  });
  if (!marked.ended) return "more";
  await progress.save({ completed: foundBy(marked), progress: { done: 0, total: 0 } });
  return "next";
}

/** Writes the standings: the first range that nobody is at here, the others in tasks of their own. */
async function write(work: Work): Promise<PhaseOutcome> {
  const { services, board, progress } = work;
  const { db, now, log } = services;
  const { pass, read_at: readAt, run, completed } = progress.record();
  const { states, readMs } = await readRanges(services, board.key, progress.record());
  const done = states.reduce((sum, { players }) => sum + players, 0);
  /** What the tasks of the ranges have told: the record has it once the pass is over. */
  const byTasks = {
    billed: states.reduce((sum, state) => addBills(sum, state.billed), noBill()),
    workedMs: states.reduce((sum, { worked_ms: ms }) => sum + ms, 0),
  };
  // A range has met an incomplete document: all are read again, after a search.
  if (states.some(({ is_incomplete: isIncomplete }) => isIncomplete)) {
    await progress.save({ ...readAgain(pass), completed: searchAfter(completed) }, byTasks);
    return "next";
  }
  // All ranges are written.
  if (states.every(({ ended }) => ended)) {
    await progress.save({ phase: "publishing", progress: { done, total: done } }, byTasks);
    return "next";
  }
  // The players can't be read at this time any more. Both times are the database's.
  const passedMs = readMs - (readAt?.toMillis() ?? 0);
  if (readAt === null || passedMs > readTimeKeptMs) {
    const problem = "the players of a closing season could not be read in an hour; they are read again";
    log.error(problem, { ...board.key });
    const afresh = { cursor: null, players: 0, rounds: 0, is_missing: true };
    await progress.save({ ...readAgain(pass), completed: afresh }, byTasks);
    return "next";
  }
  // All ranges that nobody is at, but the first, get a task. Whoever writes a range reports every ten seconds.
  const isIdle = ({ ended, told_at: toldAt }: ClosingRangeProgress) =>
    !ended && now() - toldAt.toMillis() >= endPauseMs;
  const [own, ...others] = [...states.entries()].filter(([, state]) => isIdle(state));
  for (const [range, state] of others) {
    const task = { ...board.key, job: "end" as const, step: 0, range };
    const told = { ...state, told_at: Timestamp.fromMillis(now()) };
    await db.doc(closingRangePath(board.key, range)).set(told);
    await services.enqueueJob(task, taskIdOf(seasonPath(board.key), run, "range", pass, range, now()), 0);
  }
  // The first is written here. Without one, this step waits for the tasks.
  const reached = (players: number) => ({ progress: { ...progress.record().progress, done: players } });
  const range = own && rangeToWrite(progress.record(), own[0]);
  if (own === undefined || range === undefined) {
    await progress.save(reached(done), { dueMs: now() + endWatchMs });
    return "wait";
  }
  const doneByOthers = done - own[1].players;
  const { ended } = await writeRange(services, board, range, {
    ...work.options,
    isOver: work.isOver,
    onProgress: ({ players }) => progress.report(reached(doneByOthers + players)),
  });
  return ended ? "next" : "more";
}

/** What the record becomes where the players have to be read at another time. */
function readAgain(pass: number) {
  const progress = { done: 0, total: 0 };
  return { phase: "completing" as const, pass: pass + 1, read_at: null, ranges: [], progress };
}

/** How far all ranges of a closing are, and when that was read. Cost: 1 read each. */
export async function readRanges({ db }: Services, key: SeasonKey, { ranges, pass }: ClosingRecord) {
  const paths = ranges.map((_, range) => closingRangePath(key, range));
  const found = await documentsAt(db, paths);
  const states = found.map((state) => progressIn(state, pass));
  return { states, readMs: found[0]?.readTime.toMillis() ?? 0 };
}

/** How soon a closing looks again whether its ranges are written. */
const endWatchMs = 60_000;

/** A range as the record has it; undefined for a range that the record does not have, or if nothing is being written. Pure. */
export function rangeToWrite(record: ClosingRecord, index: number): RangeToWrite | undefined {
  const { ranges, pass, read_at: readAt, phase, completed } = record;
  const found = ranges[index];
  if (found === undefined || readAt === null || phase !== "writing") return undefined;
  return { ...found, index, pass, readAt, mayComplete: mayComplete(completed) };
}

/** Sums the standings up, applies what admins have changed meanwhile, and closes the season. */
async function publish({ services, key, board, progress, isOver }: Work): Promise<PhaseOutcome> {
  const { db, log } = services;
  const { ranges } = progress.record();
  const { states } = await readRanges(services, key, progress.record());
  const isWritten = states.every(({ ended }) => ended);
  // A second task of a range may have told its progress late. Nothing is written twice, so the range is finished again.
  if (!isWritten && !(await db.doc(standingsSummaryPath(key)).get()).exists) {
    await progress.save({ phase: "writing" });
    return "next";
  }
  const written = ranges.map(({ first }, range) => ({ first, documents: states[range]?.documents ?? 0 }));
  // For ten million players this takes minutes, and without progress the schedule would take it for dead.
  const reading = await readForPublication(services, board, written, (done) =>
    progress.report({ progress: { done, total: progress.record().progress.total } }),
  );
  if (reading.revisions === undefined) await writeFirstSummary(services, board, reading, progress);
  const read = { ...reading, revisions: reading.revisions ?? 0 };
  for (;;) {
    await applyNotes(services, board);
    if (await closeAndPublish(services, board, read, progress)) break;
    if (isOver()) return "more";
    await progress.report({});
  }
  log.info("closed a season", { ...key });
  return "wait";
}
