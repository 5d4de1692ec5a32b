/** `deleteLeaderboard`: deletes a board with everything in it. */
import { z } from "zod";
import type { DocumentSnapshot, Query } from "../documents/firestore.ts";
import { isSeasonPath, leaderboardPath, seasonsPath } from "../documents/paths.ts";
import { byId, seasonsOfTemplate } from "../documents/queries.ts";
import { inChunks } from "../documents/reads.ts";
import type { Season } from "../documents/season.ts";
import { deleteBesideSeasons, tombstone } from "../jobs/closing/clear.ts";
import { FirerankError } from "../model/errors.ts";
import { leaderboardId } from "../model/ids.ts";
import { writesPerCommitMax } from "../model/limits.ts";
import { isOfTemplate } from "../model/template.ts";
import type { Services } from "../world/services.ts";
import type { OperationSpec } from "./shared/spec.ts";
import { boardCacheOf } from "../seasons/board.ts";

const request = z.strictObject({ leaderboard: leaderboardId });

const answer = z.object({
  leaderboard: z.string(),
  seasons: z.int().min(0).meta({ description: "how many are being deleted" }),
});

/**
 * Deletes a board: its definition now (an instance may remember it for a minute), and its seasons, players' statuses
 * and events in steps, from six minutes later on. What was cut off is continued by the same call. There is no way back.
 * Of a template all boards go. A single board of a template goes alone, and may be opened again when it is gone.
 *
 * Cost: 1 read and 1 delete, 1 read and 1 write a season; then 1 read and 1 delete a document, and up to 39 reads and
 * 3 writes a season, and 1 read for each midnight that movement keeps; 2 reads a second in each instance of the trigger,
 * while the events of deleted players come.
 * @throws `leaderboard_not_found` where there is nothing to delete
 */
export const deleteLeaderboardSpec: OperationSpec<typeof request, z.infer<typeof answer>> = {
  name: "deleteLeaderboard",
  request,
  answer,
  async handle(services, { leaderboard }) {
    const { db, log } = services;
    const boards = boardCacheOf(services);
    const definition = await db.doc(leaderboardPath(leaderboard)).get();
    // A template has the seasons of its boards, and none of its own.
    const isTemplate = definition.get("template") !== undefined;
    const ofBoards = seasonsOfTemplate(db, leaderboard);
    const own = byId(db, seasonsPath(leaderboard), writesPerCommitMax);
    let seasons = await bury(services, definition, isTemplate ? ofBoards : own);
    // Where its definition is gone, nobody knows whether it was one.
    const mayHaveBoards = !definition.exists && seasons === 0 && !isOfTemplate(leaderboard);
    if (mayHaveBoards) seasons = await bury(services, definition, ofBoards);
    boards.forget(leaderboard);
    const deleted = seasons === 0 ? await deleteBesideSeasons(services, leaderboard, isTemplate) : 0;
    if (!definition.exists && seasons + deleted === 0) {
      const message = `There is no leaderboard "${leaderboard}", and nothing is left of it to delete.`;
      throw new FirerankError("leaderboard_not_found", message);
    }
    log.warn("a board is being deleted", { leaderboard, seasons });
    return { leaderboard, seasons };
  },
};

/**
 * Puts tombstones on seasons. The definition goes in one commit with the first ones, so that no season is opened any
 * more, and none goes on without it.
 * @returns how many seasons there are.
 */
async function bury(services: Services, definition: DocumentSnapshot, seasons: Query): Promise<number> {
  const { db, now, endWaitMs } = services;
  const take = (some: Query) =>
    db.runTransaction(async (transaction) => {
      const found = await transaction.get(some);
      if (definition.exists || !found.empty) transaction.delete(definition.ref);
      const own = found.docs.filter(({ ref }) => isSeasonPath(ref.path));
      const others = own.filter((season) => season.get("board_deleted") !== true);
      for (const season of others) {
        const { board_deleted: _, ...kept } = season.data() as Partial<
          Pick<Season, "board_deleted" | "template" | "league">
        >;
        transaction.set(season.ref, tombstone(now(), endWaitMs, kept));
      }
      return found;
    });
  let count = 0;
  const fields = seasons.select("board_deleted", "template", "league");
  for await (const docs of inChunks(fields, writesPerCommitMax, take)) count += docs.length;
  return count;
}
