/** `watchRank`: the signed-in player's rank, live. */
import type { Unsubscribe } from "firebase/firestore";
import { getAuth, onAuthStateChanged } from "firebase/auth";
import type { WatchedRank } from "./answers.ts";
import { beginListening, orReport } from "./begin-listening.ts";
import { type FirerankError, logError } from "./firerank-error.ts";
import type { BoardTypes, Leaderboard } from "./leaderboard.ts";
import { watchPlayer } from "./watch-player.ts";

/**
 * Reports the rank of the player who is signed in, at once and on every change, until the returned function is called. It works
 * offline if Firestore's cache has the player's document and the page. If the board names a span, the next season follows when
 * it begins by the server's clock.
 *
 * Cost: 2 reads to start, and 1 for the board's definition the first time in an hour. Then 1 for each change of the player's
 * document or of the definition, 1 for each generation, and 1 when a score leaves its page. With a span other than `all_time`,
 * 3 more reads for each season, and a function call without reads to start and one for each season.
 * @param onRank gets null while nobody is signed in, when another player signs in, for a player without a ranked score, and
 * before the first publication.
 * @param onError gets the error that ended the listening; by default the error is logged. The listening starts again for the
 * next player who signs in. A player id that Firestore cannot store is such an error.
 * @param player the id of another player, whom an admin may watch.
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
 * Runs a watcher for the user who is signed in.
 * @param onNobody gets null while nobody is signed in, and when another user signs in.
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
    // The old rank belongs to another player, so it goes even if the next player's rank is on its way or never comes.
    if (user === null || wasWatching) onNobody(null);
  });
  return () => {
    stopAuth();
    stop?.();
  };
}
