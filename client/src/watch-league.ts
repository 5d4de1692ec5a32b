/** `watchLeague`: the signed-in player's group in a board's league, live. */
import type { Unsubscribe } from "firebase/firestore";
import { beginListening, orReport } from "./begin-listening.ts";
import { type FirerankError, logError, toFirerankError } from "./firerank-error.ts";
import type { WatchedLeague } from "./league-answer.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { getLeague } from "./reads.ts";
import { watchCaller } from "./watch-rank.ts";
import { watchWeek } from "./watch-week.ts";

/**
 * Reports the group of the player who is signed in, with its places and zones, at once and on every change, until the returned
 * function is called. While the player is in no group, it reports why; when the player gets a seat, the group follows; for a player who has left the
 * league, with the next score after taking part again. It
 * watches the season that the board names, or else the present week, and then the next week when that begins by the server's
 * clock.
 *
 * Cost: a call of `getLeague`, 3 reads, to start and with each week; then 1 read for the group and 1 for each change of it; and
 * 1 for the board's definition the first time in an hour. While the player is in no group, 1 read to start and 1 for each
 * change of the player's document; another `getLeague` when the player gets a seat, and after ten seconds or more without one.
 * 1 more read for each week, and a function call without reads to start and one for each week.
 * @param onLeague gets null while nobody is signed in, and when another player signs in.
 * @param onError gets the error that ended the listening, such as `invalid_request` for a board that has no league; by default
 * the error is logged. The listening starts again for the next player who signs in.
 * @param player the id of another player, whom a moderator may watch.
 */
export function watchLeague(
  board: Leaderboard,
  onLeague: (league: WatchedLeague | null) => void,
  onError: (error: FirerankError) => void = logError,
  player?: string,
): Unsubscribe {
  const what = "watchLeague";
  // A league has weeks: a board that names no season means the present one.
  const ofWeeks = board.season === undefined ? { ...board, span: board.span ?? "weekly" } : board;
  const watch = (uid: string) => {
    let isOver = false;
    const report = (error: FirerankError) => isOver || onError(error);
    // A board that has not the weeks may have no league either: then that is the error, in the words of getLeague.
    const end = (error: FirerankError) =>
      error.code === "season_not_found" && board.season === undefined
        ? void getLeague(board, { player: uid }).then(
            () => report(error),
            (cause: unknown) => {
              const said = toFirerankError(what, cause);
              report(said.code === "invalid_request" ? said : error);
            },
          )
        : onError(error);
    const stop = beginListening(ofWeeks, what, end, (ofSeason, fail, isNext) =>
      watchWeek(ofSeason, uid, onLeague, fail, isNext),
    );
    return () => {
      isOver = true;
      stop();
    };
  };
  return player === undefined
    ? orReport(what, onError, () => watchCaller(board, watch, onLeague))
    : watch(player);
}
