/**
 * A player's rank, live, worked out on the device from two documents: the player's own, and the page of the ranking
 * that covers its score.
 *
 * A new score that stays on the page moves within it at no further cost. A new generation arrives as one document.
 * Which page covers a score may change with a generation, and the listener is a query for the page that does, so it
 * follows; only a score that leaves its page needs another listener.
 */
import { doc, type FirestoreError, onSnapshot, Timestamp, type Unsubscribe } from "firebase/firestore";
import { playerPath } from "../../functions/src/model/paths.ts";
import { standingOf } from "../../functions/src/model/standing.ts";
import { covers } from "../../functions/src/ranking/lookup.ts";
import { emptyPage } from "../../functions/src/ranking/page-memory.ts";
import type { WatchedRank } from "./answers.ts";
import { type FirerankError, leaderboardNotFound, toFirerankError } from "./firerank-error.ts";
import { type Leaderboard, seasonOf } from "./leaderboard.ts";
import {
  changesOfMetadataToo,
  definitionDocument,
  firestoreOf,
  forgetRules,
  keepPage,
  keepRules,
  pageQuery,
  rankIn,
  type Rules,
  rulesInMemory,
  type StoredPage,
} from "./stored.ts";

/** Something read, and whether from the cache. */
interface Found<Value> {
  value: Value;
  fromCache: boolean;
}

/** See `watchRank`, which this is for one player. */
export function watchPlayer(
  board: Leaderboard,
  player: string,
  onRank: (rank: WatchedRank | null) => void,
  onError: (error: FirerankError) => void,
): Unsubscribe {
  let rules = rulesInMemory(board);
  let score: Found<number | undefined> | undefined;
  let page: Found<StoredPage> | undefined;
  /** The score that the page listener asks for. */
  let asked: number | undefined;
  /** Before the first publication a definition's order may still change. */
  let isProvisional = false;
  let told: string | undefined;
  let stopPage: Unsubscribe | undefined;
  let stopRules: Unsubscribe | undefined;

  const stopPlayer = onSnapshot(
    doc(firestoreOf(board), playerPath(seasonOf(board), player)),
    changesOfMetadataToo,
    {
      next(found) {
        const { fromCache } = found.metadata;
        if (!found.exists() && fromCache) return; // offline and never seen
        const standing = standingOf(found.data());
        score = {
          value: standing !== undefined && "score" in standing ? standing.score : undefined,
          fromCache,
        };
        update();
      },
      error: fail,
    },
  );
  if (rules === undefined) followRules();

  function followRules(): void {
    stopRules = onSnapshot(definitionDocument(board), changesOfMetadataToo, {
      next(found) {
        if (found.exists()) {
          stopRules?.();
          rules = found.data() as Rules;
          keepRules(board, rules);
          update();
        } else if (!found.metadata.fromCache) {
          fail(leaderboardNotFound(board.id));
        }
      },
      error: fail,
    });
  }

  function followPage(order: Rules["order"], ofScore: number): void {
    leavePage();
    asked = ofScore;
    stopPage = onSnapshot(pageQuery(board, order, ofScore), changesOfMetadataToo, {
      next({ docs, metadata: { fromCache } }) {
        const found = docs[0]?.data() as StoredPage | undefined;
        if (found === undefined && fromCache) return; // offline and never seen
        if (found !== undefined && isProvisional) {
          beginAnew();
          return;
        }
        if (found === undefined) {
          isProvisional = true;
          forgetRules(board);
        } else if (!fromCache) {
          keepPage(board, found);
        }
        page = { value: found ?? emptyPage(order, Timestamp.now()), fromCache };
        update();
      },
      error: fail,
    });
  }

  function leavePage(): void {
    stopPage?.();
    page = asked = undefined;
  }

  /** With the first publication the definition is final: it is read once more. */
  function beginAnew(): void {
    leavePage();
    isProvisional = false;
    rules = undefined;
    followRules();
  }

  /** Tells the rank if what is known is enough for it, and sees to what is missing. */
  function update(): void {
    if (score === undefined) return;
    const { value, fromCache } = score;
    if (value === undefined) {
      leavePage();
      tell(null);
    } else if (rules === undefined) {
      return;
    } else if (page !== undefined && covers(rules.order, page.value, value)) {
      tell(rankIn(board, rules, page.value, value, fromCache || page.fromCache, player));
    } else if (asked !== value) {
      followPage(rules.order, value);
    }
  }

  function tell(rank: WatchedRank | null): void {
    const text = JSON.stringify(rank);
    if (text === told) return;
    told = text;
    onRank(rank);
  }

  function stop(): void {
    stopPlayer();
    stopRules?.();
    leavePage();
  }

  function fail(error: FirestoreError | FirerankError): void {
    stop();
    onError(toFirerankError("watchRank", error));
  }

  return stop;
}
