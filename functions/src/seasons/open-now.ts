/** Whether a season takes new scores, or still counts what it took, by its status and the clock. Pure. */
import type { Season } from "../documents/season.ts";
import { dozeOverdueMsMax } from "../model/limits.ts";

/** The fields of a season that decide whether it takes scores. */
export type Hours = Pick<Season, "span" | "status" | "opens_at" | "closes_at">;

/** Whether a submission that arrives now counts: from `opens_at` on, and before `closes_at`. */
export function isTaking(season: Hours, nowMs: number): boolean {
  const { status, closes_at: closes } = season;
  return status === "open" && !isToCome(season, nowMs) && (closes === null || nowMs < closes.toMillis());
}

/**
 * Whether a custom season is yet to open. A custom season that was ended before it opened never opens. Seasons of spans
 * are never yet to open: they are found by the clock, or open with their first score as `all_time` does, and an
 * instance whose clock is behind must not refuse the next season.
 */
export function isToCome({ span, opens_at: opens, closes_at: closes }: Hours, nowMs: number): boolean {
  const isOver = closes !== null && nowMs >= closes.toMillis();
  return span === "custom" && !isOver && nowMs < opens.toMillis();
}

/**
 * Whether a run that is due now may let an open season doze (dormancy.ts): at least one whole interval has passed in
 * which nothing was published, or nothing ever was; and the run is not long overdue.
 */
export function mayDoze(season: Season, nowMs: number): boolean {
  const { status, dormant_at: dormant, next_run_at: due, interval_ms: lengthMs, ranking } = season;
  const isAwake = status === "open" && dormant === null;
  const dueMs = due?.toMillis() ?? Infinity;
  const isDue = dueMs <= nowMs && nowMs < dueMs + dozeOverdueMsMax;
  const emptyFromMs = ranking.next_publish_at?.toMillis() ?? -Infinity;
  return isAwake && isDue && emptyFromMs + lengthMs <= nowMs;
}

/**
 * Whether a season is closed or being deleted: no run is requested, and nothing is counted in it. A closing season takes no
 * new scores, but still counts those that it took before.
 */
export function countsNoMore({ status }: Pick<Season, "status">): boolean {
  return status === "closed" || status === "deleting";
}

/**
 * When a season ends, in milliseconds since 1970; undefined for a season without an end. After an admin has ended a
 * season, instances may still take scores for `knownMs`, while they remember it as open. So the season ends at least
 * that long after the admin's commit, which may have been slow, or come from a server whose clock is behind. Pure.
 */
export function endMs(
  { closes_at: closesAt, end_told_at: toldAt }: Pick<Season, "closes_at" | "end_told_at">,
  knownMs: number,
): number | undefined {
  if (closesAt === null) return undefined;
  return Math.max(closesAt.toMillis(), (toldAt?.toMillis() ?? -Infinity) + knownMs);
}
