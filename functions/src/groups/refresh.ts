/** What a task `refreshTop` does when it is due: renews a top, or what a league or a private group shows. */
import { renewGroup } from "../league/keep-group.ts";
import { seatWaiting } from "../league/seat-waiting.ts";
import { topRefreshWaitMsMax } from "../model/limits.ts";
import { allTimeKey } from "../seasons/current.ts";
import { boardIfAny } from "../seasons/board.ts";
import { refreshTop } from "../top/keep-live.ts";
import type { Services } from "../world/services.ts";
import type { TopRefreshRequest } from "../world/tasks.ts";
import { putOffWithoutBoard } from "./end.ts";
import { renewPrivateGroup } from "./renew.ts";

/**
 * Does a refresh when it is due: of a top, of a group, or of the seats of a week. Cost: what {@link refreshTop},
 * {@link renewGroup}, {@link seatWaiting}, {@link renewPrivateGroup} or {@link putOffWithoutBoard} costs.
 */
export async function refreshWhenDue(services: Services, request: TopRefreshRequest): Promise<void> {
  const { follows, group, due_at: dueAt, leaderboard, season } = request;
  const dueMs = Date.parse(dueAt);
  const waitMs = Math.min(dueMs - services.now(), topRefreshWaitMsMax);
  if (waitMs > 0) await services.sleep(waitMs);
  const key = { leaderboard, season };
  switch (follows) {
    case "seats":
      await seatWaiting(services, key);
      return;
    case "private_group": {
      const board = await boardIfAny(services, allTimeKey(leaderboard));
      if (group === undefined) return;
      if (board === undefined) await putOffWithoutBoard(services, leaderboard, group);
      else await renewPrivateGroup(services, leaderboard, group, { dueMs });
      return;
    }
    case "group": {
      const board = await boardIfAny(services, key);
      if (board === undefined || group === undefined) return;
      const endsAt = board.season?.closes_at;
      const renewal = { dueMs, ...(endsAt !== undefined && { endsAt }) };
      return renewGroup(services, board, group, renewal);
    }
    case "change":
    case "definition":
    case "gate":
    case "names":
      return refreshTop(services, request);
  }
}
