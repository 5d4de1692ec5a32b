/** Sends what the signed-in player says until it is answered, and as nobody else. */
import { type Auth, getAuth } from "firebase/auth";
import { type CallOptions, within } from "./call-options.ts";
import { FirerankError, type FirerankErrorCode, toFirerankError } from "./firerank-error.ts";
import { keyOf, type Leaderboard } from "./leaderboard.ts";
import { isPassing, withRetries } from "./retries.ts";

/** An attempt that takes longer is repeated, and all together take no longer than this. */
export const attemptMs = 20_000;
const totalMs = 30_000;

/** How something is sent. */
export interface Manner {
  /** Whose it is: by default that of the user who is signed in. */
  player?: string | undefined;
  attemptsMax?: number | undefined;
  /** Whether to fetch a new token even for the first attempt. */
  wantsNewToken?: boolean | undefined;
}

/**
 * The answer to a player's request. If the network, a token or the database fails, it is sent again; if another user
 * than the player is signed in, it rejects with `unauthenticated` and sends nothing.
 * @param sendOnce sends it, and gets whose it is.
 * @param passing further codes after which it is sent again.
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
      // After its end nobody hears the error.
      if (isOver() || auth.currentUser?.uid !== player) throw anotherUser(what);
    };
    let { wantsNewToken = false } = manner;
    return withRetries(
      async () => {
        requirePlayer();
        // If the SDK cannot get a token, it sends the request without one. That would be refused for good.
        await auth.currentUser?.getIdToken(wantsNewToken).catch((cause: unknown) => {
          const error = toFirerankError(what, cause);
          if (error.code === "unavailable") throw error;
          throw new FirerankError("unauthenticated", error.message, { cause });
        });
        requirePlayer();
        const answer = await sendOnce(player);
        // Between the last look at the user and the SDK's own, another one signed in. It is that one's now; sent again, it
        // also counts for its own player.
        if (player !== undefined && answer.player !== player) throw anotherUser(what);
        return answer;
      },
      (error) => {
        if (!(error instanceof FirerankError) || isOver()) return false;
        // A new token helps if the device's clock was wrong. Users who are not signed in stay refused, and apps without an
        // App Check token.
        wantsNewToken =
          error.code === "unauthenticated" && player !== undefined && auth.currentUser?.uid === player;
        return wantsNewToken || isPassing(error) || passing.includes(error.code);
      },
      manner.attemptsMax,
    );
  });
}

/**
 * By board and player, when the newest name was given that did not wait and that the server has taken: one that has
 * waited since before is not sent any more.
 */
export const namedMs = /* @__PURE__ */ new Map<string, number>();

/** The key of a player's name on a board. */
export function namePlace(board: Leaderboard, player: string | undefined): string {
  return `${board.app.options.projectId}/${keyOf(board)}/${player}`;
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

function anotherUser(what: string): FirerankError {
  return new FirerankError(
    "unauthenticated",
    `${what}: the player is no longer signed in, so it was not sent again. It may count: send it as that player, with the same submission_id.`,
  );
}
