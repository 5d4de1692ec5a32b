/**
 * Whether a season takes scores: by the server's clock, whatever its status has not caught up with yet. And whether it
 * takes changes of any kind. Pure.
 */
import type { Season } from "../documents/season.ts";

/** What decides it. */
export type Hours = Pick<Season, "span" | "status" | "opens_at" | "closes_at">;

/** Whether a submission that arrives now counts: from `opens_at` on, and before `closes_at`. */
export function isTaking(season: Hours, nowMs: number): boolean {
  const { status, closes_at: closes } = season;
  return status === "open" && !isToCome(season, nowMs) && (closes === null || nowMs < closes.toMillis());
}

/**
 * Whether a custom season is still to open. That of a span is found by the clock, or else, as `all_time`, opens with its
 * first score, and no instance's clock that is behind refuses the next one.
 */
export function isToCome({ span, opens_at: opens }: Hours, nowMs: number): boolean {
  return span === "custom" && nowMs < opens.toMillis();
}

/** Whether a season's ranking is final, or on its way out: no run is asked for, and nothing is indexed in it. */
export function isEnded({ status }: Pick<Season, "status">): boolean {
  return status === "closed" || status === "deleting";
}
