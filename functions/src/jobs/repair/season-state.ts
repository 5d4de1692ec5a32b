/** What a season has published and what is pending, as of one read time: audits and repairs start from this. */
import type { QueryDocumentSnapshot, Timestamp } from "../../documents/firestore.ts";
import { inChunks, getAt } from "../../documents/reads.ts";
import { pagesPath, type SeasonKey, seasonPath } from "../../documents/paths.ts";
import { byId, pendingShards } from "../../documents/queries.ts";
import { type Season, readSeason } from "../../documents/season.ts";
import { FirerankError } from "../../model/errors.ts";
import { shardsPerReadMax, writesPerCommitMax } from "../../model/limits.ts";
import type { Order } from "../../model/score.ts";
import { createFold } from "../../ranking/fold.ts";
import { noRows, type Rows } from "../../ranking/rows.ts";
import { addShard, noSums, type ShardSums } from "../../ranking/shards.ts";
import type { World } from "../../world/world.ts";

export interface SeasonState {
  /** The read time of everything here: now, by the database's clock. */
  at: Timestamp;
  season: Season;
  /** When the season's document was created, by the same clock. */
  createTime: Timestamp;
  /** The documents of `scores_ranking`, valid or not. */
  pages: QueryDocumentSnapshot[];
  /** All pending shards: their changes as rows, and their other totals. */
  pending: Rows;
  sums: ShardSums;
  shards: number;
}

/**
 * Reads a season's pages and pending shards. Cost: 1 read for the season, 1 a page, 1 a shard; at least 3.
 * @throws `season_not_found`; an error if the collection of pages has more documents than a commit can delete.
 */
export async function readSeasonState({ db }: World, key: SeasonKey, order: Order): Promise<SeasonState> {
  const document = await db.doc(seasonPath(key)).get();
  if (document.createTime === undefined || document.get("status") === "deleting") throw seasonNotFound(key);
  const at = document.readTime;
  const { docs: pages } = await getAt(db, at, byId(db, pagesPath(key), writesPerCommitMax));
  if (pages.length === writesPerCommitMax)
    throw new Error(
      `${pagesPath(key)} holds ${pages.length} documents or more; delete those that are not pages`,
    );
  const fold = createFold(order, noRows);
  const sums = noSums();
  let shards = 0;
  for await (const chunk of inChunks(pendingShards(db, key), shardsPerReadMax, (query) =>
    getAt(db, at, query),
  )) {
    for (const shard of chunk) addShard(fold, sums, shard.data());
    shards += chunk.length;
  }
  const season = readSeason(document.data());
  return { at, season, createTime: document.createTime, pages, pending: fold.finish(), sums, shards };
}

/** The error about a season that was never opened. */
export function seasonNotFound({ leaderboard, season }: SeasonKey): FirerankError {
  return new FirerankError(
    "season_not_found",
    `Leaderboard "${leaderboard}" has no season "${season}" yet; the first submission opens it.`,
  );
}
