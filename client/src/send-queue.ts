/**
 * Sends what a store holds, in order and one at a time, until it is empty or something has to wait. It knows nothing of
 * browsers and Firebase: what it needs is passed in.
 */
import type { Submission } from "./answers.ts";
import { FirerankError, type FirerankErrorCode, toFirerankError } from "./firerank-error.ts";
import type { Score } from "./submit-score.ts";

/** A score that waits to be sent. */
export interface QueuedScore {
  /** Who made it: it is sent only while this user is signed in. */
  player: string;
  score: Score & { submission_id: string };
  /** When it was made, by the device's clock; ISO 8601. */
  made_at: string;
}

/** Where scores wait, in the order in which they were added. */
export interface QueueStore {
  all(): Promise<QueuedScore[]>;
  /** Adds a score, unless one of this player with this id is there. @throws `not_stored` beyond `max` scores. */
  add(queued: QueuedScore, max: number): Promise<void>;
  remove(queued: QueuedScore): Promise<void>;
}

/** What an app hears about its scores. */
export interface QueueReports {
  /** A score counted. Among several tabs, the one that sent it hears this. */
  onSent?: ((answer: Submission, queued: QueuedScore) => void) | undefined;
  /** A score was refused for good, or was too old: it is no longer in the queue. */
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
  /** Runs work while no other tab runs its own. */
  alone: (work: () => Promise<void>) => Promise<void>;
  /** Calls back after a while; the returned function prevents that. */
  later: (work: () => void, ms: number) => () => void;
  now: () => number;
  maxAgeMs: number;
}

export interface SendQueue {
  /** The scores that wait, oldest first. */
  waiting(): Promise<QueuedScore[]>;
  /** Sends what waits, until nothing of this player is left or the first has to wait. */
  flush(): Promise<void>;
  stop(): void;
}

/** Sent again, these may succeed: no connection, no token, a fault that somebody mends. */
const waits: readonly FirerankErrorCode[] = [
  "unavailable",
  "deadline_exceeded",
  "contention",
  "unknown_schema_version",
  "internal",
  "function_not_found",
  "permission_denied",
  "unauthenticated",
  "too_frequent",
];

/** The first wait, which doubles, and the longest. */
const firstWaitMs = 5_000;
const longestWaitMs = 5 * 60_000;

export function createSendQueue(parts: SendQueueParts): SendQueue {
  const { store, player, later, now } = parts;
  let wait = firstWaitMs;
  let isStopped = false;
  let cancel: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  /** What was sent or dropped and may still be in the store. After a restart it is sent again, and counts once. */
  const settled = new Map<string, QueuedScore>();

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
        await parts.alone(sendAll);
      } catch {
        // The store failed. What is in it stays.
        waitFor(undefined);
      }
    }
  }

  async function sendAll(): Promise<void> {
    await takeOut();
    while (!isStopped) {
      const left = await waiting();
      const uid = player();
      const first = left.find((queued) => queued.player === uid);
      if (first === undefined) break;
      if (await settle(first)) {
        await takeOut();
        if (settled.size === 0) wait = firstWaitMs;
      } else if (player() === uid) return;
    }
    if (settled.size > 0) waitFor(undefined);
  }

  async function waiting(): Promise<QueuedScore[]> {
    return (await store.all()).filter((queued) => !settled.has(nameOf(queued)));
  }

  /** Takes settled scores out of the store. If one cannot be, that alone is tried again later, and no sending. */
  async function takeOut(): Promise<void> {
    for (const [name, queued] of settled) {
      try {
        await store.remove(queued);
      } catch {
        return;
      }
      settled.delete(name);
    }
  }

  /** Sends one; whether that settled it. */
  async function settle(queued: QueuedScore): Promise<boolean> {
    if (now() - Date.parse(queued.made_at) > parts.maxAgeMs) {
      drop(queued, new FirerankError("expired", `The score of ${queued.made_at} is too old to be sent.`));
      return true;
    }
    try {
      const answer = await parts.send(queued);
      settled.set(nameOf(queued), queued);
      tell(() => parts.onSent?.(answer, queued));
      return true;
    } catch (cause) {
      const error = toFirerankError("scoreQueue", cause);
      if (waits.includes(error.code)) {
        waitFor(error.retryAfterSeconds);
        tell(() => parts.onWaiting?.(error, queued));
        return false;
      }
      drop(queued, error);
      return true;
    }
  }

  function drop(queued: QueuedScore, error: FirerankError): void {
    settled.set(nameOf(queued), queued);
    tell(() => parts.onDropped?.(error, queued));
  }

  function waitFor(seconds: number | undefined): void {
    cancel?.();
    if (isStopped) return;
    cancel = later(() => void flush(), seconds === undefined ? wait : seconds * 1_000);
    if (seconds === undefined) wait = Math.min(longestWaitMs, 2 * wait);
  }

  return {
    waiting,
    flush,
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
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
