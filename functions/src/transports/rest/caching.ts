/** How long browsers and CDNs may keep an answer. */
import { closedFreshSeconds, overduePageMs, topRefreshSecondsDefault } from "../../model/limits.ts";
import type { SeasonKey } from "../../documents/paths.ts";
import type { Services } from "../../operations/services.ts";
import { isPublicBoard } from "./access.ts";
import type { Keep, Route } from "./route.ts";

/**
 * The headers that say so. An answer about a public board depends only on its URL, so any cache may keep it; any other
 * answer only the caller's own cache. Costs no read, as the board is in memory by then.
 * @param data the data of the answered request.
 */
export async function cachingOf(
  services: Services,
  { keep }: Pick<Route, "keep">,
  data: Record<string, unknown>,
  answer: unknown,
): Promise<Record<string, string>> {
  if (keep === "never" || isLive(data, answer)) return { "Cache-Control": "no-store" };
  const { leaderboard } = data as { leaderboard?: string };
  if (leaderboard === undefined) return headers(false, 0);
  // The answer names its season; a request with a span does not.
  const { season, generation } = answer as { season: string; generation: number };
  const key = { leaderboard, season };
  let seconds = 0;
  if (!isOlderThanAsked(data, answer)) {
    const isNamed = data["season"] !== undefined;
    const isFinal = isNamed && isOfClosedSeason(services, key, generation);
    const untilMs = services.pages.freshUntilMs(key, generation);
    seconds = isFinal ? closedFreshSeconds : secondsKept(keep, untilMs, services.now());
    if (!isNamed) seconds = Math.min(seconds, secondsLeft(services, key));
  }
  return headers(await isPublicBoard(services, leaderboard), seconds);
}

/**
 * Whether an answer comes from the final ranking of a closed season. It changes only if an admin removes a player. This
 * holds for a season that is named: a span's current season is replaced by its next.
 */
function isOfClosedSeason({ boards }: Services, key: SeasonKey, generation: number): boolean {
  const season = boards.peek(key)?.value.season;
  return season?.status === "closed" && season.ranking.generation === generation;
}

/** Seconds until the season ends: from then on its span has another current season. */
function secondsLeft({ boards, now }: Services, key: SeasonKey): number {
  const closes = boards.peek(key)?.value.season?.closes_at;
  return closes == null ? Infinity : Math.max(0, Math.floor((closes.toMillis() - now()) / 1_000));
}

/** A list does not say whether its ranks are live. An exact rank also is, if its publication's time can't be read any more. */
function isLive(asked: Record<string, unknown>, answer: unknown): boolean {
  const { freshness = asked["freshness"] } = answer as { freshness?: string };
  return freshness === "live";
}

/**
 * An answer of an older generation than requested is right until that generation is published, which may be at any
 * time.
 */
function isOlderThanAsked(data: Record<string, unknown>, answer: unknown): boolean {
  const { min_generation: asked = 0 } = data as { min_generation?: number };
  return (answer as { generation: number }).generation < asked;
}

function headers(isPublic: boolean, seconds: number): Record<string, string> {
  const duration = seconds === 0 ? "no-cache" : `max-age=${seconds}`;
  return isPublic
    ? { "Cache-Control": `public, ${duration}` }
    : { "Cache-Control": `private, ${duration}`, Vary: "Authorization" };
}

/** Pure. @param untilMs until when the pages in memory may be used; for a closed season forever. */
export function secondsKept(
  keep: Exclude<Keep, "never">,
  untilMs: number | undefined,
  nowMs: number,
): number {
  if (keep === "now") return 0;
  // A change at a quiet time waits as long for its refresh.
  if (keep === "top") return topRefreshSecondsDefault;
  if (untilMs === undefined) return 0;
  const leftMs = untilMs === Infinity ? overduePageMs : untilMs - nowMs;
  return Math.max(1, Math.floor(leftMs / 1_000));
}
