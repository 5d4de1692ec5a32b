/** The signed-in player's rank, live. */
import type { Unsubscribe } from "firebase/firestore";
import { getAuth, onAuthStateChanged } from "firebase/auth";
import type { WatchedRank } from "./answers.ts";
import { beginListening, orReport } from "./begin-listening.ts";
import { type FirerankError, logError } from "./firerank-error.ts";
import type { BoardTypes, Leaderboard } from "./leaderboard.ts";
import { watchPlayer } from "./watch-player.ts";

/**
 * Reports the rank of whichever player is signed in, at once and on every change, until the returned function is
 * called. Works offline if Firestore's cache holds the two documents.
 *
 * Where a span is followed, it moves on to the next season when that begins by the server's clock.
 *
 * Cost: 2 reads to start (and 1 for the board's definition the first time in an hour), then 1 for each change of the
 * player's document or of the definition, 1 for each generation, and 1 when a score leaves its page. With a span
 * other than `all_time`, 3 more a season, and a function call without reads to start and one a season.
 * @param onRank gets null while nobody is signed in, when another player signs in, for a player without a ranked
 * score, and before the first publication.
 * @param onError gets the error that ended the listening, which starts again for the next player who signs in; by
 * default it is logged. A player id that Firestore cannot store is such an error.
 * @param player another player's id: the security rules let admins watch it.
 */
export function watchRank<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  onRank: (rank: WatchedRank<Types> | null) => void,
  onError?: (error: FirerankError) => void,
  player?: string,
): Unsubscribe;
export function watchRank(
  board: Leaderboard,
  onRank: (rank: WatchedRank | null) => void,
  onError: (error: FirerankError) => void = logError,
  player?: string,
): Unsubscribe {
  const watch = (uid: string) =>
    beginListening(board, "watchRank", onError, (ofSeason, fail, isNext) =>
      watchPlayer(ofSeason, uid, onRank, fail, isNext),
    );
  return player === undefined
    ? orReport("watchRank", onError, () => watchCaller(board, watch, onRank))
    : watch(player);
}

/**
 * Watches for whoever is signed in.
 * @param onNobody gets null while that is nobody, and when another one signs in.
 */
export function watchCaller(
  board: Leaderboard,
  watch: (uid: string) => Unsubscribe,
  onNobody: (nothing: null) => void,
): Unsubscribe {
  let stop: Unsubscribe | undefined;
  const stopAuth = onAuthStateChanged(getAuth(board.app), (user) => {
    const wasWatching = stop !== undefined;
    stop?.();
    stop = user === null ? undefined : watch(user.uid);
    // Also while the next player's rank is on its way, or if it never comes: the old rank belongs to another player.
    if (user === null || wasWatching) onNobody(null);
  });
  return () => {
    stopAuth();
    stop?.();
  };
}
