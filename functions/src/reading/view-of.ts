/** Which of its three makers makes the view of a ranking. */
import { forKnownOnly } from "../model/errors.ts";
import type { Board, OpenedBoard, RankingBoard } from "../seasons/read-board.ts";
import { asStored } from "./listed.ts";
import { listsOf } from "./lists.ts";
import { liveRanks } from "./live.ts";
import { pageCacheOf } from "./page-cache.ts";
import { publishedRanks } from "./published.ts";
import type { Ranks, RanksAsked, RankingView } from "./ranking-view.ts";
import type { Services } from "../world/services.ts";
import { finalViewsOf } from "./final-views.ts";
import { liveReadsOf } from "./live-sums.ts";

/** The view of a ranking that a request asks for. Costs nothing by itself. */
export function viewOf(services: Services, board: RankingBoard, asked: RanksAsked): RankingView {
  if (isClosed(board)) return finalViewsOf(services).viewOf(board, asked);
  const ranks = asked.freshness === "live" ? liveRanks : publishedRanks;
  return viewWith(services, board, ranks(services, board, asked));
}

/**
 * The view of a ranking that shows live ranks where they cost nothing: where the instance remembers what is pending, of a
 * generation that is not older than the caller has seen, or the instance.
 */
export function viewAtHand(services: Services, board: RankingBoard, asked: RanksAsked): RankingView {
  const sums = liveReadsOf(services).peek(board.key);
  const atLeast = Math.max(asked.min_generation ?? 0, pageCacheOf(services).generationOf(board.key));
  const isNewEnough = sums !== undefined && sums.first.generation >= atLeast;
  if (!isNewEnough || asked.freshness === "live") return viewOf(services, board, asked);
  return viewWith(services, board, liveRanks(services, board, asked, sums));
}

/**
 * Refuses an unknown caller's question whose cost grows with what is pending, or with the players of a row. Whatever is
 * asked of a season that has closed, its final table answers.
 * @throws `unauthenticated`
 */
export function requireAffordable(board: Board, { freshness, exact }: RanksAsked, isKnown: boolean): void {
  if (isKnown || isClosed(board)) return;
  if (freshness === "live")
    throw forKnownOnly("freshness", 'must be "published": a live rank reads all pending changes');
  if (exact === true) throw forKnownOnly("exact", "must be false: an exact rank counts players");
}

function isClosed<Of extends Board>(board: Of): board is Of & OpenedBoard {
  return board.season?.status === "closed";
}

function viewWith({ db }: Services, board: RankingBoard, ranks: Ranks): RankingView {
  return { board, ...ranks, ...listsOf(db, board, ranks, asStored(db, board)) };
}
