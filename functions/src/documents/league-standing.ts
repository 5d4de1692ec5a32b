/**
 * What outlives a week of a player's league: the field `league` of `player_statuses/{player}`, beside a status. The tier,
 * the last week in a group, the last outcomes, and whether the player has left. Settling writes it unread
 * (league/settle.ts); seating reads it with a player's first score of a week (league/seat-waiting.ts).
 */
import { z } from "zod";
import type { StoodIn } from "../model/league.ts";
import { Timestamp } from "./firestore.ts";

const outcome = z.object({
  /** Ids of tiers. */
  from: z.string(),
  to: z.string(),
  place: z.int().min(1),
  /** Members of the group. */
  members: z.int().min(1),
});

export const storedLeagueStanding = z.object({
  tier: z.string().optional().catch(undefined),
  /** The number of the tier on the ladder, 0-based. */
  step: z.int().min(0).optional().catch(undefined),
  /** When the last week ended that the player was in a group. */
  until: z.instanceof(Timestamp).optional().catch(undefined),
  /** By season, the last ten. */
  outcomes: z.record(z.string(), outcome).optional().catch(undefined),
  /** Whether the player takes no part, by a wish of the player's own. */
  has_left: z.literal(true).optional().catch(undefined),
});
export type LeagueStanding = z.infer<typeof storedLeagueStanding>;

/** How many outcomes of a player are kept. */
export const outcomesKept = 10;

/** What a document of `player_statuses` says of the league. Never throws. */
export function leagueStandingIn(data: Record<string, unknown> | undefined): LeagueStanding {
  return storedLeagueStanding.safeParse(data?.["league"] ?? {}).data ?? {};
}

/** Where a player stood; undefined for one who was never settled. */
export function stoodIn({ tier, step, until }: LeagueStanding): StoodIn | undefined {
  if (tier === undefined || until === undefined) return undefined;
  return { tier, step: step ?? 0, untilMs: until.toMillis() };
}

/** The last outcome; undefined if there is none. The ids of a span's seasons sort by time. */
export function lastOutcome({ outcomes = {} }: LeagueStanding) {
  const season = Object.keys(outcomes).toSorted().at(-1);
  const found = season === undefined ? undefined : outcomes[season];
  return season === undefined || found === undefined ? undefined : { season, ...found };
}

/** The outcome that has to go when another one comes; undefined while there is room. */
export function outcomeToDrop({ outcomes = {} }: LeagueStanding): string | undefined {
  const seasons = Object.keys(outcomes).toSorted();
  return seasons.length < outcomesKept ? undefined : seasons[0];
}
