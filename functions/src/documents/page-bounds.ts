/**
 * Which scores a page answers for, and the page of an empty ranking. Pure: clients that read pages by themselves use
 * this too.
 */
import { bestPossible, isBetter, type Order } from "../model/score.ts";
import type { Timestamp } from "./firestore.ts";
import type { Page } from "./page.ts";

/** The fields of a page that decide which scores it answers for. */
export type PageBounds = Pick<PageRead, "from_score" | "until_score" | "scores" | "lows">;

/**
 * Whether a page answers for a score. A page whose scores run the other way answers for no score: somebody has changed
 * the board's stored order by hand.
 */
export function covers(order: Order, page: PageBounds, score: number): boolean {
  const { from_score: from, until_score: until, scores, lows = scores } = page;
  const worst = until ?? lows[lows.length - 1] ?? from;
  if ([worst, score].some((one) => isBetter(order, one, from))) return false;
  return until === null || isBetter(order, score, until);
}

type TimeField = "as_of" | "read_at" | "next_publish_at";
type RowField = "scores" | "players_above" | "lows" | "pending_above";

/** The numbers of rows, in an array of whatever kind. */
export type Numbers = ArrayLike<number>;

/** A page as any Firestore library reads it, or as an instance keeps it in memory. */
export type PageRead<Time = Timestamp> = Omit<Page, TimeField | "shards_from" | RowField> &
  Record<TimeField, Time> & { shards_from?: Time | undefined } & Record<
    "scores" | "players_above",
    Numbers
  > & {
    lows?: Numbers | undefined;
    pending_above?: Numbers | undefined;
  };

/** The only page of a ranking without players, as before the first publication. */
export function emptyPage<Time>(order: Order, readAt: Time): PageRead<Time> {
  return {
    page: 0,
    pages: 1,
    generation: 0,
    players: 0,
    rows: 0,
    unusable_scores: 0,
    as_of: readAt,
    read_at: readAt,
    next_publish_at: readAt,
    from_score: bestPossible(order),
    until_score: null,
    rows_above: 0,
    scores: [],
    players_above: [],
    players_until: 0,
  };
}
