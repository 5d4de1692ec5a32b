/** `watchTop`: the best players, live. */
import { type DocumentData, Timestamp, type Unsubscribe } from "firebase/firestore";
import { type SeasonKey, topPath } from "../../functions/src/documents/paths.ts";
import { emptyTop, topAnswer, type TopRead } from "../../functions/src/reading/top-answer.ts";
import type { Top, WatchedTop } from "./answers.ts";
import { type FirerankError, logError } from "./firerank-error.ts";
import type { BoardTypes, Leaderboard } from "./leaderboard.ts";
import { watchDocument } from "./watch-document.ts";

/**
 * Reports the best players, at once and on every change, until the returned function is called. If the board names a span, the
 * next season follows when it begins by the server's clock, with an empty top.
 *
 * On a board for users who are signed in, the watcher waits until a user signs in, and after a sign-out for the next user.
 * On a `public` board it needs neither a user nor Firebase Auth.
 *
 * Cost: 1 read to start, then 1 for each refresh of the top, and 1 for each generation, which writes the top too. 1 read for
 * the board's definition if the board names a season or `all_time` and nobody is ranked; or, the first time in an hour, if
 * the board names neither season nor span. With a span other than `all_time`, 1 more read for each season, and a function
 * call without reads to start and one for each season.
 * @param onTop gets an empty top while nobody is ranked, also in a season that does not exist.
 * @param onError gets the error that ended the listening, such as `leaderboard_not_found`; by default the error is logged.
 */
export function watchTop<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  onTop: (top: WatchedTop<Types>) => void,
  onError?: (error: FirerankError) => void,
): Unsubscribe;
export function watchTop(
  board: Leaderboard,
  onTop: (top: WatchedTop) => void,
  onError: (error: FirerankError) => void = logError,
): Unsubscribe {
  return watchDocument(board, { what: "watchTop", pathOf: topPath, shownOf: topIn }, onTop, onError);
}

function topIn(key: SeasonKey, data: DocumentData | undefined): Top {
  return topAnswer(key, data === undefined ? emptyTop(Timestamp.now()) : (data as TopRead));
}
