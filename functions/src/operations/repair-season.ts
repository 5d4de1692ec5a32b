/** `auditSeason` and `repairSeason`: check a season, and mend it. */
import { z } from "zod";
import { type Json, toJson } from "../documents/plain-json.ts";
import type { RepairRecord } from "../documents/repair-record.ts";
import { startRepair } from "../jobs/repair/repair.ts";
import { requestedBoard } from "../seasons/current.ts";
import { seasonRequest } from "./shared/season-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

const auditRequest = seasonRequest.safeExtend({ full: z.boolean().default(false) });

/**
 * Compares what is published and pending with the players' marks, and the marks with the players, and answers with a
 * record that says what is wrong and whether `repairSeason` has to mend it. Without `full`, by totals; with it, score
 * by score and player by player, which reads every player. Cost: see jobs/repair/audit.ts.
 */
export const auditSeasonSpec: OperationSpec<typeof auditRequest, Json<RepairRecord>> = {
  name: "auditSeason",
  request: auditRequest,
  async handle(services, { full, ...asked }) {
    const { key } = await requestedBoard(services, asked);
    return toJson(await startRepair(services, key, { kind: "audit", full }));
  },
};

/**
 * Brings marks, pages and top of a season into line with its players, while scores come in. The pages of a closed
 * season are published again from its standings. Cost: see counting/mark-players.ts and jobs/repair/rebuild.ts: 2 reads a
 * player.
 */
export const repairSeasonSpec: OperationSpec<typeof seasonRequest, Json<RepairRecord>> = {
  name: "repairSeason",
  request: seasonRequest,
  async handle(services, asked) {
    const { key } = await requestedBoard(services, asked);
    return toJson(await startRepair(services, key, { kind: "repair", full: false }));
  },
};
