/** Whether a season takes scores, by the clock and not the status alone, or changes of any kind. Pure. */
import type { Season } from "../documents/season.ts";

/** The fields that decide it. */
export type Hours = Pick<Season, "span" | "status" | "opens_at" | "closes_at">;

/** Whether a submission that arrives now counts: from `opens_at` on, and before `closes_at`. */
export function isTaking(season: Hours, nowMs: number): boolean {
  const { status, closes_at: closes } = season;
  return status === "open" && !isToCome(season, nowMs) && (closes === null || nowMs < closes.toMillis());
}

/**
 * Whether a custom season is yet to open; one that was ended before never opens. A season of a span never is: it is found
 * by the clock or, like `all_time`, opens with its first score, and an instance whose clock is behind must not refuse the
 * next one.
 */
export function isToCome({ span, opens_at: opens, closes_at: closes }: Hours, nowMs: number): boolean {
  const hasEnded = closes !== null && nowMs >= closes.toMillis();
  return span === "custom" && !hasEnded && nowMs < opens.toMillis();
}

/** Whether a season's ranking is final or being deleted: no run is requested, and nothing is counted in it. */
export function isEnded({ status }: Pick<Season, "status">): boolean {
  return status === "closed" || status === "deleting";
}

/**
 * When a season ends, in milliseconds since 1970; nothing where it never does. After an admin has ended it, instances
 * may take scores for `knownMs`, as long as they remember it. So it ends at least that long after the commit, which may
 * be slow, or come from a server whose clock is behind. Pure.
 */
export function endMs(
  { closes_at: closesAt, end_told_at: toldAt }: Pick<Season, "closes_at" | "end_told_at">,
  knownMs: number,
): number | undefined {
  if (closesAt === null) return undefined;
  return Math.max(closesAt.toMillis(), (toldAt?.toMillis() ?? -Infinity) + knownMs);
}
