/** A task of a season, whatever is due. */
import { isBoardNotFound } from "../model/errors.ts";
import { publishRanking } from "../ranking/run.ts";
import type { JobRequest } from "../world/tasks.ts";
import { type ClosingServices } from "./closing/close.ts";
import { stepEnd } from "./closing/end.ts";
import { stepRepair } from "./repair/repair.ts";
import { isOutdated, type StepOptions } from "./progress.ts";

/**
 * Does one step, and requests the next if there is more to do. A step that runs twice, comes late, overlaps another or is
 * killed anywhere does no harm. Cost: what ranking/run.ts, closing/end.ts or repair/repair.ts say.
 */
export async function stepSeason(
  services: ClosingServices,
  request: JobRequest,
  options: StepOptions = {},
): Promise<void> {
  if (request.job === "end") return stepEnd(services, request, options);
  try {
    if (request.job !== "ranking") await stepRepair(services, request, options);
    // The next slot's run makes up for one that failed.
    else await publishRanking(services, { leaderboard: request.leaderboard, season: request.season });
  } catch (error) {
    // The season is parked, or gone: a retry would not help.
    if (!isBoardNotFound(error) && !isOutdated(error)) throw error;
  }
}
