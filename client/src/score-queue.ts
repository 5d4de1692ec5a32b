/** `firerank-client/queue`: keeps scores until they are sent, over lost connections and restarts of the app. */
import { type Auth, onAuthStateChanged } from "firebase/auth";
import { spanOfId } from "../../functions/src/model/season-id.ts";
import { scoreProblem } from "../../functions/src/model/score.ts";
import { alone } from "./alone.ts";
import { authOf, settledAuth } from "./as-player.ts";
import { FirerankError, invalidField } from "./firerank-error.ts";
import { checkOptions, isFunction, type Rule } from "./known-options.ts";
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
   * Databases in which the board was before; `(default)` is the default database. Scores that still wait from that time are
   * sent too. A queue does not depend on `region` and `prefix`.
   */
  formerDatabases?: readonly string[] | undefined;
  /** How many scores of a player may wait, by default 100. Of all players of the device ten times as many may wait. */
  max?: number | undefined;
  /**
   * Which scores lead. Say it only for a board that keeps the best score and has neither columns nor `max_change`. A new score
   * then replaces the player's waiting scores that are worse, unless a display name or a segment would be lost. Nothing is
   * reported about the replaced scores. By default all scores are sent.
   */
  best?: "highest" | "lowest" | undefined;
  /**
   * How long a score that can't be sent is kept, in milliseconds, by default 30 days; then it is dropped. A score can't be sent
   * if the server refuses it for a reason that does not pass by itself, or if its player is not signed in. The time begins
   * when the queue first notices this.
   */
  maxAgeMs?: number | undefined;
  /**
   * The queue asks this before it sends a score. False drops the score as `expired`. By default every score counts, however
   * late.
   */
  stillCounts?: ((queued: QueuedScore) => boolean) | undefined;
}

export interface ScoreQueue<Types extends BoardTypes = BoardTypes> {
  /**
   * Keeps a score of the signed-in player, and sends the score as soon as possible. It is stored at once. The promise resolves
   * when the score is stored and Firebase Auth knows who is signed in.
   * @throws `unauthenticated` if nobody is signed in; `not_stored`; `invalid_request` for a score that is no number
   */
  submit(score: Score<Types>): Promise<QueuedScore>;
  /** The waiting scores of all players of the device, the oldest first. */
  waiting(): Promise<QueuedScore[]>;
  /**
   * Takes waiting scores of any player out of the queue, and resolves to the scores taken out. A score that is being sent may
   * still count. `onDropped` is not called for these scores.
   * @example await queue.drop(({ player }) => player !== uid);
   */
  drop(isDropped: (queued: QueuedScore) => boolean): Promise<QueuedScore[]>;
  /**
   * Gives the waiting scores of a guest to the signed-in player, and resolves to those scores. It is for a guest who has signed
   * in to an account that was there before. The scores keep their `submission_id`, and lose their `display_name`. Call this
   * after `mergeGuest` or `mergePlayers`, so that a score that has counted for the guest does not count again.
   * @throws `unauthenticated` if nobody is signed in
   */
  claim(from: string): Promise<QueuedScore[]>;
  /**
   * Tries to send now, and resolves when all scores are sent or a score has to wait. The next waits are short again. In React
   * Native the queue does not notice that the device is online again: call this then, and not after each score.
   */
  flush(): Promise<void>;
  /** Stops sending. The waiting scores are kept for a queue that is made later. */
  stop: () => void;
}

const day = 86_400_000;

const functionRule: Rule = ["must be a function", isFunction];

/** What is right for each option. A wrong word for `best` would throw good scores away. */
const rules: Readonly<Record<keyof QueueOptions, Rule>> = {
  storage: [
    "must have getItem and setItem",
    (value) => isFunction(partOf(value, "getItem")) && isFunction(partOf(value, "setItem")),
  ],
  formerDatabases: ["must be a list of ids of databases", Array.isArray],
  max: ["must be at least 1", (value) => typeof value === "number" && value >= 1],
  best: ['must be "highest" or "lowest"', (value) => value === "highest" || value === "lowest"],
  maxAgeMs: ["must be a number of milliseconds above 0", (value) => typeof value === "number" && value > 0],
  stillCounts: functionRule,
  onSent: functionRule,
  onDropped: functionRule,
  onWaiting: functionRule,
};

/**
 * Makes the queue of a board's scores. Scores that an earlier page or start of the app has left in the queue are sent too. The
 * queue sends at once, when the device comes online, when a player signs in, and after waits. The waits grow from 5 seconds
 * to 5 minutes, and after errors that an owner has to mend to 6 hours.
 *
 * A score keeps its `submission_id`, so it counts once. Scores are sent one at a time and in order, and in a browser by one of
 * the tabs. A score counts when it arrives, in the seasons that run then, whatever `made_at` says.
 *
 * Cost: for each score that of `submitScore`, and for each attempt that fails one call of the function.
 * @throws `invalid_request` for a board whose `season` is a day, week or month, and for an option or a value that it does not
 * have
 *
 * This is one function, as it only connects the queue with the user, the store and the device.
 */
export function scoreQueue<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  options?: QueueOptions,
): ScoreQueue<Types>;
export function scoreQueue(board: Leaderboard, options: QueueOptions = {}): ScoreQueue {
  checkOptions(options, rules);
  const { storage, formerDatabases = [], max = 100, best, maxAgeMs = 30 * day, ...reports } = options;
  const platform = globalThis as Platform;
  const { key, store } = storeOf(platform, board, storage, formerDatabases);
  /** Undefined until Firebase Auth knows who is signed in. */
  let auth: Auth | undefined;
  let stopAuth: (() => void) | undefined;
  let isStopped = false;
  let wasRefused = false;
  let passedMs = 0;

  /** When the player's token was issued, in milliseconds since 1970: the device's own clock may be wrong. */
  async function serverMs(): Promise<number> {
    try {
      const token = await auth?.currentUser?.getIdTokenResult();
      passedMs = Math.max(passedMs, Date.parse(token?.issuedAtTime ?? "") || 0);
    } catch {
      // Without a connection the last time known is taken.
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
  /**
   * Who was signed in when Firebase Auth first knew. Scores made before that moment are this user's, also those of an
   * earlier run.
   */
  let first: string | undefined;
  /** The ids of submissions that this run made before that moment. */
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
    await giveToFirst().catch(() => undefined); // If the store fails now, the next start of the app does this.
    if (isStopped) return;
    stopAuth = onAuthStateChanged(auth, (user) => {
      if (user === null) return;
      void serverMs();
      restart();
    });
  });
  ready.catch(() => undefined); // submit() rejects with this error.

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
 * Whether a waiting score is worse than a newer score of its player, and so would change nothing on a board that keeps the
 * best score and has neither columns nor `max_change`. An equal score is not worse, as the first of equal scores counts.
 */
function isWorse(waiting: QueuedScore, newer: QueuedScore, best: "highest" | "lowest"): boolean {
  const { score: value, display_name: name, segments = {} } = waiting.score;
  const { score: newest, display_name: newName, segments: newSegments = {} } = newer.score;
  if (waiting.player !== newer.player || value === undefined || newest === undefined) return false;
  if (name !== undefined && newName === undefined) return false;
  if (Object.keys(segments).some((one) => !Object.hasOwn(newSegments, one))) return false;
  return best === "highest" ? value < newest : value > newest;
}

/** A copy of a score as it will be sent. @throws `invalid_request` for a score that no server could ever take */
function asSent(score: Score): Score {
  const problem = score.score === undefined ? undefined : scoreProblem(score.score);
  if (problem !== undefined) throw invalidField("score", problem);
  return plainJson(score);
}

function partOf(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null)?.[name];
}

function nobodySignedIn(): FirerankError {
  return new FirerankError("unauthenticated", "scoreQueue: nobody is signed in.");
}

/**
 * The store of a board's queue, and the queue's key. The key has no region, as the board's functions may move to another
 * region.
 */
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
