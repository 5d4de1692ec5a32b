/**
 * Sends what a store holds, in order and one at a time, until it is empty or something has to wait. It knows nothing of
 * browsers and Firebase: what it needs is passed in.
 */
import type { Submission } from "./answers.ts";
import { FirerankError, type FirerankErrorCode, toFirerankError } from "./firerank-error.ts";
import { isPassing } from "./retries.ts";
import type { Score } from "./submit-score.ts";

/** The player of a score that was made before Firebase Auth knew who is signed in. */
export const notKnownYet = "";

/** A score that waits to be sent. */
export interface QueuedScore {
  /** Who made it: it is sent only while this user is signed in. Empty until Firebase Auth knows, after the app has started. */
  player: string;
  score: Score & { submission_id: string };
  /** When it was made, by the clock of the device, but not before the last time that a server has told; ISO 8601. */
  made_at: string;
  /**
   * When it was first and last refused for a reason that an owner has to mend, by a server's clock; ISO 8601. A long pause
   * between two refusals moves the first one, as nobody has tried meanwhile.
   */
  stuck_since?: string | undefined;
  stuck_at?: string | undefined;
  /** When the queue first found another player signed in, by a server's clock; ISO 8601. */
  absent_since?: string | undefined;
}

/** Where scores wait, in the order in which they were added. */
export interface QueueStore {
  all(): Promise<QueuedScore[]>;
  /**
   * Adds a score, unless one of this player with this id is there.
   * @param max how many of a player wait at most; of all players, ten times as many. @throws `not_stored` beyond that
   * @param isReplaced which ones it takes out.
   */
  add(queued: QueuedScore, max: number, isReplaced?: (one: QueuedScore) => boolean): Promise<void>;
  /** Replaces each score, in its place; undefined takes it out. */
  change(edit: (queued: QueuedScore, all: readonly QueuedScore[]) => QueuedScore | undefined): Promise<void>;
}

/** Whether two are the same submission. */
export function isSame(a: QueuedScore, b: QueuedScore): boolean {
  return a.player === b.player && a.score.submission_id === b.score.submission_id;
}

/** What an app hears about its scores. */
export interface QueueReports {
  /** A score counted. Among several tabs, the one that sent it hears this. */
  onSent?: ((answer: Submission, queued: QueuedScore) => void) | undefined;
  /** A score was refused for good, has expired or no longer counts: it is no longer in the queue. */
  onDropped?: ((error: FirerankError, queued: QueuedScore) => void) | undefined;
  /** A score could not be sent now. It stays and is tried again. */
  onWaiting?: ((error: FirerankError, queued: QueuedScore) => void) | undefined;
}

export interface SendQueueParts extends QueueReports {
  store: QueueStore;
  /** Sends a score if its player is signed in. */
  send: (queued: QueuedScore) => Promise<Submission>;
  /** Who is signed in. */
  player: () => string | undefined;
  /** Runs work while no other work of this board's queues runs, in any tab. */
  alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Calls back after a while; the returned function prevents that. */
  later: (work: () => void, ms: number) => () => void;
  /** From 0 up to, but not including, 1. */
  random: () => number;
  /** A time in milliseconds since 1970 that has passed for sure, by a server's clock; 0 if none is known. */
  serverMs: () => Promise<number>;
  maxAgeMs: number;
  /** Asked before each score is sent; false drops it. */
  stillCounts?: ((queued: QueuedScore) => boolean) | undefined;
}

export interface SendQueue {
  /** The scores that wait, oldest first. */
  waiting(): Promise<QueuedScore[]>;
  /** Sends what waits, until nothing of this player is left or the first has to wait. */
  flush(): Promise<void>;
  /** The same, and the next waits are short again: the user or the network is another. */
  restart(): Promise<void>;
  /** Takes scores out of the queue; resolves to those. */
  drop(isDropped: (queued: QueuedScore) => boolean): Promise<QueuedScore[]>;
  /** Makes a player's waiting scores another's; resolves to those, as they wait now. */
  claim(from: string, to: string): Promise<QueuedScore[]>;
  stop(): void;
}

/**
 * These stay as they are. All others pass: by themselves, or when an owner mends something such as a deploy, a definition
 * or App Check. No score is lost over that, nor over a code of functions that are newer than the app.
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

/** Whether a refusal is about what the client added to a score: functions that went back a release may not know that. */
function isAboutOwnFields({ fields }: FirerankError, { score }: QueuedScore): boolean {
  const ofApp = new Set(["score", "columns", ...Object.keys(score)]);
  return fields.length > 0 && !fields.some(({ path }) => ofApp.has(path.split(".")[0] ?? ""));
}

/** The first wait, which doubles, and the longest. Up to half of a wait is left out at random. */
const firstWaitMs = 5_000;
const longestWaitMs = 5 * 60_000;
const longestForOwnerMs = 6 * 3_600_000;
/** Of a pause between two refusals as much counts as time in which a score could not be sent. */
const pauseMsMax = 2 * 86_400_000;
/** 25 days. A timer that is given more ends at once. */
const timerMsMax = 2 ** 31 - 1;

/** `answered`: it counted or was refused. */
type Outcome = "answered" | "expired" | "waits";

/** One function, as all of its parts share the queue's state: the wait, what is settled, whether it was stopped. */
export function createSendQueue(parts: SendQueueParts): SendQueue {
  const { store, player, later } = parts;
  let wait = firstWaitMs;
  let isStopped = false;
  let cancel: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  /** The names of what was sent or dropped and may still be in the store. After a restart it is sent again, and counts once. */
  const settled = new Set<string>();
  /** Players whose scores may still be noted as stuck in the store, and are not. */
  const unstuck = new Set<string>();

  function flush(): Promise<void> {
    isAskedAgain = true;
    running ??= run().finally(() => {
      running = undefined;
      // Asked for after the last look.
      if (isAskedAgain && !isStopped) void flush();
    });
    return running;
  }

  async function run(): Promise<void> {
    while (isAskedAgain && !isStopped) {
      isAskedAgain = false;
      cancel?.();
      try {
        // While it waits for its turn, it may be stopped.
        await parts.alone(async () => {
          if (!isStopped) await sendAll();
        });
      } catch {
        // The store failed. What is in it stays.
        waitFor(longestWaitMs);
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
      if (outcome === "answered" && settled.size === 0) wait = firstWaitMs;
    }
    if (settled.size > 0) waitFor(longestWaitMs);
  }

  /** The scores of players who may never come back cannot be tried. They wait from when this is first found. */
  async function expireOthers(): Promise<void> {
    const uid = player();
    if (uid === undefined) return;
    const isAbsent = ({ player: of }: QueuedScore) => of !== uid && of !== notKnownYet;
    const all = await waiting();
    const absent = all.filter(isAbsent);
    const nowMs = absent.length === 0 ? 0 : await parts.serverMs();
    const isBack = all.some((one) => one.player === uid && one.absent_since !== undefined);
    if (isBack || (nowMs > 0 && absent.some((one) => one.absent_since === undefined)))
      await note((one) => {
        if (one.player === uid) return { ...one, absent_since: undefined };
        return isAbsent(one) && nowMs > 0 ? { ...one, absent_since: one.absent_since ?? isoOf(nowMs) } : one;
      });
    for (const queued of absent)
      if (nowMs - Date.parse(queued.absent_since ?? "") > parts.maxAgeMs) drop(queued, expired(queued));
    await takeOut();
  }

  /** Notes that a score can't be sent, nor those behind it. Whether it has been so for too long; `made_at` may be wrong. */
  async function isStuckTooLong(queued: QueuedScore): Promise<boolean> {
    const nowMs = await parts.serverMs();
    if (nowMs === 0) return false;
    await note((one) =>
      one.player === queued.player
        ? { ...one, stuck_since: isoOf(stuckSinceMs(one, nowMs)), stuck_at: isoOf(nowMs) }
        : one,
    );
    return nowMs - stuckSinceMs(queued, nowMs) > parts.maxAgeMs;
  }

  /** What cannot be noted now is noted next time. */
  function note(edit: (queued: QueuedScore) => QueuedScore): Promise<void> {
    return store.change(edit).catch(() => undefined);
  }

  async function waiting(): Promise<QueuedScore[]> {
    return (await store.all()).filter((queued) => !isSettled(queued));
  }

  function isSettled(queued: QueuedScore): boolean {
    return settled.has(nameOf(queued));
  }

  /** Takes settled scores out of the store. If it fails, that alone is tried again later, and no sending. */
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

  /** The server has answered a player: what waits behind is not stuck any more. */
  function answered({ player: of, stuck_since: since }: QueuedScore): void {
    if (since !== undefined) unstuck.add(of);
  }

  async function settle(queued: QueuedScore): Promise<Outcome> {
    try {
      if (!stillCounts(queued)) {
        drop(queued, new FirerankError("expired", `The score of ${queued.made_at} no longer counts.`));
        return "expired";
      }
      const answer = await parts.send(queued);
      settled.add(nameOf(queued));
      answered(queued);
      tell(() => parts.onSent?.(answer, queued));
      return "answered";
    } catch (cause) {
      return failed(queued, toFirerankError("scoreQueue", cause));
    }
  }

  /** What the app says; if it cannot, the score counts. */
  function stillCounts(queued: QueuedScore): boolean {
    try {
      return parts.stillCounts?.(queued) ?? true;
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
    // If its player has signed out, it waits for the next sign-in.
    if (player() === queued.player) {
      if (isForOwner && (await isStuckTooLong(queued))) {
        drop(queued, expired(queued, error));
        return "expired";
      }
      waitFor(isForOwner ? longestForOwnerMs : longestWaitMs, error.retryAfterSeconds);
    }
    tell(() => parts.onWaiting?.(error, queued));
    return "waits";
  }

  function drop(queued: QueuedScore, error: FirerankError): void {
    settled.add(nameOf(queued));
    tell(() => parts.onDropped?.(error, queued));
  }

  /** @param seconds what the server said, if it did. */
  function waitFor(longestMs: number, seconds?: number): void {
    cancel?.();
    if (isStopped) return;
    const ownMs = Math.min(wait, longestMs);
    cancel = later(
      () => void flush(),
      seconds === undefined ? ownMs * (0.5 + parts.random() / 2) : Math.min(seconds * 1_000, timerMsMax),
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
      // What is being sent may count for the player before, so it is too late to claim that.
      parts.alone(async () => {
        const claimed: QueuedScore[] = [];
        await store.change((one, all) => {
          if (from === to || one.player !== from || isSettled(one)) return one;
          // The name is the account's.
          const { display_name: _, ...score } = one.score;
          const mine = { ...one, player: to, score };
          if (all.some((other) => isSame(other, mine))) return undefined;
          claimed.push(mine);
          return mine;
        });
        return claimed;
      }),
    restart() {
      wait = firstWaitMs;
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

/** Since when a score that was refused now has been stuck, in milliseconds since 1970. */
function stuckSinceMs({ stuck_since: since, stuck_at: at }: QueuedScore, nowMs: number): number {
  if (since === undefined || at === undefined) return nowMs;
  return Date.parse(since) + Math.max(0, nowMs - Date.parse(at) - pauseMsMax);
}

function nameOf({ player, score }: QueuedScore): string {
  return `${player}/${score.submission_id}`;
}

/** Calls the app. A fault of its function is logged, and stops nothing here. */
function tell(report: () => void): void {
  try {
    report();
  } catch (error) {
    console.error(error);
  }
}
