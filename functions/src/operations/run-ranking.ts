/** `runRanking`: a ranking run now. */
import { z } from "zod";
import { type Json, toJson } from "../documents/plain-json.ts";
import type { RankingRecord } from "../documents/ranking-record.ts";
import { FirerankError } from "../model/errors.ts";
import { publishRanking } from "../ranking/run.ts";
import { requestedBoard } from "../seasons/current.ts";
import { seasonRequest } from "./season-asked.ts";
import type { OperationSpec } from "./spec.ts";

const request = seasonRequest.safeExtend({ include_open_slot: z.boolean().default(false) });

/**
 * Ranks a season now and answers with the run's record. `include_open_slot` includes everything counted so far. Cost:
 * see ranking/run.ts.
 * @throws `season_closed` if the season has its standings.
 */
export const runRankingSpec: OperationSpec<typeof request, Json<RankingRecord>> = {
  name: "runRanking",
  request,
  async handle(services, { include_open_slot: includeOpenSlot, ...asked }) {
    const { key, season } = await requestedBoard(services, asked);
    if (season?.status === "closed") {
      const message = `Season "${key.season}" of leaderboard "${key.leaderboard}" is closed: its ranking is final, and nothing is left to rank.`;
      throw new FirerankError("season_closed", message);
    }
    return toJson(await publishRanking(services, key, { includeOpenSlot }));
  },
};
