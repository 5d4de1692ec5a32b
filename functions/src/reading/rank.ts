/** The answer to "what is my rank?". */
import type { Timestamp } from "../documents/firestore.ts";
import type { Page } from "../documents/page.ts";
import type { SeasonKey } from "../documents/paths.ts";
import type { Freshness, Rank } from "../model/answers.ts";
import { unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { type Instant, isoTime } from "../model/instant.ts";
import type { Order } from "../model/score.ts";
import { type PageRows, type Place, placeOf } from "./lookup.ts";
import type { Places } from "./places.ts";

/** What is known of a score's place, however it was found. */
export interface DatedPlace<Time extends Instant = Timestamp> {
  place: Place;
  players: number;
  freshness: Freshness;
  asOf: Time;
  generation: number;
}

/** The place of a score according to the page that covers it. */
export function publishedPlace<Time extends Instant>(
  order: Order,
  page: PageRows & Pick<Page, "players" | "generation"> & { as_of: Time },
  score: number,
): DatedPlace<Time> {
  const { players, as_of: asOf, generation } = page;
  return { place: placeOf(order, page, score), players, freshness: "published", asOf, generation };
}

/** The place of one of several scores. */
export function placeIn(places: Places, score: number): DatedPlace {
  const { players, freshness, asOf, generation } = places;
  return { place: places.of(score), players, freshness, asOf, generation };
}

/**
 * The full answer about a score's place.
 * @param player the player with the score, if it is a player's.
 */
export function rankOf(
  { leaderboard, season }: SeasonKey,
  definition: Pick<Definition, "order" | "columns" | "tiers">,
  { place, players, freshness, asOf, generation }: DatedPlace<Instant>,
  score: number,
  player?: string,
): Rank {
  const columns =
    definition.columns === undefined ? undefined : unpackColumns(definition.order, definition.columns, score);
  const tier = tierOf(definition, place.rank, players);
  return {
    leaderboard,
    season,
    ...(player === undefined ? {} : { player }),
    score,
    ...(columns === undefined ? {} : { columns }),
    ...place,
    players,
    percentile: percentileOf(place.rank, players),
    ...(tier === undefined ? {} : { tier }),
    freshness,
    as_of: isoTime(asOf),
    generation,
  };
}

/**
 * The share, in per cent, of the other players who are not better: 100 for rank 1, 0 for the last of players with
 * different scores. A score below everyone has 0.
 */
export function percentileOf(rank: number, players: number): number {
  const others = players - 1;
  if (rank <= 1 || others <= 0) return rank <= 1 ? 100 : 0;
  return Math.max(0, (100 * (others - (rank - 1))) / others);
}

/**
 * The first tier whose share of the players, rounded up to a whole player, reaches down to the rank. A tiny amount is
 * subtracted before rounding, as 3000 × 1.1 / 100 is 33.00000000000001 and must not become 34. A score behind all
 * counted players has the tier of the last of them.
 */
export function tierOf(
  { tiers }: Pick<Definition, "tiers">,
  rank: number,
  players: number,
): string | undefined {
  const hair = 1 - 4 * Number.EPSILON;
  const counted = Math.max(1, Math.min(rank, players));
  return tiers?.find(({ top_percent: percent }) => counted <= Math.ceil(((players * percent) / 100) * hair))
    ?.name;
}
