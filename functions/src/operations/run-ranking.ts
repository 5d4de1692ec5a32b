/** `runRanking`: a ranking run now. */
import { z } from "zod";
import { type Json, toJson } from "../documents/json.ts";
import type { RankingRecord } from "../documents/ranking-record.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";
import { publishRanking } from "../ranking/run.ts";
import { requestedBoard } from "../seasons/current.ts";
import type { OperationSpec } from "./spec.ts";

const request = z.strictObject({
  leaderboard: leaderboardId,
  season: seasonId.optional(),
  include_open_slot: z.boolean().default(false),
});

/**
 * Ranks a season now and answers with the run's record. With `include_open_slot` everything indexed so far is in.
 *
 * Cost: see ranking/run.ts.
 */
export const runRankingSpec: OperationSpec<typeof request, Json<RankingRecord>> = {
  name: "runRanking",
  access: "admin",
  request,
  async handle(services, { include_open_slot: includeOpenSlot, ...asked }) {
    return toJson(
      await publishRanking(services, (await requestedBoard(services, asked)).key, { includeOpenSlot }),
    );
  },
};
