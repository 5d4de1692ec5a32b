/** The answer to "what is my rank?". */
import { type ColumnValues, unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/leaderboard.ts";
import type { SeasonKey } from "../model/paths.ts";
import { type Place, placeOf } from "./lookup.ts";
import type { Page } from "./pages.ts";

/** A rank with all that belongs to it; see the API's `Rank`. */
export interface Rank extends Place {
  leaderboard: string;
  season: string;
  player?: string;
  score: number;
  columns?: ColumnValues;
  /** Players ranked in this generation. */
  players: number;
  /** The share, in per cent, of the other players who are not better; 100 for rank 1. */
  percentile: number;
  tier?: string;
  freshness: "published";
  /** The ranking holds every change indexed in a slot that had ended by then. */
  as_of: string;
  generation: number;
}

/**
 * The rank of a score in the generation of a page that covers it.
 * @param player whose score it is, if it is somebody's.
 */
export function rankOf(
  key: SeasonKey,
  definition: Definition,
  page: Page,
  score: number,
  player?: string,
): Rank {
  const place = placeOf(definition.order, page, score);
  const columns =
    definition.columns === undefined ? undefined : unpackColumns(definition.order, definition.columns, score);
  const tier = tierOf(definition, place.rank, page.players);
  return {
    leaderboard: key.leaderboard,
    season: key.season,
    ...(player === undefined ? {} : { player }),
    score,
    ...(columns === undefined ? {} : { columns }),
    ...place,
    players: page.players,
    percentile: percentileOf(place.rank, page.players),
    ...(tier === undefined ? {} : { tier }),
    freshness: "published",
    as_of: page.as_of.toDate().toISOString(),
    generation: page.generation,
  };
}

/**
 * The share, in per cent, of the other players who are not better: 100 for rank 1, 0 for the last of players who all
 * differ. A score that ranks below everyone has 0.
 */
export function percentileOf(rank: number, players: number): number {
  const others = players - 1;
  if (rank <= 1 || others <= 0) return rank <= 1 ? 100 : 0;
  return Math.max(0, (100 * (others - (rank - 1))) / others);
}

/**
 * The first tier whose share of the players, rounded up to a whole player, reaches down to the rank. A share is
 * rounded by a hair less than it is, as 3000 × 1.1 / 100 is 33.00000000000001 and must not become 34.
 */
export function tierOf(
  { tiers }: Pick<Definition, "tiers">,
  rank: number,
  players: number,
): string | undefined {
  const hair = 1 - 4 * Number.EPSILON;
  return tiers?.find(({ top_percent: percent }) => rank <= Math.ceil(((players * percent) / 100) * hair))
    ?.name;
}
