/** `player_statuses/{player}` of a leaderboard: the status of a player who is not active, for future seasons. */
import { z } from "zod";
import { type PlayerStatus, playerStatuses } from "../model/player-status.ts";

export const storedPlayerStatus = z.object({ status: z.enum(playerStatuses).catch("active") });

/** The status of a player who is in no season; `active` without a document. Never throws. */
export function readPlayerStatus(data: Record<string, unknown> | undefined): PlayerStatus {
  return data === undefined ? "active" : storedPlayerStatus.parse(data).status;
}
