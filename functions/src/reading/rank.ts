/** The answer to "what is my rank?". */
import type { SeasonKey } from "../documents/paths.ts";
import type { Rank } from "../model/answers.ts";
import { unpackColumns } from "../model/columns.ts";
import { defined } from "../model/defined.ts";
import type { Definition } from "../model/definition.ts";
import { type Instant, isoTime } from "../model/instant.ts";
import type { Places } from "./lookup.ts";

export function rankOf(
  { leaderboard, season }: SeasonKey,
  definition: Pick<Definition, "order" | "columns" | "tiers">,
  places: Places<Instant>,
  score: number,
  player?: string,
): Rank {
  const place = places.of(score);
  const { players, freshness, asOf, generation } = places;
  const columns = unpackColumns(definition.order, definition.columns, score);
  const tier = tierOf(definition, place.rank, players);
  const percentile = percentileOf(place.rank, players);
  const ranked = { leaderboard, season, player, score, columns, ...place, players, percentile, tier };
  return defined({ ...ranked, freshness, as_of: isoTime(asOf), generation });
}

/**
 * The share, in per cent, of the other players who are not better: 100 for rank 1, 0 for the last of players with
 * different scores. A score below everyone has 0.
 */
export function percentileOf(rank: number, players: number): number {
  const others = players - 1;
  if (others <= 0) return rank <= 1 ? 100 : 0;
  return Math.max(0, (100 * (others - (rank - 1))) / others);
}

/**
 * The worst rank that has a percentile, or a better one: the inverse of {@link percentileOf}. Above the number of players
 * where even a score behind all has it.
 */
export function worstRankWith(percentile: number, players: number): number {
  if (percentile <= 0) return players + 1;
  const guess = 1 + Math.floor(((players - 1) * (100 - percentile)) / 100);
  // The quotients of the two directions are rounded differently.
  const reaches = (rank: number) => percentileOf(rank, players) >= percentile;
  return Math.max(1, [guess + 1, guess, guess - 1].find(reaches) ?? 1);
}

/**
 * The worst rank that is in a tier, or a better one: the inverse of {@link tierOf}. Above the number of players where even
 * a score behind all is.
 */
export function worstRankIn({ top_percent: percent }: { top_percent: number }, players: number): number {
  const reach = tierReach(percent, players);
  return reach >= players ? players + 1 : Math.max(1, reach);
}

/**
 * The first tier whose share of the players, rounded up to a whole player, reaches down to the rank. A tiny amount is
 * subtracted before rounding, as 3000 × 1.1 / 100 is 33.00000000000001 and must not become 34. A score behind all
 * counted players has the tier of the last of them.
 */
export function tierOf({ tiers }: Pick<Definition, "tiers">, rank: number, players: number) {
  const counted = Math.max(1, Math.min(rank, players));
  return tiers?.find(({ top_percent: percent }) => counted <= tierReach(percent, players))?.name;
}

/** How many of the best players a share of them has. */
function tierReach(percent: number, players: number): number {
  const hair = 1 - 4 * Number.EPSILON;
  return Math.ceil(((players * percent) / 100) * hair);
}
