/** Scores that are kept until they could be sent, over a lost connection and a restart of the app. */
import { type Auth, onAuthStateChanged } from "firebase/auth";
import { scoreProblem } from "../../functions/src/model/score.ts";
import { FirerankError, invalidField } from "./firerank-error.ts";
import type { Leaderboard } from "./leaderboard.ts";
import type { Platform } from "./platform.ts";
import { indexedDbStore, noStore, type QueueStorage, textStore } from "./queue-stores.ts";
import { createSendQueue, type QueuedScore, type QueueReports, type QueueStore } from "./send-queue.ts";
import { newId, type Score, settledAuth, submitScoreOf } from "./submit-score.ts";

export type { QueueStorage };

export interface QueueOptions extends QueueReports {
  /** Where scores wait; by default IndexedDB. */
  storage?: QueueStorage | undefined;
  /** How many scores wait at most; by default 100. */
  max?: number | undefined;
  /** Older scores are dropped; by default 30 days, in milliseconds. */
  maxAgeMs?: number | undefined;
}

export interface ScoreQueue {
  /**
   * Keeps a score of the signed-in player, and sends it as soon as it can. Resolves when it is stored.
   * @throws `unauthenticated` if nobody is signed in; `not_stored`; `invalid_request` for a score that is no number
   */
  submit(score: Score): Promise<QueuedScore>;
  /** The scores that wait, of all players of the device, oldest first. */
  waiting(): Promise<QueuedScore[]>;
  /** Tries now, and resolves when all is sent or something has to wait. */
  flush(): Promise<void>;
  /** Sends nothing more. What waits is kept, for a queue that is made later. */
  stop: () => void;
}

const day = 86_400_000;

/**
 * A queue of a board's scores. What an earlier page or start of the app has left in it is sent too: at once, when the
 * device comes online, when its player signs in, and after waits of 5 seconds to 5 minutes.
 *
 * Each score is sent under one `submission_id`, one at a time and in order; among the tabs of a browser, by one. So it
 * counts once. It counts when it arrives, in the seasons that run then, whatever `made_at` says.
 *
 * Cost: as `submitScore`.
 */
export function scoreQueue(
  board: Leaderboard,
  { storage, max = 100, maxAgeMs = 30 * day, ...reports }: QueueOptions = {},
): ScoreQueue {
  const platform = globalThis as Platform;
  const key = ["firerank", board.app.options.projectId, board.id, board.season ?? ""].join("/");
  const store = storeOf(platform, key, storage);
  let auth: Auth | undefined;
  let stopAuth: (() => void) | undefined;
  let isStopped = false;

  const queue = createSendQueue({
    ...reports,
    store,
    maxAgeMs,
    send: ({ player, score }) => submitScoreOf(player, board, score),
    player: () => auth?.currentUser?.uid,
    alone: (work) => alone(platform, key, work),
    later(work, ms) {
      const timer = setTimeout(work, ms);
      return () => {
        clearTimeout(timer);
      };
    },
    now: Date.now,
  });
  const flush = () => void queue.flush();
  platform.addEventListener?.("online", flush);
  const ready = settledAuth(board).then((settled) => {
    auth = settled;
    if (isStopped) return;
    stopAuth = onAuthStateChanged(auth, (user) => {
      if (user !== null) flush();
    });
  });
  ready.catch(() => undefined); // submit() tells

  return {
    async submit(score) {
      if (score.score !== undefined) {
        const problem = scoreProblem(score.score);
        if (problem !== undefined) throw invalidField("score", problem);
      }
      const uid = (await settledAuth(board)).currentUser?.uid;
      if (uid === undefined) {
        const message = "scoreQueue: nobody is signed in, so this score has no player.";
        throw new FirerankError("unauthenticated", message);
      }
      const queued: QueuedScore = {
        player: uid,
        score: { ...score, submission_id: score.submission_id ?? newId() },
        made_at: new Date().toISOString(),
      };
      await store.add(queued, max).catch((cause: unknown) => {
        throw notStored(cause);
      });
      flush();
      return queued;
    },
    waiting: () => queue.waiting(),
    async flush() {
      await ready;
      await queue.flush();
    },
    stop: () => {
      isStopped = true;
      queue.stop();
      stopAuth?.();
      platform.removeEventListener?.("online", flush);
    },
  };
}

function storeOf(platform: Platform, key: string, storage: QueueStorage | undefined): QueueStore {
  if (storage !== undefined) return textStore(storage, key, (work) => alone(platform, `${key} change`, work));
  return platform.indexedDB === undefined ? noStore() : indexedDbStore(platform.indexedDB, key);
}

/** Without locks every tab may send: a score's id makes it count once all the same. */
function alone<Result>(platform: Platform, name: string, work: () => Promise<Result>): Promise<Result> {
  const locks = platform.navigator?.locks;
  return locks === undefined ? work() : locks.request(name, work);
}

function notStored(cause: unknown): FirerankError {
  if (cause instanceof FirerankError) return cause;
  const message = `The score could not be stored on this device (${String(cause)}); submitScore sends it at once.`;
  return new FirerankError("not_stored", message, { cause });
}
