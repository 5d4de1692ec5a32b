/** Watchers of one document of a season: its top, or the teams of a segment. */
import { doc, type DocumentData, onSnapshot, type Unsubscribe } from "firebase/firestore";
import type { SeasonKey } from "../../functions/src/documents/paths.ts";
import { beginListening } from "./begin-listening.ts";
import { type FirerankError, toFirerankError } from "./firerank-error.ts";
import { followSignIn } from "./follow-sign-in.ts";
import { generationsOf } from "./generations.ts";
import { type Leaderboard, seasonOf, withSeason } from "./leaderboard.ts";
import { isUnknown, listenToRules } from "./listeners.ts";
import { changesOfMetadataToo, firestoreOf } from "./stored.ts";

/** The document to watch, and what is reported of it. */
interface Watching<Shown> {
  /** The name of the call, for errors. */
  what: string;
  pathOf: (key: SeasonKey) => string;
  /** @param data the document's fields; undefined while there is no document. */
  shownOf: (key: SeasonKey, data: DocumentData | undefined) => Shown;
}

/**
 * Reports a document, at once and on every change, until the returned function is called. If the board names a span, the
 * document of the next season follows when that begins.
 *
 * Cost: 1 read to start, then 1 for each change; and what `beginListening` costs. 1 read for the board's definition if the
 * board names a season and there is no document.
 */
export function watchDocument<Shown extends { generation: number }>(
  board: Leaderboard,
  { what, pathOf, shownOf }: Watching<Shown>,
  onShown: (shown: Shown & { from_cache: boolean }) => void,
  onError: (error: FirerankError) => void,
): Unsubscribe {
  return followSignIn(board, onError, (refused) =>
    beginListening(board, what, refused, (ofSeason, fail, isNext) => {
      let stopRules: Unsubscribe | undefined;
      const end = (error: unknown) => {
        stop();
        fail(toFirerankError(what, error));
      };
      const key = seasonOf(ofSeason);
      const stopDocument = onSnapshot(doc(firestoreOf(ofSeason), pathOf(key)), changesOfMetadataToo, {
        next(found) {
          if (isUnknown(found) && !isNext) return;
          const shown = shownOf(key, found.data());
          const { fromCache } = found.metadata;
          // The document may be older than the ranking.
          const { seen = 0, saw } = generationsOf(ofSeason);
          if (!fromCache && shown.generation > seen) saw(shown.generation);
          // If the board names a season, nobody has looked yet whether there is such a board.
          if (!found.exists() && withSeason(board) !== undefined)
            stopRules ??= listenToRules(ofSeason, { next: () => stopRules?.(), error: end });
          onShown({ ...shown, from_cache: fromCache });
        },
        error: end,
      });
      function stop(): void {
        stopDocument();
        stopRules?.();
      }
      return stop;
    }),
  );
}
