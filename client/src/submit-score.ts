/** Submits the signed-in player's score; it counts once, however often it has to be sent. */
import { type Auth, getAuth, type User } from "firebase/auth";
import { spanOfId } from "../../functions/src/model/season-id.ts";
import type { Submission } from "./answers.ts";
import { call } from "./call.ts";
import { type CallOptions, within } from "./call-options.ts";
import { FirerankError, toFirerankError } from "./firerank-error.ts";
import { generationsOfAll } from "./generations.ts";
import { keyOf, type Leaderboard } from "./leaderboard.ts";
import type { Fresh } from "./reads.ts";
import { isPassing, type Patience, withRetries } from "./retries.ts";

/** `score` or `columns`, and details. */
export interface Score {
  score?: number | undefined;
  /** On a board with several columns: each column by its name. */
  columns?: Record<string, number> | undefined;
  /** Names this submission, at most 64 characters; random if left out. The same id counts once. */
  submission_id?: string | undefined;
  /** At most 64 characters. */
  display_name?: string | undefined;
  /** Plain JSON, at most 1 KB. */
  metadata?: Record<string, unknown> | undefined;
}

/** A score, and how fresh the ranks in the answer have to be: without `freshness` live where that costs nothing. */
export type SubmissionRequest = Score & Fresh;

/** The waits are at most 0.5, 1, 2 and 4 s: enough for a short outage, and players do not wait in vain for long. */
const patience: Patience = { attemptsMax: 5, firstWaitMs: 500, longestWaitMs: 4_000 };

/** An attempt that takes longer is repeated, and all together take no longer than this. */
const attemptMs = 20_000;
const totalMs = 30_000;

/**
 * Records a score of the signed-in player in all spans of the board; in a tournament, if that is the board's `season`.
 *
 * If the network, a token or the database fails, it is sent again, up to 5 times in all and with the same
 * `submission_id`, so it counts once even on a board that sums. Every error has that id as its `submissionId`: after
 * `unavailable`, `deadline_exceeded`, `contention` or `internal` the score may or may not have counted, and a later
 * call with the same id makes sure.
 *
 * It is not sent again if the user signs out or another one signs in, as the score would then count for the wrong
 * player: it rejects with `unauthenticated`.
 *
 * Cost, of the function: for each span 1 read; where something changed 1 write, and 1 for all that share the commit; at most
 * 1 read for the rank.
 * @param options how long it may take with all attempts, by default 30 s, and what ends it.
 * @throws FirerankError
 */
export function submitScore(
  board: Leaderboard,
  score: SubmissionRequest,
  options: CallOptions = {},
): Promise<Submission> {
  return submitScoreAs({}, board, score, options);
}

/** How a score is sent. */
export interface Manner {
  /** Whose score it is: by default that of the user who is signed in. */
  player?: string | undefined;
  attemptsMax?: number | undefined;
  /**
   * When a score was made that waited, in milliseconds since 1970: if the player has sent a name since then, the score
   * goes without its own.
   */
  madeMs?: number | undefined;
  /** Whether to fetch a new token even for the first attempt. */
  wantsNewToken?: boolean | undefined;
}

/**
 * As {@link submitScore}. If another user than the `player` is signed in, it rejects with `unauthenticated` and sends
 * nothing.
 */
export async function submitScoreAs(
  manner: Manner,
  board: Leaderboard,
  score: SubmissionRequest,
  { signal, timeoutMs = totalMs }: CallOptions = {},
): Promise<Submission> {
  const submissionId = score.submission_id ?? newId();
  const submission = { ...score, submission_id: submissionId };
  try {
    return await within("submitScore", { signal, timeoutMs }, async (isOver) =>
      send(board, submission, await settledAuth(board), manner, isOver),
    );
  } catch (error) {
    throw Object.assign(toFirerankError("submitScore", error), { submissionId });
  }
}

/** When the newest score with a name was sent that did not wait and that the server has taken, by board and player. */
const namedMs = /* @__PURE__ */ new Map<string, number>();

function send(
  board: Leaderboard,
  submission: SubmissionRequest,
  auth: Auth,
  {
    player = auth.currentUser?.uid,
    attemptsMax = patience.attemptsMax,
    madeMs,
    wantsNewToken: isNew = false,
  }: Manner,
  isOver: () => boolean,
): Promise<Submission> {
  const place = `${board.app.options.projectId}/${keyOf(board)}/${player}`;
  const beganMs = Date.now();
  const requirePlayer = () => {
    // After its end nobody hears the error.
    if (isOver() || auth.currentUser?.uid !== player) throw anotherUser();
  };
  let wantsNewToken = isNew;
  return withRetries(
    async () => {
      requirePlayer();
      // If the SDK cannot get a token, it sends the score without one. That would be refused for good.
      if (auth.currentUser !== null) await fetchToken(auth.currentUser, wantsNewToken);
      requirePlayer();
      const namedAt = namedMs.get(place) ?? 0;
      // A time that is still to come is from before the device's clock was set.
      const isOlder = madeMs !== undefined && madeMs < namedAt && namedAt <= Date.now();
      const answer = await sendOnce(board, isOlder ? { ...submission, display_name: undefined } : submission);
      // Between the last look at the user and the SDK's own, another one signed in. The score is that one's now; sent
      // again, it also counts for its own player.
      if (player !== undefined && answer.player !== player) throw anotherUser();
      if (madeMs === undefined && submission.display_name !== undefined) namedMs.set(place, beganMs);
      return answer;
    },
    (error) => {
      if (!(error instanceof FirerankError) || isOver()) return false;
      // A new token helps if the device's clock was wrong. Users who are not signed in stay refused, and apps without an
      // App Check token.
      wantsNewToken =
        error.code === "unauthenticated" && player !== undefined && auth.currentUser?.uid === player;
      return wantsNewToken || isPassing(error);
    },
    { ...patience, attemptsMax },
    { random: Math.random, sleep },
  );
}

async function sendOnce(board: Leaderboard, submission: SubmissionRequest): Promise<Submission> {
  const { seen, saw } = generationsOfAll(board);
  const request = { ...submission, season: tournamentOf(board), min_generations: seen };
  const answer = await call<Submission>(board, "submitScore", request, { timeoutMs: attemptMs });
  saw(answer);
  return answer;
}

/** The tournament that takes a board's scores, if its season is one; a span's season takes those of all spans, as usual. */
export function tournamentOf({ season }: Leaderboard): string | undefined {
  return season !== undefined && spanOfId(season) === "custom" ? season : undefined;
}

/** Makes sure that the SDK has a token to send. @throws `unavailable`, `unauthenticated` */
async function fetchToken(user: User, isNew: boolean): Promise<void> {
  try {
    await user.getIdToken(isNew);
  } catch (cause) {
    const error = toFirerankError("submitScore", cause);
    throw error.code === "unavailable"
      ? error
      : new FirerankError("unauthenticated", error.message, { cause });
  }
}

/** The app's Firebase Auth. */
export function authOf(board: Leaderboard): Auth {
  return getAuth((board.functions ?? board).app);
}

/** Waits until it is known who is signed in: calls carry that user's token. */
export async function settledAuth(board: Leaderboard): Promise<Auth> {
  const auth = authOf(board);
  await auth.authStateReady();
  return auth;
}

function anotherUser(): FirerankError {
  return new FirerankError(
    "unauthenticated",
    "submitScore: the player who submitted is no longer signed in, so the score was not sent again. It may count: " +
      "send it as that player, with the same submission_id.",
  );
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/**
 * An id that differs from those of this player's last submissions. It needs no more than that, so any randomness will
 * do: some platforms have no `crypto`.
 */
export function newId(): string {
  const part = () => Math.random().toString(36).slice(2, 12).padEnd(10, "0");
  return part() + part();
}
