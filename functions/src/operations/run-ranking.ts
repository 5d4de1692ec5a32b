/** `runRanking`: a ranking run now. */
import { z } from "zod";
import { type Json, toJson } from "../documents/plain-json.ts";
import { type SeasonKey, seasonPath } from "../documents/paths.ts";
import type { RankingRecord } from "../documents/ranking-record.ts";
import { readSeasonIfValid } from "../documents/season.ts";
import { FirerankError } from "../model/errors.ts";
import { publishRanking } from "../ranking/run.ts";
import { requestedBoard } from "../seasons/current.ts";
import { seasonRequest } from "./shared/season-asked.ts";
import type { Services } from "../world/services.ts";
import type { OperationSpec } from "./shared/spec.ts";

const request = seasonRequest.safeExtend({ include_open_slot: z.boolean().default(false) });

/**
 * Ranks a season now and answers with the run's record. `include_open_slot` includes everything counted so far. Cost:
 * see ranking/run.ts; 1 read more where there is nothing to do: the answer then has what is published.
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
    const record = await publishRanking(services, key, { includeOpenSlot });
    return toJson(record.outcome === "nothing_to_do" ? await withPublished(services, key, record) : record);
  },
};

/** The record of a run that found nothing to do, with the ranking that is published: another run was first. Cost: 1 read. */
async function withPublished(
  { db }: Services,
  key: SeasonKey,
  record: RankingRecord,
): Promise<RankingRecord> {
  const found = await db.doc(seasonPath(key)).get();
  const { data: season } = readSeasonIfValid(found.data() ?? {});
  if (season === undefined || season.ranking.generation === 0) return record;
  const { generation, players, rows, exact } = season.ranking;
  return { ...record, generation, players, rows, exact };
}
