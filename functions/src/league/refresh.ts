/** What a task `refreshTop` does when it is due: renews a top, or what a league shows. */
import { boardIfAny } from "../seasons/board.ts";
import { refreshTop } from "../top/keep-live.ts";
import { topRefreshWaitMsMax } from "../model/limits.ts";
import type { Services } from "../world/services.ts";
import type { TopRefreshRequest } from "../world/tasks.ts";
import { renewGroup } from "./keep-group.ts";
import { seatWaiting } from "./seat-waiting.ts";

/**
 * Does a refresh when it is due: of a top, of a group, or of the seats of a week. Cost: what {@link refreshTop},
 * {@link renewGroup} or {@link seatWaiting} costs.
 */
export async function refreshWhenDue(services: Services, request: TopRefreshRequest): Promise<void> {
  const { follows, group, due_at: dueAt, leaderboard, season } = request;
  const dueMs = Date.parse(dueAt);
  const waitMs = Math.min(dueMs - services.now(), topRefreshWaitMsMax);
  if (waitMs > 0) await services.sleep(waitMs);
  if (follows !== "group" && follows !== "seats") return refreshTop(services, request);
  const key = { leaderboard, season };
  if (follows === "seats") {
    await seatWaiting(services, key);
    return;
  }
  const board = await boardIfAny(services, key);
  if (board === undefined || group === undefined) return;
  const endsAt = board.season?.closes_at;
  await renewGroup(services, key, group, board.definition, {
    dueMs,
    ...(endsAt !== undefined && { endsAt }),
  });
}
