/**
 * A player's rank, live, worked out on the device from two documents: the player's document, and the page of the ranking that
 * covers the player's score.
 *
 * A new score on the same page costs no further read. A new generation of the page arrives as one document. If another page
 * covers the score in the new generation, the listener finds that page, as it listens to a query. Only a score that leaves its
 * page needs a new listener. The definition's order of scores is final once there is a ranking.
 */
import type { FirestoreError, Unsubscribe } from "firebase/firestore";
import { covers } from "../../functions/src/documents/page-bounds.ts";
import { toStep } from "../../functions/src/model/arithmetic.ts";
import type { WatchedRank } from "./answers.ts";
import { type FirerankError, requireId, toFirerankError } from "./firerank-error.ts";
import type { SeasonBoard } from "./leaderboard.ts";
import { type ValueRead, listenToPage, listenToRules, listenToScore } from "./listeners.ts";
import {
  forgetRules,
  keepPage,
  keepRules,
  rankIn,
  type Rules,
  rulesInMemory,
  type StoredPage,
} from "./stored.ts";
import { tellChanges } from "./tell-changes.ts";

/**
 * Watches the rank of one player, for `watchRank`. This is one function, as three listeners start, feed and end each other.
 * @throws `invalid_request` for an id that no document can have
 */
export function watchPlayer(
  board: SeasonBoard,
  player: string,
  onRank: (rank: WatchedRank | null) => void,
  onError: (error: FirerankError) => void,
  isNext: boolean,
): Unsubscribe {
  requireId("player", player);
  const tell = tellChanges(onRank);
  /** If the board's rules are in memory, their order is final. Otherwise this listens to the definition. */
  let rules = rulesInMemory(board);
  /** Whether the rules came from the device's cache, so that rules from the server may soon replace them. */
  let areOldRules = false;
  let score: ValueRead<number | undefined> | undefined;
  /** The page that covers the score. If it has arrived without a value, nothing is published. */
  let page: ValueRead<StoredPage | undefined> | undefined;
  /** The score that the page listener asks for. */
  let asked: number | undefined;
  let stopPage: Unsubscribe | undefined;
  let stopRules: Unsubscribe | undefined;
  const stopScore = listenToScore(board, player, { next: takeScore, error: fail }, isNext);
  if (rules === undefined) followRules();

  /** Reports the rank if score, rules and page are known. If only the page is missing, this starts to listen to it. */
  function update(): void {
    if (score?.value === undefined || rules === undefined) return;
    const { fromCache } = score;
    // A server's score may not be a step of the board yet.
    const value = toStep(rules, score.value);
    if (page !== undefined && page.value === undefined) {
      // Before the first publication nobody has a rank.
      tell(null);
    } else if (page?.value !== undefined && covers(rules.order, page.value, value)) {
      const isCached = fromCache || page.fromCache || areOldRules;
      if (stopRules !== undefined && !isCached) keepRules(board, rules, true);
      tell(rankIn(board, rules, page.value, { score: value, player, fromCache: isCached }));
    } else if (asked !== value) {
      followPage(rules, value);
    }
  }

  function takeScore(found: ValueRead<number | undefined>): void {
    score = found;
    if (found.value === undefined) {
      leavePage();
      tell(null);
    } else {
      update();
    }
  }

  /** Listens to the definition. Its order may change until there is a ranking, and its tiers at any time. */
  function followRules(): void {
    stopRules ??= listenToRules(board, {
      next({ value, fromCache }) {
        // Rules from the cache do not replace rules from the server.
        if (fromCache && rules !== undefined && !areOldRules) return;
        areOldRules = fromCache;
        takeRules(value);
        update();
      },
      error: fail,
    });
  }

  function takeRules(value: Rules): void {
    if (rules?.order !== value.order) leavePage();
    rules = value;
  }

  /** Takes rules from memory, which may be newer. If the rules in memory have expired, this listens to the definition. */
  function renewRules(): void {
    const kept = rulesInMemory(board);
    if (kept === undefined) followRules();
    else if (stopRules === undefined) takeRules(kept);
  }

  function followPage(current: Rules, ofScore: number): void {
    leavePage();
    asked = ofScore;
    stopPage = listenToPage(board, current, ofScore, {
      next(found) {
        page = found;
        if (found.value === undefined) forgetRules(board);
        else if (!found.fromCache) keepPage(board, found.value);
        renewRules();
        update();
      },
      error: fail,
    });
  }

  function leavePage(): void {
    stopPage?.();
    page = asked = undefined;
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
