/** The rank of a score in a page. Pure: binary search and a little arithmetic. */
import type { Timestamp } from "../documents/firestore.ts";
import type { Numbers, PageRead } from "../documents/page-bounds.ts";
import type { Freshness, Rank } from "../model/answers.ts";
import type { Instant } from "../model/instant.ts";
import { isBetter, type Order } from "../model/score.ts";
import { firstWhere } from "../model/search.ts";

/** What a page says about its rows, whichever Firestore library read it. */
export type PageRows = Pick<
  PageRead,
  "scores" | "lows" | "players_above" | "players_until" | "rows_above" | "pending_above" | "owed_players"
>;

/** Where a score stands in one generation; `rank_best` and `rank_worst` are the rank where it is exact. */
export type Place = Pick<Rank, "rank" | "dense_rank" | "exact" | "rank_best" | "rank_worst">;

/** What one generation says about some scores, or about one. */
export interface Places<Time extends Instant = Timestamp> {
  /** 0 before the first publication. */
  generation: number;
  asOf: Time;
  players: number;
  freshness: Freshness;
  /** What the pages say of movement, and of what is pending; absent in a closed season, and on devices. */
  published?: Pick<PageRead, "baselines" | "as_of" | "remade_at" | "shards_from">;
  of(score: number): Place;
}

/** Places that were worked out one by one. */
export function placesKnown(about: Omit<Places, "of">, places: ReadonlyMap<number, Place>): Places {
  return {
    ...about,
    of(score) {
      const place = places.get(score);
      if (place === undefined) throw new Error(`${score} was not asked for`);
      return place;
    },
  };
}

/** Whether nothing can be said yet, before the first publication; a live answer can. */
export function isUnpublished({ generation, freshness }: Pick<Places, "generation" | "freshness">): boolean {
  return generation === 0 && freshness === "published";
}

export function placesIn<Time extends Instant = Timestamp>(
  order: Order,
  page: PageRows & Pick<PageRead, "players" | "generation"> & { as_of: Time },
): Places<Time> {
  const { players, as_of: asOf, generation } = page;
  const of = (score: number) => placeOf(order, page, score);
  return { players, freshness: "published", asOf, generation, of };
}

/**
 * The place of a score, whether or not a player has it, in the page that covers it.
 *
 * The best score of a merged row is exact. Below it, the guess is interpolated from the row's first rank to the rank
 * after its last, so ranks never get better as scores get worse. `rank_worst` allows for a score that nobody has, below
 * everyone in the row.
 *
 * While the ranking owes players (fold.ts), their scores are unknown: each may also be counted at another score that is
 * better than the requested one, which makes its rank too low. So only the first rank is exact.
 */
export function placeOf(order: Order, page: PageRows, score: number): Place {
  return doubted(page, placeInRows(order, page, score));
}

/** A place, with the doubts that players whom the ranking owes cast on it. */
export function doubted({ owed_players: players = 0 }: Pick<PageRows, "owed_players">, place: Place): Place {
  if (players >= 0 || place.rank_worst === 1) return place;
  return { ...place, exact: false, rank_best: Math.max(1, place.rank_best + players) };
}

/** The place of a score by the rows as they are, as if no players were owed. */
export function placeInRows(order: Order, page: PageRows, score: number): Place {
  const row = lastRowNotWorse(order, page.scores, score);
  const dense = page.rows_above + row + 1;
  const above = page.players_above[row];
  if (above === undefined) return exactly(1 + (page.players_above[0] ?? page.players_until), dense + 1);
  const rowScore = page.scores[row] ?? NaN;
  if (score === rowScore) return exactly(above + 1, dense);
  const until = page.players_above[row + 1] ?? page.players_until;
  const low = page.lows?.[row] ?? rowScore;
  if (isBetter(order, low, score)) return exactly(until + 1, dense + 1);
  const share = (score - rowScore) / (low - rowScore);
  const rank = above + 1 + Math.round(share * (until - above));
  return { rank, dense_rank: dense, exact: false, rank_best: above + 1, rank_worst: until + 1 };
}

/** The merged row that a score lies in, if its rank is uncertain; the row's better players would make it certain. */
export function mergedRowOf(order: Order, page: PageRows, score: number) {
  if (placeInRows(order, page, score).exact) return undefined;
  const row = lastRowNotWorse(order, page.scores, score);
  const [best = NaN, above = NaN] = [page.scores[row], page.players_above[row]];
  return { score: best, above, pendingAbove: page.pending_above?.[row] };
}

/**
 * The merged row with owed players that a score lies in. Nobody is shown there, but changes that make up for those
 * players may be pending on either side of the score.
 */
export function owedRowOf(order: Order, page: PageRows & Pick<PageRead, "owed">, score: number) {
  const row = page.owed?.find(
    (owed) => isBetter(order, owed.score, score) && !isBetter(order, owed.low, score),
  );
  return row && { score: row.score, above: placeInRows(order, page, score).rank - 1 };
}

/** A row of a page: the scores that it covers, players above it, and players in it. */
export interface PageRow {
  score: number;
  low: number;
  above: number;
  players: number;
}

/** Whether the player at a 0-based offset is on a page. */
export function holds({ players_above: above, players_until: until }: PageRead, offset: number): boolean {
  const first = above[0];
  return first !== undefined && first <= offset && offset < until;
}

/** The row with the player at a 0-based offset; undefined if that player is on another page. */
export function rowOfOffset(page: PageRead, offset: number): PageRow | undefined {
  const row = firstWhere(page.players_above, (before) => before > offset) - 1;
  const above = page.players_above[row];
  if (offset >= page.players_until || above === undefined) return undefined;
  const score = page.scores[row] ?? NaN;
  const until = page.players_above[row + 1] ?? page.players_until;
  return { score, low: page.lows?.[row] ?? score, above, players: until - above };
}

function exactly(rank: number, denseRank: number): Place {
  return { rank, dense_rank: denseRank, exact: true, rank_best: rank, rank_worst: rank };
}

/** The index of the last row that is not worse than a score; −1 if the score beats them all. */
function lastRowNotWorse(order: Order, scores: Numbers, score: number): number {
  return firstWhere(scores, (other) => isBetter(order, score, other)) - 1;
}
