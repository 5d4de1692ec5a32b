/** `watchTop`: the best players, live. */
import { doc, onSnapshot, Timestamp, type Unsubscribe } from "firebase/firestore";
import { topPath } from "../../functions/src/documents/paths.ts";
import { emptyTop, topAnswer, type TopRead } from "../../functions/src/reading/top-answer.ts";
import type { WatchedTop } from "./answers.ts";
import { beginListening } from "./begin-listening.ts";
import { type FirerankError, logError, toFirerankError } from "./firerank-error.ts";
import { followSignIn } from "./follow-sign-in.ts";
import { generationsOf } from "./generations.ts";
import { type BoardTypes, type Leaderboard, seasonOf, withSeason } from "./leaderboard.ts";
import { isUnknown, listenToRules } from "./listeners.ts";
import { changesOfMetadataToo, firestoreOf } from "./stored.ts";

/**
 * Reports the best players, at once and on every change, until the returned function is called. If the board names a span, the
 * next season follows when it begins by the server's clock, with an empty top.
 *
 * On a board for users who are signed in, the watcher waits until a user signs in, and after a sign-out for the next user. On a
 * `public` board it needs neither a user nor Firebase Auth.
 *
 * Cost: 1 read to start, then 1 for each change. 1 read for the board's definition if the board names a season or `all_time`
 * and nobody is ranked; or, the first time in an hour, if the board names neither season nor span. With a span other than
 * `all_time`, 1 more read for each season, and a function call without reads to start and one for each season.
 * @param onTop gets an empty top while nobody is ranked.
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
  return followSignIn(board, onError, (refused) =>
    beginListening(board, "watchTop", refused, (ofSeason, fail, isNext) => {
      let stopRules: Unsubscribe | undefined;
      const end = (error: unknown) => {
        stop();
        fail(toFirerankError("watchTop", error));
      };
      const stopTop = onSnapshot(
        doc(firestoreOf(ofSeason), topPath(seasonOf(ofSeason))),
        changesOfMetadataToo,
        {
          next(found) {
            if (isUnknown(found) && !isNext) return;
            const top = found.exists() ? (found.data() as TopRead) : emptyTop(Timestamp.now());
            const { fromCache } = found.metadata;
            if (!fromCache) generationsOf(ofSeason).saw(top.generation);
            // If the board names a season, nobody has looked yet whether there is such a board.
            if (!found.exists() && withSeason(board) !== undefined)
              stopRules ??= listenToRules(ofSeason, { next: () => stopRules?.(), error: end });
            onTop({ ...topAnswer(seasonOf(ofSeason), top), from_cache: fromCache });
          },
          error: end,
        },
      );
      function stop(): void {
        stopTop();
        stopRules?.();
      }
      return stop;
    }),
  );
}
