/**
 * Starts a watcher on the season that the board names; or on a span's current season, and then on the span's next season.
 */
import type { Unsubscribe } from "firebase/firestore";
import { type FirerankError, toFirerankError } from "./firerank-error.ts";
import { followSpan, rememberSeason } from "./follow-span.ts";
import { type Leaderboard, type SeasonBoard, withSeason } from "./leaderboard.ts";
import { listenToRules } from "./listeners.ts";
import { keepRules, ofFirstSpan, rulesInMemory, spanInMemory } from "./stored.ts";

/**
 * Listens to one season. An error that ends the listening goes to `fail`.
 * @param isNext whether the watcher listened to another season before, mostly the one that has ended.
 */
export type Begin = (
  board: SeasonBoard,
  fail: (error: FirerankError) => void,
  isNext: boolean,
) => Unsubscribe;

/**
 * Starts listening to a season, and returns the function that stops the listening. If there is no such season, or `begin`
 * throws, `onError` gets the error after this function has returned, unless the listening was stopped before.
 *
 * Cost: if the board names neither season nor span, 1 read for its definition, unless the definition was read in the last
 * hour. For a span other than `all_time` the cost of `followSpan`, and 1 read a season.
 * @param what the name of the call, for errors.
 */
export function beginListening(
  board: Leaderboard,
  what: string,
  onError: (error: FirerankError) => void,
  begin: Begin,
): Unsubscribe {
  return orReport(what, onError, () => {
    const named = withSeason(board);
    if (named !== undefined) return begin(named, onError, false);
    if (board.span === undefined) return beginFirstSpan(board, what, onError, begin);
    let stopSeason: Unsubscribe | undefined;
    const following = followSpan(
      board,
      (season) => {
        const isNext = stopSeason !== undefined;
        stopSeason?.();
        rememberSeason(board, season);
        stopSeason = orReport(what, fail, () => begin({ ...board, season, span: undefined }, fail, isNext));
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
  });
}

/** Starts on the first span of the board, as calls that name no span do. The board's definition has the spans. */
function beginFirstSpan(
  board: Leaderboard,
  what: string,
  onError: (error: FirerankError) => void,
  begin: Begin,
): Unsubscribe {
  let span = spanInMemory(board);
  if (span !== undefined) return beginListening({ ...board, span }, what, onError, begin);
  let stopSpan: Unsubscribe | undefined;
  const stopRules = listenToRules(board, {
    next({ value, fromCache }) {
      try {
        const first = ofFirstSpan(board, value);
        if (first.span !== span) {
          stopSpan?.();
          span = first.span;
          stopSpan = beginListening(first, what, fail, begin);
        }
        if (fromCache) return;
        keepRules(board, value, rulesInMemory(board) !== undefined);
        stopRules();
      } catch (error) {
        fail(error);
      }
    },
    error: fail,
  });
  function stop(): void {
    stopRules();
    stopSpan?.();
  }
  function fail(error: unknown): void {
    stop();
    onError(toFirerankError(what, error));
  }
  return stop;
}

/** What `begin` returns. If `begin` throws, `onError` gets the error after this function has returned. */
export function orReport(
  what: string,
  onError: (error: FirerankError) => void,
  begin: () => Unsubscribe,
): Unsubscribe {
  try {
    return begin();
  } catch (error) {
    const timer = setTimeout(() => onError(toFirerankError(what, error)));
    return () => clearTimeout(timer);
  }
}
