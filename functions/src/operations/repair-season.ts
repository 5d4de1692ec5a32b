/** `auditSeason`, `sweepSeason` and `rebuildSeason`: check a season, and repair it. */
import { z } from "zod";
import { type Json, toJson } from "../documents/json.ts";
import type { RepairKind, RepairRecord } from "../documents/repair-record.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";
import { startRepair } from "../repair/repair.ts";
import { requestedBoard } from "../seasons/current.ts";
import type { OperationSpec } from "./spec.ts";

const request = z.strictObject({ leaderboard: leaderboardId, season: seasonId.optional() });
const requestWithFull = request.extend({ full: z.boolean().default(false) });

type Request = z.infer<typeof request> & { full?: boolean | undefined };

function specOf<Schema extends typeof request | typeof requestWithFull>(
  name: string,
  kind: RepairKind,
  schema: Schema,
): OperationSpec<Schema, Json<RepairRecord>> {
  return {
    name,
    access: "admin",
    request: schema,
    async handle(services, asked) {
      const { full = false, ...season }: Request = asked;
      return toJson(
        await startRepair(services, (await requestedBoard(services, season)).key, { kind, full }),
      );
    },
  };
}

/**
 * Compares what is published and pending with the index, and the index with the players, and answers with a record
 * that says what is wrong and which call repairs it (`repair`). Without `full`, by totals; with it, score by score
 * and player by player, which reads every document.
 *
 * Cost: see repair/audit.ts.
 */
export const auditSeasonSpec = specOf("auditSeason", "audit", requestWithFull);

/**
 * Indexes every player whose index entry is wrong, and removes entries whose player is gone.
 *
 * Cost: see repair/sweep.ts.
 */
export const sweepSeasonSpec = specOf("sweepSeason", "sweep", request);

/**
 * Publishes a new generation made from the index entries alone; with `full` after a sweep.
 *
 * Cost: see repair/rebuild.ts.
 */
export const rebuildSeasonSpec = specOf("rebuildSeason", "rebuild", requestWithFull);
