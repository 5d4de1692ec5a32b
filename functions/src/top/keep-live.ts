/**
 * The live top: between runs it follows the players at once where little happens, else within about two seconds, or later
 * while changes do not stop (pace.ts), at a bounded cost. A change is compared with the gate (gate.ts), and is only a hint:
 * the refresh reads what has changed (read-changes.ts), or all players. Whoever has committed the first change of a quiet
 * time refreshes the top before answering. What changes within the window after a refresh waits for its end: there is one
 * task for each season and window, however many changes ask for it.
 */
import { writeEvents } from "../documents/event.ts";
import { type SeasonKey, topPath } from "../documents/paths.ts";
import type { PlayerChange } from "../documents/player.ts";
import { pendingShards } from "../documents/queries.ts";
import { readTogether } from "../documents/reads.ts";
import { type FoundDocument, readTop, type Top } from "../documents/top.ts";
import { toStep } from "../model/arithmetic.ts";
import type { Definition } from "../model/definition.ts";
import { boardCacheMs, topGateKeptMs, topRefreshSecondsDefault } from "../model/limits.ts";
import { isBetter } from "../model/score.ts";
import { boardIfAny, boardCacheOf } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import { isNextSpanSeason } from "../seasons/span-season.ts";
import { describeError } from "../world/describe-error.ts";
import { isBeaten, isOvertaken } from "../world/retryable.ts";
import { taskIdOf, type TopRefreshRequest } from "../world/tasks.ts";
import { tryAgain } from "../world/try-again.ts";
import { buildTop } from "./build-top.ts";
import { gateOf, readTopAfterChanges, readTopPlayers, writeTop } from "./document.ts";
import { gateIn, isLowered, shownChange, showsInTop } from "./gate.ts";
import { isWindowOver, type Pace, paceAfter, paceIn, windowEnd, windowNow } from "./pace.ts";
import { eventsOfTop } from "./tell-top.ts";
import type { Services } from "../world/services.ts";
import { finalTopsOf, topGatesOf } from "./gate-memory.ts";

/** How long new names and metadata gather, as one player can change them without end: 1,440 refreshes a day. */
const topNamesWindowMs = 60_000;

const baseWindowMs = (definition: Pick<Definition, "top_refresh_seconds">) =>
  definition.top_refresh_seconds * 1_000;

/**
 * Renews the top at once if changes of players may show in it and it was not refreshed within the present window. Otherwise
 * it requests a refresh for the end of the window.
 *
 * Cost: nothing where nothing changed that a top shows; otherwise 1 read for the gate, once in ten seconds, and the board's
 * 2 a minute. At once, {@link renewTop}; if a refresh was requested, 1 call of the queue for each window and instance.
 * @param inShards whether shards name the scores before and after. What they don't, only a refresh that reads all players is
 * sure to show: it comes with those for names.
 * @throws Firestore's error when the gate or the board cannot be read.
 */
export async function keepTopLive(
  services: Services,
  key: SeasonKey,
  changes: readonly PlayerChange[],
  inShards = true,
) {
  const shown = changes.filter((change) => shownChange(change) !== undefined);
  if (shown.length === 0) return;
  const board = await boardIfAny(services, key);
  if (board === undefined) return;
  const { gate, pace } = await topGatesOf(services).gateOf(key);
  const follows = shown.filter((change) => showsInTop(board.definition, gate, change)).map(shownChange);
  const nowMs = services.now();
  const baseMs = baseWindowMs(board.definition);
  if (follows.includes("change") && !(await renewedAtOnce(services, board, pace)))
    await askOnceInWindow(services, key, "change", windowEnd(nowMs, windowNow(baseMs, pace, nowMs)));
  if (follows.includes("names") || (!inShards && follows.length > 0))
    await askOnceInWindow(services, key, "names", windowEnd(nowMs, Math.max(baseMs, topNamesWindowMs)));
}

/**
 * Renews the top now if nobody has refreshed it within the window, so that a change on a quiet board shows at once, and
 * needs no task. If another writer is first, or the database is busy, it is left to a task.
 */
async function renewedAtOnce(services: Services, board: Board, pace: Pace | undefined): Promise<boolean> {
  const gates = topGatesOf(services);
  const nowMs = services.now();
  const lastMs = gates.lastAsked(board.key, "change") ?? -Infinity;
  const baseMs = baseWindowMs(board.definition);
  if (gates.isBusy(board.key) || !isWindowOver(baseMs, pace, nowMs) || nowMs - lastMs <= baseMs) return false;
  gates.asked(board.key, "change", nowMs);
  try {
    const options = { followsChanges: true, dueMs: nowMs, onlyIfQuiet: true };
    return await gates.renewed(() => tryToRenew(services, board, options));
  } catch (error) {
    if (isBeaten(error)) return false;
    throw error;
  }
}

async function askOnceInWindow(
  services: Services,
  key: SeasonKey,
  follows: "change" | "names",
  dueMs: number,
) {
  if (topGatesOf(services).lastAsked(key, follows) === dueMs) return;
  if (await askForRefresh(services, key, follows, dueMs)) topGatesOf(services).asked(key, follows, dueMs);
}

/** Requests a refresh for when no instance remembers the old definition. Cost: 1 call of the queue. */
export async function followDefinition(services: Services, key: SeasonKey): Promise<void> {
  const dueMs = windowEnd(services.now() + boardCacheMs, topRefreshSecondsDefault * 1_000);
  await askForRefresh(services, key, "definition", dueMs);
}

/**
 * Requests a refresh. It reads the players when it is due, so it includes every change written before. A queue that
 * refuses is only logged: the next refresh or publication also shows the change.
 * @returns whether the queue has taken it.
 */
async function askForRefresh(
  { enqueueTopRefresh, log }: Services,
  key: SeasonKey,
  follows: TopRefreshRequest["follows"],
  dueMs: number,
): Promise<boolean> {
  const request = { ...key, due_at: new Date(dueMs).toISOString(), follows };
  try {
    await enqueueTopRefresh(request, taskIdOf(topPath(key), dueMs, follows));
    return true;
  } catch (error) {
    log.error("a refresh of the top could not be enqueued", { ...key, error: describeError(error) });
    return false;
  }
}

/** A task `refreshTop` that follows a top: {@link renewTop}. */
export async function refreshTop(
  services: Services,
  { due_at: dueAt, follows, ...key }: TopRefreshRequest,
): Promise<void> {
  if (follows === "definition") boardCacheOf(services).forget(key.leaderboard);
  const board = await boardIfAny(services, key);
  if (board === undefined) return;
  const followsChanges = follows === "change" || follows === "gate";
  const paced = follows === "change" ? { dueMs: Date.parse(dueAt) } : {};
  await renewTop(services, board, { followsChanges, ...paced });
}

/**
 * Renews a season's top document if a player who was taken out of the ranking may be in it, or in the top that a run is
 * about to publish, as the run read the players earlier. Where there is no document it may be the first run: then the
 * document is created.
 *
 * A score that the top's gate keeps out may be in the run's top, if players of the top have left just now. Their events
 * refresh the top within seconds. But events tell who entered, so after an erasure the top is always renewed. Where an
 * erasure finds no player, another call may have deleted the player just now, and a run that has read the player may be
 * under way.
 *
 * A season of a span that has not begun gets no top.
 *
 * Cost: 1 read and the board's, 1 more for an erasure without a document; where the top is renewed, {@link renewTop}.
 * @param score of the player before; undefined where there was no document.
 * @returns whether the player was in it.
 */
export async function renewTopWithout(
  services: Services,
  key: SeasonKey,
  player: string,
  { score, isErased }: { score: number | undefined; isErased: boolean },
): Promise<boolean> {
  // Before the top: a run that commits in between shows there.
  const mayBePending =
    isErased && score === undefined && !(await pendingShards(services.db, key).limit(1).get()).empty;
  const found = await services.db.doc(topPath(key)).get();
  const { entries = [], lowest_score: lowest = null } = found.exists ? readTop(found.data()) : {};
  const listed = entries.some((entry) => entry.player === player);
  if (!listed && score === undefined && !mayBePending) return false;
  const board = await boardCacheOf(services).load(key);
  const { definition } = board;
  // Its first run has not begun, and a top would tell of players before their season.
  const isToCome = board.season === undefined && isNextSpanSeason(board, key, services.now());
  if (isToCome && !found.exists) return false;
  const isOutside =
    score !== undefined && lowest !== null && isBetter(definition.order, lowest, toStep(definition, score));
  if (listed || isErased || !isOutside) await renewTop(services, board, { creates: true });
  return listed;
}

interface RenewOptions {
  /** When the refresh was due, if it follows a change of the order: such refreshes set the pace of the next ones. */
  dueMs?: number;
  /** Whether it follows changes of marks, or of the gate: then reading what has changed may be enough. */
  followsChanges?: boolean;
  /** Whether a top, of the season's generation, is written where there is none. */
  creates?: boolean;
  /** Whether nothing is written if the top was refreshed within its window before `dueMs`. */
  onlyIfQuiet?: boolean;
}

/**
 * Renews a season's top document from the players as they are now; its generation and number of players stay.
 *
 * The document is written even if it shows nothing new: a run that is under way may have read the players before a change.
 * As the document has changed since the run read it, the commit of the run fails, and the run reads the top again.
 *
 * Cost: reads the top, its players and 1 for each 1,000 of these; 1 write, and 1 for each event: one for players who
 * entered, one for a new leader. Nothing is written before the first publication, unless it creates the document.
 * @throws Firestore's error when another writer was first at each attempt; an error when the document is not a top.
 */
export async function renewTop(services: Services, board: Board, options: RenewOptions = {}) {
  return tryAgain(services, () => tryToRenew(services, board, options));
}

/** @returns false if the top was left to a later refresh: it was refreshed just before. */
async function tryToRenew(services: Services, board: Board, options: RenewOptions): Promise<boolean> {
  const { db } = services;
  const [boards, gates] = [boardCacheOf(services), topGatesOf(services)];
  const { dueMs, followsChanges = false, creates = false, onlyIfQuiet = false } = options;
  const { key, definition } = board;
  const isFinal = board.season?.status === "closed";
  const { listed, readAt, wholeAt, document } = await readTogether(db, (transaction) =>
    followsChanges && !isFinal && !gates.isBusy(key)
      ? readTopAfterChanges(db, transaction, board, () => gates.busy(key))
      : readTopPlayers(db, transaction, board, isFinal ? finalTopsOf(services) : undefined),
  );
  const { header, updateTime } = document;
  if (header?.final === true && !isFinal) {
    // The instance remembers the season from before its end. The top of one that is being deleted goes with it.
    boards.forgetSeason(key);
    const present = await boards.load(key);
    return present.season?.status === "closed" ? tryToRenew(services, present, options) : true;
  }
  if (updateTime === undefined && !creates) return true;
  if (updateTime !== undefined && header === undefined)
    throw new Error(`${topPath(key)} is not a top document; the next publication replaces it.`);
  const { generation, players: counted } = header ?? board.season?.ranking ?? { generation: 0, players: 0 };
  // Some of the players listed may not have been counted yet.
  const players = Math.max(counted, listed.length);
  const top = buildTop(topPath(key), definition, listed, {
    generation,
    players,
    as_of: readAt,
    whole_at: wholeAt ?? readAt,
  });
  const baseMs = baseWindowMs(definition);
  const before = paceIn(header);
  if (onlyIfQuiet && dueMs !== undefined && !isWindowOver(baseMs, before, dueMs)) return false;
  const pace = dueMs === undefined ? undefined : paceAfter(baseMs, before, dueMs);
  const batch = db.batch();
  writeTop(batch, db.doc(topPath(key)), top, document, pace);
  writeEvents(db, batch, eventsOfTop(board, document, top, generation === 0));
  const [committed] = await Promise.allSettled([batch.commit()]);
  await followGate(services, board, document, top, committed);
  if (committed.status === "rejected") throw committed.reason;
  return true;
}

/**
 * After the commit of a top: if its gate is lower than the one before, requests a refresh for when every instance has
 * forgotten the higher gate, and shows players who were compared with that one in between.
 * @param replaced the document that the commit replaces.
 * @param top undefined where the commit leaves the entries as they are. @param committed how the commit has ended. A commit whose answer was lost may have succeeded, so its gate counts too.
 */
export async function followGate(
  services: Services,
  { key, definition }: Board,
  replaced: FoundDocument,
  top: Top | undefined,
  committed: PromiseSettledResult<unknown>,
): Promise<void> {
  if (top === undefined || (committed.status === "rejected" && isOvertaken(committed.reason))) return;
  if (!isLowered(definition, gateOf(replaced), gateIn(top))) return;
  const dueMs = windowEnd(services.now() + topGateKeptMs, baseWindowMs(definition));
  await askForRefresh(services, key, "gate", dueMs);
}
