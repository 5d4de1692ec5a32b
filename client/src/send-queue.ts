/**
 * Sends the scores of a store, in order and one at a time, until the store is empty or a score has to wait. This file knows
 * nothing of browsers and Firebase: what it needs is passed in.
 */
import type { Submission } from "./answers.ts";
import { FirerankError, type FirerankErrorCode, toFirerankError } from "./firerank-error.ts";
import { isPassing } from "./retries.ts";
import type { Score } from "./submit-score.ts";

/** Stands for the player of a score that was made before Firebase Auth knew who is signed in. */
export const notKnownYet = "";

/** A score that waits to be sent. */
export interface QueuedScore {
  /** Who made the score. It is sent only while this user is signed in. Empty until Firebase Auth knows who is signed in. */
  player: string;
  score: Score & { submission_id: string };
  /** When the score was made, by the device's clock, but not before the last time that a server has told; in ISO 8601. */
  made_at: string;
  /**
   * When the score was first refused for a reason that an owner has to mend, by a server's clock; in ISO 8601. After a long
   * pause in which nobody tried to send it, this is later.
   */
  stuck_since?: string | undefined;
  /** When the score was last refused for such a reason. */
  stuck_at?: string | undefined;
  /** When the queue first found another player signed in, by a server's clock; in ISO 8601. */
  absent_since?: string | undefined;
}

/** The store in which scores wait, in the order in which they were added. */
export interface QueueStore {
  all(): Promise<QueuedScore[]>;
  /**
   * Adds a score, unless a score of the same player with the same `submission_id` is there.
   * @param max how many scores of a player may wait; of all players ten times as many may wait.
   * @param isReplaced which scores the new score takes out.
   * @throws `not_stored` if there is no room
   */
  add(queued: QueuedScore, max: number, isReplaced?: (one: QueuedScore) => boolean): Promise<void>;
  /** Replaces each score by what `edit` returns; undefined takes the score out. */
  change(edit: (queued: QueuedScore, all: readonly QueuedScore[]) => QueuedScore | undefined): Promise<void>;
}

/** Whether two scores are the same submission. */
export function isSame(a: QueuedScore, b: QueuedScore): boolean {
  return a.player === b.player && a.score.submission_id === b.score.submission_id;
}

/** What an app hears about its scores. */
export interface QueueReports {
  /** Called when a score has counted. In a browser it is called in the tab that sent the score. */
  onSent?: ((answer: Submission, queued: QueuedScore) => void) | undefined;
  /** Called when a score was taken out of the queue, as it was refused for good, has expired or no longer counts. */
  onDropped?: ((error: FirerankError, queued: QueuedScore) => void) | undefined;
  /** Called when a score could not be sent now. The score stays in the queue, and is tried again. */
  onWaiting?: ((error: FirerankError, queued: QueuedScore) => void) | undefined;
}

/** What a send queue needs from outside. */
export interface SendQueueWorld extends QueueReports {
  store: QueueStore;
  /** Sends a score if its player is signed in. */
  send: (queued: QueuedScore) => Promise<Submission>;
  /** Who is signed in. */
  player: () => string | undefined;
  /** Runs work while no other work of this board's queues runs, in any tab. */
  alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Calls `work` after some milliseconds. The returned function prevents the call. */
  later: (work: () => void, ms: number) => () => void;
  /** From 0 up to, but not including, 1. */
  random: () => number;
  /** A time in milliseconds since 1970 that has passed for sure, by a server's clock; 0 if none is known. */
  serverMs: () => Promise<number>;
  /** How long a score that can't be sent is kept. */
  maxAgeMs: number;
  /** Asked before a score is sent; false drops the score. */
  stillCounts?: ((queued: QueuedScore) => boolean) | undefined;
}

export interface SendQueue {
  /** The waiting scores, the oldest first. */
  waiting(): Promise<QueuedScore[]>;
  /** Sends the waiting scores of the signed-in player, until none is left or a score has to wait. */
  flush(): Promise<void>;
  /** As `flush`, after a change of the user or the network: the next waits are short again. */
  restart(): Promise<void>;
  /** Takes scores out of the queue, and resolves to these scores. */
  drop(isDropped: (queued: QueuedScore) => boolean): Promise<QueuedScore[]>;
  /** Gives a player's waiting scores to another player, and resolves to these scores as they wait now. */
  claim(from: string, to: string): Promise<QueuedScore[]>;
  stop(): void;
}

/**
 * The refusals that never change. All other errors pass: by themselves, or when an owner mends a deployment, a definition or
 * App Check. So they lose no score. Nor does a code that this version does not know, of newer functions.
 */
const forGood: readonly FirerankErrorCode[] = [
  "invalid_request",
  "score_out_of_range",
  "season_closed",
  "player_banned",
  "player_erased",
  "too_many_attempts",
  "server_scores_only",
];

/**
 * Whether a refusal is only about fields that the client has added to a score: older functions may not know these fields.
 */
function isAboutOwnFields({ fields }: FirerankError, { score }: QueuedScore): boolean {
  const ofApp = new Set(["score", "columns", ...Object.keys(score)]);
  return fields.length > 0 && !fields.some(({ path }) => ofApp.has(path.split(".")[0] ?? ""));
}

/** The first wait. Each wait is twice the wait before, less up to a half at random. */
const firstSendWaitMs = 5_000;
const longestSendWaitMs = 5 * 60_000;
/** The longest wait after an error that an owner has to mend. */
const longestForOwnerMs = 6 * 3_600_000;
/** A pause between two refusals counts at most this much towards the time for which a score could not be sent. */
const pauseMsMax = 2 * 86_400_000;
/** The longest time for a timer, 25 days. A timer with a longer time ends at once. */
const timerMsMax = 2 ** 31 - 1;

/** What became of a score. `answered`: the score counted or was refused for good. */
type Outcome = "answered" | "expired" | "waits";

/**
 * This is one function, as its inner functions share the queue's state: the wait, what is settled, whether it was stopped.
 */
export function createSendQueue(world: SendQueueWorld): SendQueue {
  const { store, player, later } = world;
  let wait = firstSendWaitMs;
  let isStopped = false;
  let cancel: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  /**
   * The scores that were sent or dropped and may still be in the store. After a restart of the app such a score is sent again,
   * and counts once.
   */
  const settled = new Set<string>();
  /** Players whose scores are no longer stuck, though the store may still say so. */
  const unstuck = new Set<string>();

  function flush(): Promise<void> {
    isAskedAgain = true;
    running ??= run().finally(() => {
      running = undefined;
      // flush() was called after the last look at the store.
      if (isAskedAgain && !isStopped) void flush();
    });
    return running;
  }

  async function run(): Promise<void> {
    while (isAskedAgain && !isStopped) {
      isAskedAgain = false;
      cancel?.();
      try {
        // The queue may be stopped while it waits for its turn.
        await world.alone(async () => {
          if (!isStopped) await sendAll();
        });
      } catch {
        // The store failed. Its scores stay.
        waitFor(longestSendWaitMs);
      }
    }
  }

  async function sendAll(): Promise<void> {
    await takeOut();
    await expireOthers();
    while (!isStopped) {
      const left = await waiting();
      const uid = player();
      const first = left.find((queued) => queued.player === uid);
      if (first === undefined) break;
      const outcome = await settle(first);
      if (outcome === "waits") {
        if (player() === uid) return;
        continue;
      }
      await takeOut();
      if (outcome === "answered" && settled.size === 0) wait = firstSendWaitMs;
    }
    if (settled.size > 0) waitFor(longestSendWaitMs);
  }

  /**
   * Notes since when the scores of other players wait, and drops those that have waited for too long: a player may never
   * come back.
   */
  async function expireOthers(): Promise<void> {
    const uid = player();
    if (uid === undefined) return;
    const isAbsent = ({ player: of }: QueuedScore) => of !== uid && of !== notKnownYet;
    const all = await waiting();
    const absent = all.filter(isAbsent);
    const nowMs = absent.length === 0 ? 0 : await world.serverMs();
    const isBack = all.some((one) => one.player === uid && one.absent_since !== undefined);
    if (isBack || (nowMs > 0 && absent.some((one) => one.absent_since === undefined)))
      await note((one) => {
        if (one.player === uid) return { ...one, absent_since: undefined };
        return isAbsent(one) && nowMs > 0 ? { ...one, absent_since: one.absent_since ?? isoOf(nowMs) } : one;
      });
    for (const queued of absent)
      if (nowMs - Date.parse(queued.absent_since ?? "") > world.maxAgeMs) drop(queued, expired(queued));
    await takeOut();
  }

  /**
   * Notes that a player's scores can't be sent, as the first one was refused. Returns whether that has lasted for too long. It
   * counts from the first refusal, as `made_at` may be wrong.
   */
  async function isStuckTooLong(queued: QueuedScore): Promise<boolean> {
    const nowMs = await world.serverMs();
    if (nowMs === 0) return false;
    await note((one) =>
      one.player === queued.player
        ? { ...one, stuck_since: isoOf(stuckSinceMs(one, nowMs)), stuck_at: isoOf(nowMs) }
        : one,
    );
    return nowMs - stuckSinceMs(queued, nowMs) > world.maxAgeMs;
  }

  /** Changes the scores in the store. If the store fails, the next attempt notes it. */
  function note(edit: (queued: QueuedScore) => QueuedScore): Promise<void> {
    return store.change(edit).catch(() => undefined);
  }

  async function waiting(): Promise<QueuedScore[]> {
    return (await store.all()).filter((queued) => !isSettled(queued));
  }

  function isSettled(queued: QueuedScore): boolean {
    return settled.has(submissionKey(queued));
  }

  /**
   * Takes settled scores out of the store. If the store fails, this is tried again later, and the scores are not sent
   * again.
   */
  async function takeOut(): Promise<void> {
    if (settled.size === 0 && unstuck.size === 0) return;
    try {
      await store.change((one) => {
        if (isSettled(one)) return undefined;
        return unstuck.has(one.player) ? { ...one, stuck_since: undefined, stuck_at: undefined } : one;
      });
    } catch {
      return;
    }
    settled.clear();
    unstuck.clear();
  }

  /** After an answer of the server the player's other scores are not stuck any more. */
  function answered({ player: of, stuck_since: since }: QueuedScore): void {
    if (since !== undefined) unstuck.add(of);
  }

  async function settle(queued: QueuedScore): Promise<Outcome> {
    try {
      if (!stillCounts(queued)) {
        drop(queued, new FirerankError("expired", `The score of ${queued.made_at} no longer counts.`));
        return "expired";
      }
      const answer = await world.send(queued);
      settled.add(submissionKey(queued));
      answered(queued);
      tell(() => world.onSent?.(answer, queued));
      return "answered";
    } catch (cause) {
      return failed(queued, toFirerankError("scoreQueue", cause));
    }
  }

  /** Whether the app wants the score to be sent. If the app's function throws, the score is sent. */
  function stillCounts(queued: QueuedScore): boolean {
    try {
      return world.stillCounts?.(queued) ?? true;
    } catch (error) {
      console.error(error);
      return true;
    }
  }

  async function failed(queued: QueuedScore, error: FirerankError): Promise<Outcome> {
    if (forGood.includes(error.code) && !isAboutOwnFields(error, queued)) {
      drop(queued, error);
      answered(queued);
      return "answered";
    }
    const isForOwner = !isPassing(error) && error.code !== "too_frequent";
    if (error.code === "too_frequent") answered(queued);
    // If the score's player has signed out, the score waits for the next sign-in, and no timer is set.
    if (player() === queued.player) {
      if (isForOwner && (await isStuckTooLong(queued))) {
        drop(queued, expired(queued, error));
        return "expired";
      }
      waitFor(isForOwner ? longestForOwnerMs : longestSendWaitMs, error.retryAfterSeconds);
    }
    tell(() => world.onWaiting?.(error, queued));
    return "waits";
  }

  function drop(queued: QueuedScore, error: FirerankError): void {
    settled.add(submissionKey(queued));
    tell(() => world.onDropped?.(error, queued));
  }

  /** Tries again after a wait. @param seconds the wait that the server has named, if it has. */
  function waitFor(longestMs: number, seconds?: number): void {
    cancel?.();
    if (isStopped) return;
    const ownMs = Math.min(wait, longestMs);
    cancel = later(
      () => void flush(),
      seconds === undefined ? ownMs * (0.5 + world.random() / 2) : Math.min(seconds * 1_000, timerMsMax),
    );
    if (seconds === undefined) wait = Math.min(longestForOwnerMs, 2 * ownMs);
  }

  return {
    waiting,
    flush,
    async drop(isDropped) {
      const dropped: QueuedScore[] = [];
      await store.change((one) => {
        if (isSettled(one) || !isDropped(one)) return one;
        dropped.push(one);
        return undefined;
      });
      return dropped;
    },
    claim: (from, to) =>
      // A score that is being sent may count for the former player, so it can't be claimed: this waits until it is sent.
      world.alone(async () => {
        const claimed: QueuedScore[] = [];
        await store.change((one, all) => {
          if (from === to || one.player !== from || isSettled(one)) return one;
          // The account has a name of its own.
          const { display_name: _, ...score } = one.score;
          const mine = { ...one, player: to, score };
          if (all.some((other) => isSame(other, mine))) return undefined;
          claimed.push(mine);
          return mine;
        });
        return claimed;
      }),
    restart() {
      wait = firstSendWaitMs;
      return flush();
    },
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}

function expired({ made_at: madeAt }: QueuedScore, cause?: FirerankError): FirerankError {
  const problem = cause === undefined ? "its player did not come back" : cause.message;
  return new FirerankError("expired", `The score of ${madeAt} has waited for too long: ${problem}`, {
    cause,
  });
}

const isoOf = (ms: number) => new Date(ms).toISOString();

/** Since when a score that was refused just now has been stuck, in milliseconds since 1970. */
function stuckSinceMs({ stuck_since: since, stuck_at: at }: QueuedScore, nowMs: number): number {
  if (since === undefined || at === undefined) return nowMs;
  return Date.parse(since) + Math.max(0, nowMs - Date.parse(at) - pauseMsMax);
}

function submissionKey({ player, score }: QueuedScore): string {
  return `${player}/${score.submission_id}`;
}

/** Calls a function of the app. If it throws, the error is logged, and the queue goes on. */
function tell(report: () => void): void {
  try {
    report();
  } catch (error) {
    console.error(error);
  }
}
