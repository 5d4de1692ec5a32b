/** How long browsers and CDNs may keep an answer. */
import { closedFreshSeconds, overduePageMs, topFreshSeconds } from "../../model/limits.ts";
import type { SeasonKey } from "../../documents/paths.ts";
import type { Services } from "../../operations/services.ts";
import { isPublicBoard } from "./access.ts";
import type { Keep, Route } from "./route.ts";

/**
 * The headers that say so. An answer about a public board depends on nothing but its URL and may be kept by anybody,
 * any other by the caller's own cache only. Costs no read, as the board is in memory by then.
 * @param data of a request that was answered.
 */
export async function cachingOf(
  services: Services,
  { keep }: Pick<Route, "keep">,
  data: Record<string, unknown>,
  answer: unknown,
): Promise<Record<string, string>> {
  if (keep === "never" || isLive(answer)) return { "Cache-Control": "no-store" };
  const { leaderboard } = data as { leaderboard?: string };
  if (leaderboard === undefined) return headers(false, 0);
  // The answer names its season, which a request by its span does not.
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
 * Whether an answer is of the published ranking of a season that has closed. Whatever it is about, it changes only if an
 * admin takes somebody out. Of a season that is named by itself, that is: a span's is another one from its next on.
 */
function isOfClosedSeason({ boards }: Services, key: SeasonKey, generation: number): boolean {
  const season = boards.peek(key)?.value.season;
  return season?.status === "closed" && season.ranking.generation === generation;
}

/** Until the season ends: from then on its span's present season is another one. */
function secondsLeft({ boards, now }: Services, key: SeasonKey): number {
  const closes = boards.peek(key)?.value.season?.closes_at;
  return closes == null ? Infinity : Math.max(0, Math.floor((closes.toMillis() - now()) / 1_000));
}

/** Also an exact rank is live, where the time of its publication can no longer be read at. */
function isLive(answer: unknown): boolean {
  return (answer as { freshness?: string }).freshness === "live";
}

/** An answer of an older generation than asked for is right until that one is published, which may be at any time. */
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

/** Pure. @param untilMs until when the pages in memory are of use; a closed season's for ever. */
export function secondsKept(
  keep: Exclude<Keep, "never">,
  untilMs: number | undefined,
  nowMs: number,
): number {
  if (keep === "now") return 0;
  if (keep === "top") return topFreshSeconds;
  if (untilMs === undefined) return 0;
  const leftMs = untilMs === Infinity ? overduePageMs : untilMs - nowMs;
  return Math.max(1, Math.floor(leftMs / 1_000));
}
