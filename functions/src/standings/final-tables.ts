/** What other folders have of final tables: their views, their tops, single players, and members of groups. */
import type { DocumentSnapshot, Firestore, Transaction } from "../documents/firestore.ts";
import { type RankingKey, type SeasonKey, standingsMetadataPath, standingsPath } from "../documents/paths.ts";
import { documentsAt } from "../documents/reads.ts";
import type { Season } from "../documents/season.ts";
import { numbersOf } from "../documents/standings.ts";
import type { ListedPlayer } from "../documents/top.ts";
import type { Listed } from "../reading/entries.ts";
import { playersAt } from "../reading/listed.ts";
import type { FinalViews } from "../reading/final-views.ts";
import type { FinalTops } from "../top/gate-memory.ts";
import type { FinalMembers } from "../league/final-members.ts";
import { finalPlayer, finalStanding } from "./final-players.ts";
import { finalView } from "./final-view.ts";
import { fieldsOf, playersOf, unpack } from "./pack.ts";
import { createStandingsReads } from "./standings-reads.ts";
import { readSummary } from "./summary.ts";
import type { Services } from "../world/services.ts";

export interface FinalTables extends FinalViews, FinalTops, FinalMembers {
  /**
   * A player in seasons that have closed, in order; undefined where the player is not in the table. Cost: 1 read each, and 1
   * more where the player's document was changed after the season ended.
   */
  playerIn(
    seasons: readonly { key: RankingKey; season: Season }[],
    player: string,
  ): Promise<(Listed | undefined)[]>;
  /**
   * The player of a document in a season that has closed; undefined for one who is not in the table. Cost:
   * {@link finalPlayer}.
   */
  playerOf(of: { key: RankingKey; season: Season }, document: DocumentSnapshot): Promise<Listed | undefined>;
}

/** The final tables that an instance has in memory. */
export const finalTablesOf = ({ memory }: Pick<Services, "memory">) => memory(createFinalTables);

function createFinalTables(services: Services): FinalTables {
  const { db } = services;
  const sources = { ...services, tables: createStandingsReads(services) };
  return {
    viewOf: (board, asked) => finalView(sources, board, asked),
    finalists: (transaction, key, limit) => readFinalists(db, transaction, key, limit),
    playerIn(seasons, player) {
      const asked = seasons.map((of) => ({ key: of.key, player, show: finalPlayer(db, sources.tables, of) }));
      return playersAt(db, asked);
    },
    playerOf: async (of, document) => finalPlayer(db, sources.tables, of)(document, false),
    async fieldsIn(of, id) {
      const standing = await finalStanding(db, sources.tables, of, { id, withMetadata: false });
      return standing && fieldsOf(standing);
    },
  };
}

/**
 * The best players of a closed season, as documents of the players would be. Cost: 1 read for the summary, and 2 for each
 * 1,000 players.
 */
async function readFinalists(db: Firestore, transaction: Transaction, key: SeasonKey, limit: number) {
  const { summary, found } = await readSummary(db, key, transaction);
  const listed: ListedPlayer[] = [];
  for (const n of summary === undefined ? [] : numbersOf(summary)) {
    if (listed.length === limit) break;
    const paths = [standingsPath(key, n), standingsMetadataPath(key, n)] as const;
    const [document, beside] = await documentsAt(db, paths, transaction);
    const packed = unpack(document.data(), beside.data());
    for (const standing of playersOf(packed, 0, limit - listed.length))
      listed.push({ id: standing.player, data: fieldsOf(standing) });
  }
  return { listed, readAt: found.readTime };
}
