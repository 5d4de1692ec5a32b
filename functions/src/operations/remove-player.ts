/** `removePlayer`: erases a player, for good. */
import { z } from "zod";
import { playerStatusPath, type SeasonKey, topPath } from "../documents/paths.ts";
import { readPlayer } from "../documents/player.ts";
import { standingsWith } from "../documents/queries.ts";
import { readTop } from "../documents/top.ts";
import { revisePlayer } from "./revise.ts";
import { documentId, leaderboardId } from "../model/ids.ts";
import { boardIfAny } from "../seasons/board.ts";
import { definitionKey } from "../seasons/current.ts";
import { type PlayerSeason, seasonsOfPlayer } from "../seasons/player-seasons.ts";
import { redactEvents } from "../top/redact-events.ts";
import { renewTopWithout } from "../top/renew.ts";
import { boardsStored, boardProblem } from "./boards-asked.ts";
import { type ErasedFrom, eraseLost } from "./erase-lost.ts";
import type { Services } from "./services.ts";
import type { OperationSpec } from "./spec.ts";
import { describeError } from "../world/describe-error.ts";

const request = z.strictObject({ player: documentId, leaderboard: leaderboardId.optional() });

export interface RemovePlayerAnswer {
  player: string;
  /** Every season that held anything of the player. */
  removed: ErasedFrom[];
}

/**
 * Erases a player from one board or from all, in every season: the whole document with its mark, and the line in the top
 * list. Ranks follow with the next run; in a closed season standings and ranks follow at once. Shards, pages, run
 * records and audits hold scores and counts but no player's id, but for the place where a repair under way stands. A
 * player who submits again starts over, and what is submitted meanwhile may be erased too, as a transaction is repeated
 * if its answer is lost: delete or disable the account first.
 *
 * Events that name the player are kept without the name. A season that is being deleted takes its players along. What
 * is left of seasons and boards whose documents were deleted by hand, or damaged, is found too ({@link eraseLost}).
 *
 * Cost: 2 reads and 1 delete a board; 1 write, and for all but the first 1 read, for each event that names the player;
 * for each season 3 reads and {@link renewTopWithout}. For each season that has the player: what {@link revisePlayer}
 * costs; 1 read more for one that has ended, and 1 for one that closes and has no document of the
 * player.
 * @throws `leaderboard_not_found` for a named board of which nothing is stored. A ZodError or `unknown_schema_version`
 * where something of a board can't be read; the player is erased from all other boards then.
 */
export const removePlayerSpec: OperationSpec<typeof request, RemovePlayerAnswer> = {
  name: "removePlayer",
  access: "admin",
  request,
  async handle(services, { player, leaderboard }) {
    const removed: RemovePlayerAnswer["removed"] = [];
    const failures: unknown[] = [];
    for (const board of await boardsStored(services, leaderboard)) {
      try {
        removed.push(...(await removeFromBoard(services, board, player)));
      } catch (error) {
        if (boardProblem(board, error) === undefined) throw error;
        services.log.error("a player could not be erased from a board", {
          leaderboard: board,
          error: describeError(error),
        });
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return { player, removed };
  },
};

async function removeFromBoard(
  services: Services,
  leaderboard: string,
  player: string,
): Promise<RemovePlayerAnswer["removed"]> {
  const removed: RemovePlayerAnswer["removed"] = [];
  const known = new Set<string>();
  const key = definitionKey(leaderboard);
  const board = await boardIfAny(services, key, () => services.boards.load(key));
  if (board !== undefined)
    for await (const found of seasonsOfPlayer(services, leaderboard, player)) {
      if (found.isDamaged) continue;
      known.add(found.key.season);
      const erased = await eraseFromSeason(services, found, player);
      if (erased !== undefined) removed.push(erased);
    }
  const others = { isDefined: board !== undefined, known };
  for await (const erased of eraseLost(services, leaderboard, player, others)) removed.push(erased);
  // Even if no season has anything of the player: a status for future seasons outlives deleted seasons.
  await services.db.doc(playerStatusPath(leaderboard, player)).delete();
  // Last, when no new top can still contain the player.
  await redactEvents(services, leaderboard, player);
  return removed;
}

async function eraseFromSeason(
  services: Services,
  { key, player: document, status }: PlayerSeason,
  player: string,
): Promise<ErasedFrom | undefined> {
  const before = { score: readPlayer(document.data())?.score, isErased: true };
  let isRevised = false;
  // Read before a revision publishes another top.
  const stood = status !== "open" && (await stoodInTop(services, key, player));
  // Its document may have been deleted by hand since the players were read: the note takes the line out.
  const isNoted = status === "closing" && !document.exists && (await isInStandings(services, key, player));
  if (status !== "open" || document.exists) {
    const revised = await revisePlayer(services, key, player, "removed");
    if (revised.status === undefined) return undefined;
    isRevised = revised.revised;
  }
  // Even if there is no document: it may have been deleted by hand while the top still shows the name.
  const top = (await renewTopWithout(services, key, player, before)) || stood;
  if (!document.exists && !isRevised && !isNoted && !top) return undefined;
  return { ...key, player: document.exists, top };
}

/** Cost: 1 read. */
async function stoodInTop({ db }: Services, key: SeasonKey, player: string): Promise<boolean> {
  const found = await db.doc(topPath(key)).get();
  return found.exists && readTop(found.data()).entries.some((entry) => entry.player === player);
}

/** Cost: 1 read. */
async function isInStandings({ db }: Services, key: SeasonKey, player: string): Promise<boolean> {
  return !(await standingsWith(db, key, player).get()).empty;
}
