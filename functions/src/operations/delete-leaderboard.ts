/** `deleteLeaderboard`: deletes a board with everything in it. */
import { z } from "zod";
import type { DocumentSnapshot, Query, QueryDocumentSnapshot } from "../documents/firestore.ts";
import {
  definitionPath,
  isSeasonPath,
  leaderboardPath,
  seasonOfPath,
  seasonPath,
  seasonsPath,
} from "../documents/paths.ts";
import { byId, seasonsOfTemplate } from "../documents/queries.ts";
import { documentsAt, idsIn, inChunks } from "../documents/reads.ts";
import type { Season } from "../documents/season.ts";
import { deleteBesideSeasons, tombstone } from "../jobs/closing/clear.ts";
import { FirerankError } from "../model/errors.ts";
import { leaderboardId } from "../model/ids.ts";
import { readConcurrencyMax, writesPerCommitMax } from "../model/limits.ts";
import { definitionId, isOfTemplate } from "../model/template.ts";
import { inPool } from "../world/pool.ts";
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
 * Of a template all boards go that have a season. A single board of a template goes alone, and may be opened again when
 * it is gone.
 *
 * Cost: 1 read and 1 delete, 2 reads and 1 write a season, and what {@link buryUnopened} costs; then 1 read and 1 delete
 * a document, and up to 39 reads and 3 writes a season, and 1 read for each midnight that movement keeps; 2 reads a
 * second in each instance of the trigger, while the events of deleted players come.
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
    if (seasons === 0 && !isTemplate) seasons = await buryUnopened(services, leaderboard, new Set());
    const deleted = seasons === 0 ? await deleteBesideSeasons(services, leaderboard, isTemplate) : 0;
    if (!definition.exists && seasons + deleted === 0) {
      const message = `There is no leaderboard "${leaderboard}", and nothing is left of it to delete.`;
      throw new FirerankError("leaderboard_not_found", message);
    }
    log.info("a board is being deleted", { leaderboard, seasons });
    return { leaderboard, seasons };
  },
};

/**
 * Puts tombstones on seasons, and on those of their boards that were never opened. The definition goes in one commit with
 * the first ones, so that no season is opened any more, and none goes on without it.
 * @param seasons by board and id
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
  const buryOthers = async (boards: readonly SeasonsOfBoard[]) => {
    const buried = await inPool(boards, readConcurrencyMax, ([board, ids]) =>
      buryUnopened(services, board, ids),
    );
    return buried.reduce((sum, some) => sum + some, 0);
  };
  let count = 0;
  let boards: SeasonsOfBoard[] = [];
  const fields = seasons.select("board_deleted", "template", "league");
  for await (const docs of inChunks(fields, writesPerCommitMax, take)) {
    count += docs.length;
    boards = withSeasons(boards, docs);
    // The next chunk may have more seasons of the last board.
    count += await buryOthers(boards.splice(0, boards.length - 1));
  }
  return count + (await buryOthers(boards));
}

/** A board, and the ids of seasons that have documents. */
type SeasonsOfBoard = readonly [leaderboard: string, seasons: Set<string>];

function withSeasons(
  boards: readonly SeasonsOfBoard[],
  docs: readonly QueryDocumentSnapshot[],
): SeasonsOfBoard[] {
  const seasons = new Map(boards);
  for (const { ref } of docs) {
    if (!isSeasonPath(ref.path)) continue;
    const { leaderboard, season } = seasonOfPath(ref.path);
    seasons.set(leaderboard, (seasons.get(leaderboard) ?? new Set()).add(season));
  }
  return [...seasons];
}

/**
 * Puts tombstones on seasons of a board that have no document, but documents below: `all_time` has a ban before anybody
 * has a score in it, a server may have written into a season that nobody has opened, or somebody has deleted a season's
 * document by hand. All that would hold for the next board of that name.
 *
 * Cost: 1 read a season, at least 1; for each of these 1 read and 1 write more, and for each 500 of them 2 reads.
 * @param known ids of seasons that have documents.
 * @returns how many such seasons there are; 0 where the board was saved or opened again meanwhile.
 */
async function buryUnopened(
  { db, now, endWaitMs }: Services,
  leaderboard: string,
  known: ReadonlySet<string>,
): Promise<number> {
  const ids = (await idsIn(db, seasonsPath(leaderboard))).filter((id) => !known.has(id));
  // Nobody knows whether one that was deleted by hand was a week of a league.
  const kept = {
    league: "settled",
    ...(isOfTemplate(leaderboard) && { template: definitionId(leaderboard) }),
  } as const;
  let count = 0;
  for (let from = 0; from < ids.length; from += writesPerCommitMax) {
    const some = ids.slice(from, from + writesPerCommitMax);
    count += await db.runTransaction(async (transaction) => {
      const definition = await transaction.get(db.doc(definitionPath(leaderboard)));
      const [first] = (await transaction.get(byId(db, seasonsPath(leaderboard), 1))).docs;
      const isOpenedAgain = first !== undefined && first.get("board_deleted") !== true;
      if (isOpenedAgain || (definition.exists && !isOfTemplate(leaderboard))) return 0;
      const paths = some.map((season) => seasonPath({ leaderboard, season }));
      const missing = (await documentsAt(db, paths, transaction)).filter(({ exists }) => !exists);
      for (const { ref } of missing) transaction.create(ref, tombstone(now(), endWaitMs, kept));
      return missing.length;
    });
  }
  return count;
}
