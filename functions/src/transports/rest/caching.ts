/** How long browsers and CDNs may keep an answer of the REST interface. */
import { closedFreshSeconds, overduePageMs, topRefreshSecondsDefault } from "../../model/limits.ts";
import { segmentText, type SegmentValues } from "../../model/segments.ts";
import { mine } from "../../operations/shared/season-asked.ts";
import type { Services } from "../../world/services.ts";
import type { Keep, Route } from "./routes.ts";
import { boardCacheOf } from "../../seasons/board.ts";
import { pageCacheOf } from "../../reading/page-cache.ts";

/**
 * The headers that say how long caches may keep an answer. An answer about a public board depends only on its URL, so
 * any cache may keep it, unless the request asks for the caller's own segment. Any other answer may only be kept by the
 * caller's own cache. The board is the one that answered, by the definition of the answer's season. That costs no read, as
 * the answer has put it in memory.
 * @param data the request's data.
 */
export async function cachingOf(
  services: Services,
  { keep }: Pick<Route, "keep">,
  data: Record<string, unknown>,
  answer: unknown,
): Promise<Record<string, string>> {
  const {
    leaderboard,
    season: seasonNamed,
    segment: wanted = {},
    segments: ownSegments = [],
    freshness: asked,
    min_generation: atLeast = 0,
  } = data as RequestSeen;
  // The season is taken from the answer, as a request with a span names none. Only the answer says whether an exact
  // rank is live, which it is if the publication's read time can't be read any more; a list says nothing, so the
  // request decides.
  const { season, segment: values = {}, generation, freshness = asked } = answer as AnswerSeen;
  const [segment] = Object.entries(values).map(([name, value]) => segmentText(name, value));
  if (keep === "never" || freshness === "live") return { "Cache-Control": "no-store" };
  if (leaderboard === undefined) return headers(false, 0);
  const boards = boardCacheOf(services);
  // A list of seasons is of none.
  const { definition, season: known } = await (season === undefined
    ? boards.loadDefinition(leaderboard)
    : boards.load({ leaderboard, season }));
  // An answer about a segment with `visible: "self"` depends on who asks. So may one about a segment that was taken away a
  // moment ago.
  const { segments = [] } = definition;
  const named = typeof wanted === "string" ? [wanted] : [...Object.keys(wanted), ...ownSegments];
  const isForAll = named.every((name) =>
    segments.some((segment) => segment.name === name && segment.visible !== "self"),
  );
  const isPublic = definition.visibility === "public" && isForAll && !Object.values(wanted).includes(mine);
  // An answer of an older generation than requested is outdated as soon as the requested generation is published.
  if (season === undefined || generation < atLeast) return headers(isPublic, 0);
  const pages = pageCacheOf(services);
  const [key, nowMs] = [{ leaderboard, season, segment }, services.now()];
  const seconds = secondsKept(keep, pages.freshUntilMs(key, generation), nowMs);
  // After the season's end, its span has another running season.
  const leftMs = (known?.closes_at?.toMillis() ?? Infinity) - nowMs;
  if (seasonNamed === undefined)
    return headers(isPublic, Math.min(seconds, Math.max(0, Math.floor(leftMs / 1_000))));
  // The final ranking of a closed season changes only if an admin removes a player.
  const isFinal = known?.status === "closed" && known.ranking.generation === generation;
  return headers(isPublic, isFinal ? closedFreshSeconds : seconds);
}

interface RequestSeen {
  leaderboard?: string;
  season?: string;
  /** Of teams the name alone. */
  segment?: SegmentValues | string;
  segments?: readonly string[];
  freshness?: string;
  min_generation?: number;
}

interface AnswerSeen {
  season?: string;
  segment?: SegmentValues;
  generation: number;
  freshness?: string;
}

function headers(isPublic: boolean, seconds: number): Record<string, string> {
  const duration = seconds === 0 ? "no-cache" : `max-age=${seconds}`;
  return isPublic
    ? { "Cache-Control": `public, ${duration}` }
    : { "Cache-Control": `private, ${duration}`, Vary: "Authorization" };
}

/**
 * How many seconds an answer may be kept. Pure.
 * @param untilMs until when the pages in memory may be used; Infinity for a closed season.
 */
export function secondsKept(
  keep: Exclude<Keep, "never">,
  untilMs: number | undefined,
  nowMs: number,
): number {
  if (keep === "now") return 0;
  // At a quiet time, a change of the top waits as long for its refresh.
  if (keep === "top") return topRefreshSecondsDefault;
  if (untilMs === undefined) return 0;
  const leftMs = untilMs === Infinity ? overduePageMs : untilMs - nowMs;
  return Math.max(1, Math.floor(leftMs / 1_000));
}
