/**
 * A player's rank, live, worked out on the device from two documents: the player's own, and the page of the ranking
 * that covers its score.
 *
 * A new score that stays on the page moves within it at no further cost. A new generation arrives as one document.
 * Which page covers a score may change with a generation, and the listener is a query for the page that does, so it
 * follows; only a score that leaves its page needs another listener.
 */
import { type FirestoreError, Timestamp, type Unsubscribe } from "firebase/firestore";
import { covers } from "../../functions/src/ranking/lookup.ts";
import { emptyPage } from "../../functions/src/ranking/page-memory.ts";
import type { WatchedRank } from "./answers.ts";
import { type FirerankError, toFirerankError } from "./firerank-error.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { type Found, listenToPage, listenToRules, listenToScore } from "./listeners.ts";
import {
  forgetRules,
  keepPage,
  keepRules,
  rankIn,
  type Rules,
  rulesInMemory,
  type StoredPage,
} from "./stored.ts";

/** See `watchRank`, which this is for one player. */
export function watchPlayer(
  board: Leaderboard,
  player: string,
  onRank: (rank: WatchedRank | null) => void,
  onError: (error: FirerankError) => void,
): Unsubscribe {
  const tell = tellChanges(onRank);
  let rules = rulesInMemory(board);
  /** Whether they are what the device remembers, which the server's may soon replace. */
  let areOldRules = false;
  let score: Found<number | undefined> | undefined;
  let page: Found<StoredPage> | undefined;
  /** The score that the page listener asks for. */
  let asked: number | undefined;
  /** Until a page was seen, the definition's order may still change; what is in memory was kept after one was. */
  let isProvisional = rules === undefined;
  let stopPage: Unsubscribe | undefined;
  let stopRules: Unsubscribe | undefined;
  const stopScore = listenToScore(board, player, { next: takeScore, error: fail });
  if (rules === undefined) followRules();

  /** Tells the rank if what is known is enough for it, and sees to what is missing. */
  function update(): void {
    if (score?.value === undefined || rules === undefined) return;
    const { value, fromCache } = score;
    if (page !== undefined && covers(rules.order, page.value, value)) {
      const isCached = fromCache || page.fromCache || areOldRules;
      tell(rankIn(board, rules, page.value, value, isCached, player));
    } else if (asked !== value) {
      followPage(rules, value);
    }
  }

  function takeScore(found: Found<number | undefined>): void {
    score = found;
    if (found.value === undefined) {
      leavePage();
      tell(null);
    } else {
      update();
    }
  }

  function followRules(): void {
    stopRules?.();
    stopRules = listenToRules(board, {
      next({ value, fromCache }) {
        if (rules?.order !== value.order) leavePage();
        rules = value;
        areOldRules = fromCache;
        if (!isProvisional && !fromCache) settleRules(value);
        update();
      },
      error: fail,
    });
  }

  /** Reads the definition no more: what matters of it is final. */
  function settleRules(final: Rules): void {
    stopRules?.();
    keepRules(board, final);
  }

  function followPage(current: Rules, ofScore: number): void {
    leavePage();
    asked = ofScore;
    stopPage = listenToPage(board, current, ofScore, {
      next({ value, fromCache }) {
        setProvisional(value === undefined);
        if (value !== undefined && !fromCache) keepPage(board, value);
        page = { value: value ?? emptyPage(current.order, Timestamp.now()), fromCache };
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
    } else if (rules !== undefined && !areOldRules) {
      settleRules(rules);
    }
  }

  function stop(): void {
    stopScore();
    stopRules?.();
    leavePage();
  }

  function fail(error: FirestoreError | FirerankError): void {
    stop();
    onError(toFirerankError("watchRank", error));
  }

  return stop;
}

/** Tells a rank only where it is not the one that was told last. */
function tellChanges(onRank: (rank: WatchedRank | null) => void): (rank: WatchedRank | null) => void {
  let told: string | undefined;
  return (rank) => {
    const text = JSON.stringify(rank);
    if (text === told) return;
    told = text;
    onRank(rank);
  };
}
