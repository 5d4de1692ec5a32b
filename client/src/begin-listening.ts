/** How a watcher begins: an error at the very beginning comes as all others do. */
import type { Unsubscribe } from "firebase/firestore";
import type { SeasonKey } from "../../functions/src/documents/paths.ts";
import { type FirerankError, toFirerankError } from "./firerank-error.ts";
import { type Leaderboard, seasonOf } from "./leaderboard.ts";

/**
 * Begins to listen to a season, and returns what ends it. Where there is no such season, or `begin` throws, `onError`
 * hears of it: after this has returned, and not at all if it was ended before.
 * @param what is begun, as the error is to say.
 */
export function beginListening(
  board: Leaderboard,
  what: string,
  onError: (error: FirerankError) => void,
  begin: (season: SeasonKey) => Unsubscribe,
): Unsubscribe {
  try {
    return begin(seasonOf(board));
  } catch (error) {
    const timer = setTimeout(() => {
      onError(toFirerankError(what, error));
    });
    return () => {
      clearTimeout(timer);
    };
  }
}
