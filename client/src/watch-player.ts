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

  /** Reads the definition once; before the first publication, as long as it may change. */
  function followRules(): void {
    stopRules = onSnapshot(definitionDocument(board), changesOfMetadataToo, {
      next(found) {
        if (found.exists()) takeRules(found.data() as Rules);
        else if (!found.metadata.fromCache) fail(leaderboardNotFound(board.id));
      },
      error: fail,
    });
  }

  function takeRules(read: Rules): void {
    if (rules?.order !== read.order) leavePage();
    rules = read;
    if (!isProvisional) settleRules(read);
    update();
  }

  function settleRules(final: Rules): void {
    stopRules?.();
    keepRules(board, final);
  }

  function followPage(current: Rules, ofScore: number): void {
    leavePage();
    asked = ofScore;
    stopPage = onSnapshot(pageQuery(board, current.order, ofScore), changesOfMetadataToo, {
      next({ docs, metadata: { fromCache } }) {
        const found = docs[0]?.data() as StoredPage | undefined;
        if (found === undefined && fromCache) return; // offline and never seen
        if (found !== undefined && !fromCache) keepPage(board, found);
        setProvisional(found === undefined);
        page = { value: found ?? emptyPage(current.order, Timestamp.now()), fromCache };
        update();
      },
      error: fail,
    });
  }

  function leavePage(): void {
    stopPage?.();
    page = asked = undefined;
  }

  function setProvisional(is: boolean): void {
    if (is === isProvisional) return;
    isProvisional = is;
    if (is) {
      forgetRules(board);
      followRules();
    } else if (rules !== undefined) {
      settleRules(rules);
    }
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
      followPage(rules, value);
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
