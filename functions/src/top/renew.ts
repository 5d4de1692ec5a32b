/** Renews the top document between ranking runs: it follows players who enter it, leave it or change in it. */
import { writeEvents } from "../documents/event.ts";
import { topPath, type SeasonKey } from "../documents/paths.ts";
import { readTop, type Top } from "../documents/top.ts";
import { isBetter } from "../model/score.ts";
import type { Board } from "../seasons/board.ts";
import { tryAgain } from "../world/try-again.ts";
import { baseWindowMs, commitTop } from "./ask-refresh.ts";
import { buildTop } from "./build-top.ts";
import { gateOf, paceOf, readTopPlayers, writeTop } from "./document.ts";
import { gateIn } from "./gate.ts";
import type { TopServices } from "./gate-memory.ts";
import { paceAfter } from "./pace.ts";
import { eventsOfTop } from "./tell-top.ts";

/**
 * Renews a season's top document if a player who was taken out of the ranking is in it, or might enter it through a
 * pending run that read the player's score before.
 *
 * Cost: 1 read and the board's; where the top is renewed, {@link renewTop}.
 * @param score of the player before.
 * @returns whether the player was in it.
 */
export async function renewTopWithout(
  services: TopServices,
  key: SeasonKey,
  player: string,
  score: number | undefined,
): Promise<boolean> {
  const found = await services.db.doc(topPath(key)).get();
  if (!found.exists) return false;
  const { entries, lowest_score: lowest } = readTop(found.data());
  const board = await services.boards.load(key);
  const listed = entries.some((entry) => entry.player === player);
  const { order } = board.definition;
  const mayEnter = score !== undefined && (lowest === null || !isBetter(order, lowest, score));
  if (listed || mayEnter) await renewTop(services, board);
  return listed;
}

/**
 * Renews a season's top document from the players as they are now; its generation and number of players stay.
 *
 * It is written even if it shows nothing new: a pending ranking run may have read the players before a change, and its
 * commit would bring the old top back. As the document is no longer the one that the run has read, that commit fails,
 * and the run reads the top again.
 *
 * Cost: reads the top, its players and 1 for each 1,000 of these; 1 write, and 1 for each event: one for players who
 * entered, one for a new leader. Nothing is written before the first publication.
 * @param dueMs when it was due, if it follows a change of the order: its windows set the pace of the next ones.
 * @returns the new top; undefined before the first publication.
 * @throws Firestore's error when another writer was first at each attempt; an error when the document is not a top.
 */
export async function renewTop(
  services: TopServices,
  board: Board,
  dueMs?: number,
): Promise<Top | undefined> {
  return tryAgain(services, () => tryToRefresh(services, board, dueMs));
}

async function tryToRefresh(
  services: TopServices,
  board: Board,
  dueMs: number | undefined,
): Promise<Top | undefined> {
  const { db } = services;
  const { key, definition } = board;
  const { listed, readAt, document } = await db.runTransaction(
    (transaction) => readTopPlayers(db, transaction, board),
    { readOnly: true },
  );
  if (document.updateTime === undefined) return undefined;
  if (document.header === undefined)
    throw new Error(`${topPath(key)} is not a top document; the next publication replaces it.`);
  const { generation } = document.header;
  // Some of the players listed may not have been counted yet.
  const players = Math.max(document.header.players, listed.length);
  const top = buildTop(topPath(key), definition, listed, { generation, players, as_of: readAt });
  const batch = db.batch();
  const pace = dueMs === undefined ? undefined : paceAfter(baseWindowMs(definition), paceOf(document), dueMs);
  writeTop(batch, db.doc(topPath(key)), top, document, pace);
  writeEvents(db, batch, eventsOfTop(board, document, top, false));
  const gates = { before: gateOf(document), after: gateIn(top.lowest_score, top.lowest_at) };
  await commitTop(services, board, gates, () => batch.commit());
  return top;
}
