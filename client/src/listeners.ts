/** Listeners for the three parts of a rank on the device: the score, the definition, the page. */
import {
  doc,
  type DocumentSnapshot,
  type FirestoreError,
  onSnapshot,
  type Unsubscribe,
} from "firebase/firestore";
import { playerPath } from "../../functions/src/documents/paths.ts";
import { scoreIfRanked } from "../../functions/src/documents/ranked-score.ts";
import { type FirerankError, leaderboardNotFound } from "./firerank-error.ts";
import { type Leaderboard, type SeasonBoard, seasonOf } from "./leaderboard.ts";
import {
  changesOfMetadataToo,
  definitionDocument,
  firestoreOf,
  pageIn,
  pageQuery,
  type Rules,
  rulesIn,
  type StoredPage,
} from "./stored.ts";

/** A value that was read from Firestore, and whether it came from the device's cache. */
export interface ValueRead<Value> {
  value: Value;
  fromCache: boolean;
}

/** What a listener calls. After an error it calls nothing more. */
export interface Listener<Value> {
  next: (found: ValueRead<Value>) => void;
  error: (error: FirestoreError | FirerankError) => void;
}

/**
 * Listens to a player's score, which is undefined for a player without a ranked score.
 *
 * Cost: 1 read to start, then 1 for each change of the player's document.
 * @param isNext whether the watcher has reported a score of another season. Then a document that the offline device does
 * not know is reported as no score, so that the old score goes.
 */
export function listenToScore(
  board: SeasonBoard,
  player: string,
  { next, error }: Listener<number | undefined>,
  isNext: boolean,
): Unsubscribe {
  const path = playerPath(seasonOf(board), player);
  return onSnapshot(doc(firestoreOf(board), path), changesOfMetadataToo, {
    next(found) {
      if (isUnknown(found) && !isNext) return;
      next({ value: scoreIfRanked(found.data()), fromCache: found.metadata.fromCache });
    },
    error,
  });
}

/**
 * Listens to a board's definition. If there is no such board, `error` gets `leaderboard_not_found`.
 *
 * Cost: 1 read to start, then 1 for each change.
 */
export function listenToRules(board: Leaderboard, { next, error }: Listener<Rules>): Unsubscribe {
  return onSnapshot(definitionDocument(board), changesOfMetadataToo, {
    next(found) {
      if (isUnknown(found)) return;
      if (found.exists()) next({ value: rulesIn(found.data()), fromCache: found.metadata.fromCache });
      else error(leaderboardNotFound(board.id));
    },
    error,
  });
}

/**
 * Listens to the page that covers a score, in each generation. The page is undefined before the first publication, and if
 * somebody has changed the stored order by hand.
 *
 * Cost: 1 read to start, then 1 for each generation, and 1 more if the score moves to another page.
 */
export function listenToPage(
  board: SeasonBoard,
  { order }: Rules,
  score: number,
  { next, error }: Listener<StoredPage | undefined>,
): Unsubscribe {
  return onSnapshot(pageQuery(board, order, score), changesOfMetadataToo, {
    next(found) {
      const { fromCache } = found.metadata;
      const value = pageIn(found, order, score);
      if (value !== undefined || !fromCache) next({ value, fromCache });
    },
    error,
  });
}

/** Whether a document is missing only because the device is offline and has never seen it. */
export function isUnknown(found: DocumentSnapshot): boolean {
  return !found.exists() && found.metadata.fromCache;
}
