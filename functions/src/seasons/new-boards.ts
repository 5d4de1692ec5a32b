/**
 * New boards of templates. A board `level:7` has no document of its own: it is there as soon as it has a season. So the
 * transaction that opens its first season asks here whether it may be there. A board that has a season is not asked
 * about again: a level that is deleted later keeps its board.
 *
 * The first board of a template freezes part of the template's definition, by a field that the same transaction writes
 * (operations/save-leaderboard.ts). So whoever remembers the definition has the frozen part as every board has it.
 */
import { newBoardsToday } from "../documents/new-boards.ts";
import { Timestamp, type Transaction } from "../documents/firestore.ts";
import { definitionPath, newBoardsPath, seasonsPath } from "../documents/paths.ts";
import { byId } from "../documents/queries.ts";
import { documentIdProblem } from "../model/document-id.ts";
import { FirerankError } from "../model/errors.ts";
import { newBoardsMax } from "../model/new-boards.ts";
import { definitionId, isOfTemplate, boardName } from "../model/template.ts";
import { alertedEveryMs, isTime } from "../world/alarms.ts";
import type { Services } from "../world/services.ts";
import type { Board } from "./read-board.ts";

/**
 * Asks, in a transaction that opens a season, whether its board may be there, and notes a new one. All other reads of the
 * transaction must be done.
 *
 * Cost: nothing for a board that has a definition of its own. Otherwise 1 read; for a new board 1 more if the template
 * names a collection, and 1 more and 1 write if it has a limit of new boards; for a template's first board 1 write.
 * @throws `leaderboard_not_found` where it may not be there.
 */
export async function admitBoard(services: Services, transaction: Transaction, board: Board): Promise<void> {
  const { leaderboard } = board.key;
  if (!isOfTemplate(leaderboard)) return;
  const { db, now, opener } = services;
  const [first] = (await transaction.get(byId(db, seasonsPath(leaderboard), 1))).docs;
  if (first?.get("board_deleted") === true) throw beingDeleted(leaderboard);
  if (first !== undefined) return;
  if (opener !== "owner") await admitNew(services, transaction, board);
  if (board.hasBoards) return;
  const firstBoardAt = Timestamp.fromMillis(now());
  transaction.update(db.doc(definitionPath(leaderboard)), { first_board_at: firstBoardAt });
}

/** Whether a board may be there that no score was submitted to so far; counts it where the template has a limit. */
async function admitNew(
  services: Services,
  transaction: Transaction,
  { key: { leaderboard }, definition }: Board,
): Promise<void> {
  const { db, now, opener } = services;
  const { ids = "any" } = definition.template ?? {};
  if (ids !== "any") {
    const path = `${ids.collection}/${boardName(leaderboard)}`;
    const isNamed = documentIdProblem(boardName(leaderboard)) === undefined;
    if (!isNamed || !(await transaction.get(db.doc(path))).exists)
      throw notFound(leaderboard, `there is no document ${path}`);
  } else if (definition.submit === "client" && opener === "anybody")
    throw refused(services, leaderboard, "App Check is not enforced, so anybody could open boards");
  const most = newBoardsMax(definition);
  if (most === Infinity) return;
  const ref = db.doc(newBoardsPath(leaderboard));
  const { day, boards } = newBoardsToday(now(), await transaction.get(ref));
  if (boards >= most) throw refused(services, leaderboard, `${most} were opened today`);
  transaction.set(ref, { day, boards: boards + 1 });
}

/** The refusal of a board that is being deleted, but whose definition is there or in memory: a template's, mostly. */
export function beingDeleted(leaderboard: string): FirerankError {
  const message = `There is no leaderboard "${leaderboard}": it is being deleted. Its id is free in a quarter of an hour, or later if it was large.`;
  return new FirerankError("leaderboard_not_found", message);
}

function notFound(leaderboard: string, why: string): FirerankError {
  const message = `There is no leaderboard "${leaderboard}": ${why}.`;
  return new FirerankError("leaderboard_not_found", message);
}

/** The refusal of a board that may be right: the owner is told, at most every three hours. */
function refused(services: Services, leaderboard: string, why: string): FirerankError {
  const template = definitionId(leaderboard);
  if (isTime(services, `new boards of ${template}`, alertedEveryMs)) {
    const fields = { firerank_alert: "new_boards_refused", leaderboard: template };
    services.log.error(`new boards of the template "${template}" are refused: ${why}`, fields);
  }
  const message = `There is no leaderboard "${leaderboard}", and no new board of "${template}" is opened now: ${why}.`;
  return new FirerankError("leaderboard_not_found", message);
}
