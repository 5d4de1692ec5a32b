/** A season as callers see it. */
import type { Season } from "../documents/season.ts";
import type { SeasonListed } from "../model/answers.ts";

/** A season that has ended is `closing`, whether its closing has begun or not. Pure. */
export function seasonShown(id: string, season: Season, nowMs: number): SeasonListed {
  const { span, status, opens_at: opens, closes_at: closes, closed_at: closed, ranking } = season;
  const hasEnded = closes !== null && closes.toMillis() <= nowMs;
  return {
    season: id,
    span,
    status: status === "deleting" ? "closed" : status === "open" && hasEnded ? "closing" : status,
    opens_at: opens.toDate().toISOString(),
    closes_at: closes === null ? null : closes.toDate().toISOString(),
    ...(closed === null ? {} : { closed_at: closed.toDate().toISOString() }),
    players: ranking.players,
    generation: ranking.generation,
  };
}
