/** `firerank-client/queue`: scores that are kept until they could be sent, over a lost connection and a restart. */
import { type Auth, onAuthStateChanged } from "firebase/auth";
import { spanOfId } from "../../functions/src/model/season-id.ts";
import { scoreProblem } from "../../functions/src/model/score.ts";
import { alone } from "./alone.ts";
import { authOf, settledAuth } from "./as-player.ts";
import { FirerankError, invalidField } from "./firerank-error.ts";
import type { BoardTypes, Leaderboard } from "./leaderboard.ts";
import { plainJson } from "./plain-json.ts";
import type { Platform } from "./platform.ts";
import { indexedDbStore, noStore, type QueueStorage, textStore } from "./queue-stores.ts";
import {
  createSendQueue,
  notKnownYet,
  type QueuedScore,
  type QueueReports,
  type QueueStore,
} from "./send-queue.ts";
import { newId, type Score, seasonSubmittedTo, submitScoreAs } from "./submit-score.ts";

export type { QueuedScore, QueueStorage };

export interface QueueOptions extends QueueReports {
  /** Where scores wait; by default IndexedDB. */
  storage?: QueueStorage | undefined;
  /**
   * Databases that the board was in before, `(default)` for the default one: what is left of that time is sent too. Another
   * `region` or `prefix` makes no difference.
   */
  formerDatabases?: readonly string[] | undefined;
  /** How many scores of a player wait at most, by default 100; of all players of the device ten times as many. */
  max?: number | undefined;
  /**
   * Of a board that keeps the best score, and has neither columns nor `max_change`: which scores lead. A new score then
   * takes out the waiting ones of its player that are worse, unless it would lose their name or a segment. Nothing is reported of those.
   * By default all are sent.
   */
  best?: "highest" | "lowest" | undefined;
  /**
   * How long a score may wait, in milliseconds, after the queue has first found that it can't be sent: it is refused for
   * a reason that does not pass by itself, or its player is not signed in. Then it is dropped. By default 30 days.
   */
  maxAgeMs?: number | undefined;
  /** Asked before each score is sent: false drops it as `expired`. By default every score counts, however late. */
  stillCounts?: ((queued: QueuedScore) => boolean) | undefined;
}

export interface ScoreQueue<Types extends BoardTypes = BoardTypes> {
  /**
   * Keeps a score of the signed-in player, and sends it as soon as it can. Resolves when it is stored and Firebase Auth
   * knows who that player is; it is stored without waiting for that.
   * @throws `unauthenticated` if nobody is signed in; `not_stored`; `invalid_request` for a score that is no number
   */
  submit(score: Score<Types>): Promise<QueuedScore>;
  /** The scores that wait, of all players of the device, oldest first. */
  waiting(): Promise<QueuedScore[]>;
  /**
   * Takes waiting scores out of the queue, of any player, and resolves to those. One that is being sent may still count.
   * `onDropped` isn't called for them.
   * @example await queue.drop(({ player }) => player !== uid);
   */
  drop(isDropped: (queued: QueuedScore) => boolean): Promise<QueuedScore[]>;
  /**
   * Makes the waiting scores of another player the signed-in player's, and resolves to those: of a guest who has signed
   * in to an account that was there before. They keep their `submission_id`, and lose their `display_name`. Call it after
   * `mergePlayers`: then a score that has counted for the guest already does not count again.
   * @throws `unauthenticated` if nobody is signed in
   */
  claim(from: string): Promise<QueuedScore[]>;
  /**
   * Tries now, and resolves when all is sent or something has to wait. The next waits are short again: call it when
   * the device is online again, where the queue can't hear that, as in React Native; not after each score.
   */
  flush(): Promise<void>;
  /** Sends nothing more. What waits is kept, for a queue that is made later. */
  stop: () => void;
}

const day = 86_400_000;

/**
 * A queue of a board's scores. What an earlier page or start of the app has left in it is sent too: at once, when the
 * device comes online, when its player signs in, and after waits that grow from 5 seconds to 5 minutes; to 6 hours after
 * errors that an owner has to mend.
 *
 * Each score is sent under one `submission_id`, one at a time and in order; among the tabs of a browser, by one. So it
 * counts once. It counts when it arrives, in the seasons that run then, whatever `made_at` says.
 *
 * Cost: as `submitScore`, and one call of the function for each attempt that fails.
 * @throws `invalid_request` for a board whose `season` is a day, week or month
 *
 * It is one function, as it only connects the queue with the user, the store and the device.
 */
export function scoreQueue<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  options?: QueueOptions,
): ScoreQueue<Types>;
export function scoreQueue(
  board: Leaderboard,
  { storage, formerDatabases = [], max = 100, best, maxAgeMs = 30 * day, ...reports }: QueueOptions = {},
): ScoreQueue {
  const platform = globalThis as Platform;
  const { key, store } = storeOf(platform, board, storage, formerDatabases);
  /** Undefined until Firebase Auth knows who is signed in. */
  let auth: Auth | undefined;
  let stopAuth: (() => void) | undefined;
  let isStopped = false;
  let wasRefused = false;
  let passedMs = 0;

  /** The time at which the player's token was issued: the device's own clock may be wrong. */
  async function serverMs(): Promise<number> {
    try {
      const token = await auth?.currentUser?.getIdTokenResult();
      passedMs = Math.max(passedMs, Date.parse(token?.issuedAtTime ?? "") || 0);
    } catch {
      // Offline: what was known stays true.
    }
    return passedMs;
  }

  const queue = createSendQueue({
    ...reports,
    store,
    maxAgeMs,
    async send({ player, score, made_at: madeAt }) {
      try {
        // The queue's own waits are the retries.
        const manner = { player, attemptsMax: 1, madeMs: Date.parse(madeAt), wantsNewToken: wasRefused };
        const answer = await submitScoreAs(manner, board, score);
        wasRefused = false;
        return answer;
      } catch (error) {
        wasRefused = error instanceof FirerankError && error.code === "unauthenticated";
        throw error;
      }
    },
    player: () => auth?.currentUser?.uid,
    alone: (work) => alone(platform, key, work),
    later(work, ms) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    serverMs,
  });
  const restart = () => void queue.restart();
  platform.addEventListener?.("online", restart);
  /** Who was signed in when Firebase Auth first knew: scores made before that, also by an app that ended, are that user's. */
  let first: string | undefined;
  /** The scores of this run that were made before. */
  const early = new Set<string>();

  async function giveToFirst(): Promise<void> {
    const dropped: QueuedScore[] = [];
    await store.change((one) => {
      if (one.player !== notKnownYet) return one;
      if (first !== undefined) return { ...one, player: first };
      dropped.push(one);
      return undefined;
    });
    for (const one of dropped)
      if (!early.has(one.score.submission_id)) reports.onDropped?.(nobodySignedIn(), one);
  }

  const ready = settledAuth(board).then(async (settled) => {
    auth = settled;
    first = settled.currentUser?.uid;
    await giveToFirst().catch(() => undefined); // What the store cannot change now, the next start does.
    if (isStopped) return;
    stopAuth = onAuthStateChanged(auth, (user) => {
      if (user === null) return;
      void serverMs();
      restart();
    });
  });
  ready.catch(() => undefined); // submit() tells

  return {
    async submit(score) {
      const kept = asSent(score);
      const player = auth === undefined ? notKnownYet : auth.currentUser?.uid;
      if (player === undefined) throw nobodySignedIn();
      if (player === notKnownYet) authOf(board); // Throws in an app that has no Firebase Auth.
      const queued: QueuedScore = {
        player,
        score: { ...kept, submission_id: kept.submission_id ?? newId() },
        made_at: new Date(Math.max(Date.now(), passedMs)).toISOString(),
      };
      if (player === notKnownYet) early.add(queued.score.submission_id);
      await store.add(queued, max, (one) => best !== undefined && isWorse(one, queued, best));
      if (player === notKnownYet) {
        await ready;
        await giveToFirst();
        if (first === undefined) throw nobodySignedIn();
        queued.player = first;
      }
      void queue.flush();
      return queued;
    },
    waiting: () => queue.waiting(),
    async drop(isDropped) {
      await ready.catch(() => undefined);
      return queue.drop(isDropped);
    },
    async claim(from) {
      await ready;
      const to = auth?.currentUser?.uid;
      if (to === undefined) throw nobodySignedIn();
      const claimed = await queue.claim(from, to);
      void queue.flush();
      return claimed;
    },
    async flush() {
      await ready;
      await queue.restart();
    },
    stop: () => {
      isStopped = true;
      queue.stop();
      stopAuth?.();
      platform.removeEventListener?.("online", restart);
    },
  };
}

/**
 * Whether a waiting score is worse than a newer one, and so would change nothing, on a board that keeps the best and has
 * neither columns nor `max_change`. Of equal scores the first one counts, with its metadata.
 */
function isWorse(waiting: QueuedScore, newer: QueuedScore, best: "highest" | "lowest"): boolean {
  const { score: value, display_name: name, segments = {} } = waiting.score;
  const { score: newest, display_name: newName, segments: newSegments = {} } = newer.score;
  if (waiting.player !== newer.player || value === undefined || newest === undefined) return false;
  if (name !== undefined && newName === undefined) return false;
  if (Object.keys(segments).some((one) => newSegments[one] === undefined)) return false;
  return best === "highest" ? value < newest : value > newest;
}

/** A copy of the score as it will be sent. @throws `invalid_request` if no server could ever take it */
function asSent(score: Score): Score {
  const problem = score.score === undefined ? undefined : scoreProblem(score.score);
  if (problem !== undefined) throw invalidField("score", problem);
  return plainJson(score);
}

function nobodySignedIn(): FirerankError {
  return new FirerankError("unauthenticated", "scoreQueue: nobody is signed in.");
}

/** The store of a board's queue, and its key. A board is its database's: its functions may move to another region. */
function storeOf(
  platform: Platform,
  board: Leaderboard,
  storage: QueueStorage | undefined,
  formerDatabases: readonly string[],
): { key: string; store: QueueStore } {
  const { projectId = "" } = (board.functions ?? board).app.options;
  const tournament = seasonSubmittedTo(board) ?? "";
  if (spanOfId(tournament) !== "custom")
    throw invalidField("season", `"${tournament}" ends; leave season out, and scores count for all spans`);
  const keys = [board.database, ...formerDatabases].map((name = "(default)") =>
    ["firerank", projectId, name === "(default)" ? "" : name, board.id, tournament].join("/"),
  );
  const [key = ""] = keys;
  if (storage === undefined)
    return { key, store: platform.indexedDB ? indexedDbStore(platform.indexedDB, keys) : noStore() };
  return { key, store: textStore(storage, keys, (work) => alone(platform, `${key} change`, work)) };
}
