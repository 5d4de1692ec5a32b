/** `removePlayer`: erases a player, for good. */
import { z } from "zod";
import { erasurePath, writeErasure } from "../documents/erasure.ts";
import { eraseFromBoards } from "../jobs/players/erase.ts";
import { askForLook, askToGoOn } from "../jobs/players/step.ts";
import { createBudget } from "../jobs/progress.ts";
import type { RemovePlayerAnswer } from "../model/admin-answers.ts";
import { documentId, leaderboardId } from "../model/ids.ts";
import { erasureKeptMs, erasureLooksAgainMs, seasonsListedMax } from "../model/limits.ts";
import { boardsStored } from "../seasons/boards-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

const request = z.strictObject({ player: documentId, leaderboard: leaderboardId.optional() });

/**
 * Erases a player from one board or from all, in every season: the whole document with its mark, and the line in the
 * top list. Ranks follow with the next run; in a closed season standings and ranks follow at once. Shards, pages, run
 * records and audits hold no player's id, but for the place where a repair under way stands. Events that name the player
 * are kept without the name. A note (documents/erasure.ts) keeps the player out for 25 hours: a token may still be
 * valid, and a submission on its way.
 *
 * What is not done after five minutes goes on in steps. An hour later a step looks once more at all boards meant. Then
 * the note loses the player's id.
 *
 * Cost: 1 write, and 2 where steps are left; {@link boardsStored}, which without a board reads 1 for each board there is, and
 * again with each step; for each board what {@link eraseFromBoards} costs. The look an hour later costs
 * the same again, but where nothing is left it writes and deletes only a status that is not there: 1 write, and 1 delete
 * a board.
 * @throws `leaderboard_not_found` for a named board of which nothing is stored, or one whose definition was deleted by
 * hand. A ZodError or `unknown_schema_version` where something of a board can't be read. The player is erased from all
 * other boards then.
 */
export const removePlayerSpec: OperationSpec<typeof request, RemovePlayerAnswer> = {
  name: "removePlayer",
  request,
  async handle(services, { player, leaderboard }) {
    const { db, now, callMsMax } = services;
    // A board that is not there leaves no note.
    if (leaderboard !== undefined) await boardsStored(services, leaderboard, []);
    const sinceMs = now();
    const isOver = createBudget(services, callMsMax);
    const [untilMs, looksAtMs] = [sinceMs + erasureKeptMs, sinceMs + erasureLooksAgainMs];
    // Before anything is looked for, so that every commit which creates a document of the player is found.
    await writeErasure(db, direct, { player, leaderboard, untilMs, looksAtMs });
    await askForLook(services, player, looksAtMs);
    const boards = await boardsStored(services, leaderboard, [player]);
    const { removed, left, failures } = await eraseFromBoards(services, player, boards, isOver);
    if (left !== undefined) {
      await db.doc(erasurePath(player)).set({ erase: { goes_on: true } }, { merge: true });
      await askToGoOn(services, "erase", player, { sinceMs, left, failed: failures.length > 0 });
    }
    if (failures.length > 0) throw failures[0];
    const listed = removed.slice(0, seasonsListedMax);
    return { player, removed: listed, ...(left !== undefined && { continues: true }) };
  },
};

const direct: Parameters<typeof writeErasure>[1] = { set: (ref, data, options) => ref.set(data, options) };
