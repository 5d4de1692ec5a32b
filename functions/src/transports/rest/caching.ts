/** How long browsers and CDNs may keep an answer. */
import { topFreshSeconds } from "../../model/limits.ts";
import type { Services } from "../../operations/services.ts";
import { requestedSeason } from "../../seasons/current.ts";
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
  const { leaderboard, season, span } = data as { leaderboard?: string; season?: string; span?: string };
  if (leaderboard === undefined) return headers(false, 0);
  const key = requestedSeason({ leaderboard, season, span });
  const seconds = isOlderThanAsked(data, answer)
    ? 0
    : secondsKept(
        keep,
        services.pages.freshUntilMs(key, (answer as { generation: number }).generation),
        services.now(),
      );
  return headers(await isPublicBoard(services, leaderboard), seconds);
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

/** Pure. @param untilMs until when the pages in memory are of use. */
export function secondsKept(
  keep: Exclude<Keep, "never">,
  untilMs: number | undefined,
  nowMs: number,
): number {
  if (keep === "now") return 0;
  if (keep === "top") return topFreshSeconds;
  return untilMs === undefined ? 0 : Math.max(1, Math.floor((untilMs - nowMs) / 1_000));
}
