/** `setPlayerStatus`: hides, bans or readmits a player. */
import { z } from "zod";
import { revisePlayer } from "../closing/revise.ts";
import { playerPath, playerStatusPath } from "../documents/paths.ts";
import { readPlayer } from "../documents/player.ts";
import { type PlayerStatus, playerStatuses } from "../model/player-status.ts";
import { indexPlayers } from "../indexing/index-players.ts";
import type { ColumnValues } from "../model/columns.ts";
import { FirerankError } from "../model/errors.ts";
import { documentId, leaderboardId } from "../model/ids.ts";
import { definitionKey } from "../seasons/current.ts";
import { type PlayerSeason, seasonsOfPlayer } from "../seasons/player-seasons.ts";
import { renewTopWithout } from "../top/renew.ts";
import type { Services } from "./services.ts";
import type { OperationSpec } from "./spec.ts";

const request = z.strictObject({
  leaderboard: leaderboardId,
  player: documentId,
  status: z.enum(playerStatuses),
});

export interface PlayerStatusAnswer {
  leaderboard: string;
  player: string;
  /** Every season in which the player has a document. */
  seasons: {
    season: string;
    span: string;
    status: PlayerStatus;
    /** Kept while the player is hidden or banned; absent where no submission counted yet. */
    score?: number;
    columns?: ColumnValues;
  }[];
}

/**
 * Sets a player's status in all seasons of a board. `hidden`: kept, not ranked and not listed. `banned`: hidden,
 * and submissions are refused. `active` undoes both. Who is hidden leaves the top at once; who is active again
 * comes back to it within seconds. Ranks follow with the next run; in a closed season standings, ranks and top at once.
 *
 * Seasons that the player has not played in yet begin with the status too.
 *
 * Cost: 1 write or delete; for each season of the board 3 reads; for each that has the player 1 read and 1 write for the
 * document, 2 reads and 2 writes for the index, 1 read for the top, and where the player stands in it {@link renewTopWithout}.
 * Hiding on a board with `all_time` costs 1 read more, and 1 write more where the player is not in `all_time` yet.
 * The board costs 2 reads a minute. A closed season costs what {@link revisePlayer} does.
 * @throws `leaderboard_not_found`; `player_not_ranked` where the player has no document in any season, and no status is kept.
 */
export const setPlayerStatusSpec: OperationSpec<typeof request, PlayerStatusAnswer> = {
  name: "setPlayerStatus",
  access: "admin",
  request,
  async handle(services, { leaderboard, player, status }) {
    const seasons: PlayerStatusAnswer["seasons"] = [];
    const kept = services.db.doc(playerStatusPath(leaderboard, player));
    for await (const found of seasonsOfPlayer(services, leaderboard, player)) {
      const { key, span, player: document } = found;
      if (!document.exists) continue;
      const season = await setStatus(services, found, player, status);
      if (season === undefined) continue;
      if (season !== "closed") await indexPlayers(services, key, [player]);
      const { score, columns } = readPlayer(document.data()) ?? {};
      if (status !== "active") await renewTopWithout(services, key, player, score);
      seasons.push({
        season: key.season,
        span,
        status,
        ...(score === undefined ? {} : { score }),
        ...(columns === undefined ? {} : { columns }),
      });
    }
    // The seasons of a player who is banned may all be deleted by now, and the ban is still to be lifted.
    if (seasons.length === 0 && !(await kept.get()).exists)
      throw await notRanked(services, leaderboard, player);
    if (status === "active") await kept.delete();
    else await keepForSeasonsToCome(services, { leaderboard, player, status });
    return { leaderboard, player, seasons };
  },
};

/**
 * Keeps a status for seasons in which the player has no document yet. Submissions look for it only where the player has
 * none in `all_time` either, so on a board that has `all_time` the player gets one there, without a score.
 * Cost: 1 write; on a board with `all_time` 1 read, and 1 write more where the player has no document there.
 */
async function keepForSeasonsToCome(
  services: Services,
  { leaderboard, player, status }: { leaderboard: string; player: string; status: PlayerStatus },
): Promise<void> {
  const { db } = services;
  await db.doc(playerStatusPath(leaderboard, player)).set({ status });
  const allTime = definitionKey(leaderboard);
  const { definition } = await services.boards.load(allTime);
  if (!definition.spans.includes("all_time")) return;
  const ref = db.doc(playerPath(allTime, player));
  await db.runTransaction(async (transaction) => {
    const document = await transaction.get(ref);
    if (!document.exists) transaction.create(ref, { status, attempts: 0 });
  });
}

/**
 * Writes the status, in a transaction, so that a document that is erased meanwhile does not come back.
 * @returns the season's status; nothing where the player has no document any more.
 */
async function setStatus(
  services: Services,
  { key, status: listed }: PlayerSeason,
  player: string,
  status: PlayerStatus,
): Promise<string | undefined> {
  // It stays open for minutes after its end, far longer than this takes.
  if (listed !== "open") {
    const { status: season, found } = await revisePlayer(services, key, player, status);
    return found ? season : undefined;
  }
  const { db } = services;
  const ref = db.doc(playerPath(key, player));
  return db.runTransaction(async (transaction) => {
    const document = await transaction.get(ref);
    if (!document.exists) return undefined;
    if (document.get("status") !== status) transaction.update(ref, { status });
    return listed;
  });
}

async function notRanked(services: Services, leaderboard: string, player: string): Promise<FirerankError> {
  await services.boards.load(definitionKey(leaderboard));
  return new FirerankError(
    "player_not_ranked",
    `Player "${player}" has no document in any season of leaderboard "${leaderboard}"; ` +
      "a status can be set once a first score was submitted.",
  );
}
