/** Sends a request of the signed-in player until it is answered, and never as another player. */
import { type Auth, getAuth } from "firebase/auth";
import { type CallOptions, within } from "./call-options.ts";
import { FirerankError, type FirerankErrorCode, toFirerankError } from "./firerank-error.ts";
import { keyOf, type Leaderboard } from "./leaderboard.ts";
import { isPassing, withRetries } from "./retries.ts";

/** An attempt that takes longer than this is repeated. */
export const attemptMs = 20_000;
/** All attempts together take at most this. */
const totalMs = 30_000;

/** How a request is sent. */
export interface Manner {
  /** The player whose request it is; by default the user who is signed in. */
  player?: string | undefined;
  attemptsMax?: number | undefined;
  /** Whether to fetch a new token even for the first attempt. */
  wantsNewToken?: boolean | undefined;
}

/**
 * Resolves to the answer to a player's request. If the network, a token or the database fails, the request is sent again.
 * If another user than the player is signed in, this rejects with `unauthenticated` and sends nothing.
 * @param what the name of the call, for errors.
 * @param sendOnce sends the request, and gets the player.
 * @param passing further error codes after which the request is sent again.
 */
export async function asPlayer<Answer extends { player: string }>(
  what: string,
  board: Leaderboard,
  manner: Manner & CallOptions,
  sendOnce: (player: string | undefined) => Promise<Answer>,
  passing: readonly FirerankErrorCode[] = [],
): Promise<Answer> {
  return within(what, { ...manner, timeoutMs: manner.timeoutMs ?? totalMs }, async (isOver) => {
    const auth = await settledAuth(board);
    const { player = auth.currentUser?.uid } = manner;
    const requirePlayer = () => {
      // Once the time is over, nobody hears this error.
      if (isOver() || auth.currentUser?.uid !== player) throw anotherUser(what);
    };
    let { wantsNewToken = false } = manner;
    return withRetries(
      async () => {
        requirePlayer();
        // If the SDK cannot get a token, it sends the request without a token, which would be refused for good.
        await auth.currentUser?.getIdToken(wantsNewToken).catch((cause: unknown) => {
          const error = toFirerankError(what, cause);
          if (error.code === "unavailable") throw error;
          throw new FirerankError("unauthenticated", error.message, { cause });
        });
        requirePlayer();
        const answer = await sendOnce(player);
        // Another user has signed in after requirePlayer() and before the SDK took the token, so the request counted for that
        // user. If the app sends it again, it also counts for its own player.
        if (player !== undefined && answer.player !== player) throw anotherUser(what);
        return answer;
      },
      (error) => {
        if (!(error instanceof FirerankError) || isOver()) return false;
        // A new token helps if the device's clock was wrong. It does not help if nobody is signed in, or if the app has no App
        // Check token.
        wantsNewToken =
          error.code === "unauthenticated" && player !== undefined && auth.currentUser?.uid === player;
        return wantsNewToken || isPassing(error) || passing.includes(error.code);
      },
      manner.attemptsMax,
    );
  });
}

/**
 * By board and player, when the app gave the newest display name that was sent at once and that the server has taken, in
 * milliseconds since 1970. A queued score that is older goes without its own name.
 */
export const namedMs = /* @__PURE__ */ new Map<string, number>();

/** The key of a player on a board in {@link namedMs}. */
export function namePlace(board: Leaderboard, player: string | undefined): string {
  return `${board.app.options.projectId}/${keyOf(board)}/${player}`;
}

/** The app's Firebase Auth. */
export function authOf(board: Leaderboard): Auth {
  return getAuth((board.functions ?? board).app);
}

/** The app's Firebase Auth, once it knows who is signed in: calls carry that user's token. */
export async function settledAuth(board: Leaderboard): Promise<Auth> {
  const auth = authOf(board);
  await auth.authStateReady();
  return auth;
}

function anotherUser(what: string): FirerankError {
  return new FirerankError(
    "unauthenticated",
    `${what}: the player is not signed in any more. It may count: send it as that player, with the same submission_id.`,
  );
}
