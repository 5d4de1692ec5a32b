/** What other rooms have of final tables: their views, their tops, and single players. */
import type { RankingKey } from "../documents/paths.ts";
import type { Season } from "../documents/season.ts";
import type { Listed } from "../reading/entries.ts";
import { playersAt } from "../reading/listed.ts";
import type { PageCache } from "../reading/page-cache.ts";
import type { FinalViews } from "../reading/services.ts";
import type { FinalTops } from "../top/gate-memory.ts";
import type { World } from "../world/world.ts";
import { finalPlayer } from "./final-players.ts";
import { finalView } from "./final-view.ts";
import { readFinalists } from "./finalists.ts";
import { createStandingsReads } from "./standings-reads.ts";

export interface FinalTables extends FinalViews, FinalTops {
  /**
   * A player in seasons that have closed, in order; undefined where the player is not in the table. Cost: 1 read each, and 1
   * more where the player's document was changed after the season ended.
   */
  playerIn(
    seasons: readonly { key: RankingKey; season: Season }[],
    player: string,
  ): Promise<(Listed | undefined)[]>;
}

export function createFinalTables(parts: Pick<World, "db" | "now"> & { pages: PageCache }): FinalTables {
  const { db, pages } = parts;
  const sources = { db, pages, tables: createStandingsReads(parts) };
  return {
    viewOf: (board, asked) => finalView(sources, board, asked),
    finalists: (transaction, key, limit) => readFinalists(db, transaction, key, limit),
    playerIn(seasons, player) {
      const asked = seasons.map((of) => ({ key: of.key, player, show: finalPlayer(db, of) }));
      return playersAt(db, asked);
    },
  };
}
