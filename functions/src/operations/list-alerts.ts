/** `listAlerts`: what an owner must know of a season, or of all. */
import { z } from "zod";
import { alertSchema } from "../jobs/alerts.ts";
import { findAlerts } from "../jobs/schedule/watch.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";
import { requestedBoard } from "../seasons/current.ts";
import type { OperationSpec } from "./shared/spec.ts";

const listAlertsRequest = z
  .strictObject({ leaderboard: leaderboardId.optional(), season: seasonId.optional() })
  .refine(({ leaderboard, season }) => leaderboard !== undefined || season === undefined, {
    path: ["leaderboard"],
    message: "is missing: a season is one of a board",
  });

const alertsSchema = z.object({
  as_of: z.iso.datetime(),
  alerts: z.array(alertSchema),
  is_complete: z.boolean(),
});
export type AlertsAnswer = z.infer<typeof alertsSchema>;

/**
 * The alerts of a season; of all boards without `leaderboard`. A season that is not open yet has none.
 * Cost: see jobs/schedule/watch.ts. @throws `leaderboard_not_found` where no `season` is named
 */
export const listAlertsSpec: OperationSpec<typeof listAlertsRequest, AlertsAnswer> = {
  name: "listAlerts",
  request: listAlertsRequest,
  answer: alertsSchema,
  async handle(services, { leaderboard, season }) {
    const as_of = new Date(services.now()).toISOString();
    // The definition of a named season's board may be gone: that is an alert.
    const key =
      leaderboard === undefined
        ? undefined
        : season === undefined
          ? (await requestedBoard(services, { leaderboard })).key
          : { leaderboard, season };
    const { alerts, isComplete } = await findAlerts(services, key);
    return { as_of, alerts, is_complete: isComplete };
  },
};
