/** `player_statuses/{player}` of a leaderboard: a player who is not active, for seasons that are still to come. */
import { z } from "zod";
import { type PlayerStatus, playerStatuses } from "../model/player-status.ts";

const storedPlayerStatus = z.object({ status: z.enum(playerStatuses).catch("active") });

/** The status of a player whom no season knows; `active` without a document. Never throws. */
export function readPlayerStatus(data: Record<string, unknown> | undefined): PlayerStatus {
  return data === undefined ? "active" : storedPlayerStatus.parse(data).status;
}
