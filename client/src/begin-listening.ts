/** Starts a watcher: on the season that is named, or on the current season of a span and then on the next. */
import type { Unsubscribe } from "firebase/firestore";
import { type FirerankError, toFirerankError } from "./firerank-error.ts";
import { followSpan, rememberSeason } from "./follow-span.ts";
import { type Leaderboard, type SeasonBoard, withSeason } from "./leaderboard.ts";

/**
 * Starts listening to a season, and returns the function that stops it. If there is no such season, or `begin` throws,
 * `onError` gets the error: after this function has returned, and not at all if it was stopped before.
 *
 * Cost of a span other than `all_time`: see `followSpan`, and 1 read a season.
 * @param the name of the call, for the error.
 * @param begin listens to one season, and passes an error that ends everything to its second argument.
 */
export function beginListening(
  board: Leaderboard,
  what: string,
  onError: (error: FirerankError) => void,
  begin: (board: SeasonBoard, fail: (error: FirerankError) => void) => Unsubscribe,
): Unsubscribe {
  const named = withSeason(board);
  if (named !== undefined) return beginOne(named, what, onError, begin);
  let stopSeason: Unsubscribe | undefined;
  const following = followSpan(
    board,
    (season) => {
      stopSeason?.();
      rememberSeason(board, season);
      stopSeason = beginOne({ ...board, season, span: undefined }, what, fail, begin);
    },
    fail,
  );
  function stop(): void {
    following.stop();
    stopSeason?.();
  }
  function fail(error: FirerankError): void {
    stop();
    onError(error);
  }
  return stop;
}

function beginOne(
  board: SeasonBoard,
  what: string,
  onError: (error: FirerankError) => void,
  begin: (board: SeasonBoard, fail: (error: FirerankError) => void) => Unsubscribe,
): Unsubscribe {
  try {
    return begin(board, onError);
  } catch (error) {
    const timer = setTimeout(() => {
      onError(toFirerankError(what, error));
    });
    return () => {
      clearTimeout(timer);
    };
  }
}
