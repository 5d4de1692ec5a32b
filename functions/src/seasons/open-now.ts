/** Whether a season takes scores: by the server's clock, whatever its status has not caught up with yet. Pure. */
import type { Season } from "../documents/season.ts";

/** What decides it. */
export type Hours = Pick<Season, "status" | "opens_at" | "closes_at">;

/** Whether a submission that arrives now counts: from `opens_at` on, and before `closes_at`. */
export function isTaking({ status, opens_at: opens, closes_at: closes }: Hours, nowMs: number): boolean {
  return status === "open" && opens.toMillis() <= nowMs && (closes === null || nowMs < closes.toMillis());
}
