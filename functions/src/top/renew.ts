/** Renews the top document between ranking runs: it follows players who enter it, leave it or change in it. */
import { writeEvents } from "../documents/event.ts";
import { topPath, type SeasonKey } from "../documents/paths.ts";
import { pendingShards } from "../documents/queries.ts";
import { readTogether } from "../documents/reads.ts";
import { readTop, type Top } from "../documents/top.ts";
import { isBetter } from "../model/score.ts";
import type { Board } from "../seasons/board.ts";
import { tryAgain } from "../world/try-again.ts";
import { baseWindowMs, commitTop } from "./ask-refresh.ts";
import { buildTop } from "./build-top.ts";
import { readTopPlayers, writeTop } from "./document.ts";
import type { TopServices } from "./gate-memory.ts";
import { paceAfter, paceIn } from "./pace.ts";
import { eventsOfTop } from "./tell-top.ts";

/**
 * Renews a season's top document if a player who was taken out of the ranking may be in it, or in that of a pending run
 * that read the players earlier. It may be the first run: then the document is created.
 *
 * A score that the top's gate keeps out may be in the pending one, if players of the top have left just now. Their events
 * refresh it within seconds. But who entered is told in events, so after an erasure the top is always renewed. Where an
 * erasure finds no document, another call may have deleted it just now, and a run of what is pending may have read it.
 *
 * Cost: 1 read and the board's, 1 more for an erasure without a document; where the top is renewed, {@link renewTop}.
 * @param score of the player before; undefined where there was no document.
 * @returns whether the player was in it.
 */
export async function renewTopWithout(
  services: TopServices,
  key: SeasonKey,
  player: string,
  { score, isErased }: { score: number | undefined; isErased: boolean },
): Promise<boolean> {
  // Before the top: a run that commits in between shows there.
  const mayBePending =
    isErased && score === undefined && !(await pendingShards(services.db, key).limit(1).get()).empty;
  const found = await services.db.doc(topPath(key)).get();
  const { entries = [], lowest_score: lowest = null } = found.exists ? readTop(found.data()) : {};
  const listed = entries.some((entry) => entry.player === player);
  if (!listed && score === undefined && !mayBePending) return false;
  const board = await services.boards.load(key);
  const isOutside = score !== undefined && lowest !== null && isBetter(board.definition.order, lowest, score);
  if (listed || isErased || !isOutside) await renewTop(services, board, { creates: true });
  return listed;
}

interface RenewOptions {
  /** When it was due, if it follows a change of the order: its windows set the pace of the next ones. */
  dueMs?: number;
  /** Whether it writes a top, of the season's generation, where there is none. */
  creates?: boolean;
}

/**
 * Renews a season's top document from the players as they are now; its generation and number of players stay.
 *
 * It is written even if it shows nothing new: a pending ranking run may have read the players before a change. As the
 * document is no longer the one that the run has read, its commit fails, and it reads the top again.
 *
 * Cost: reads the top, its players and 1 for each 1,000 of these; 1 write, and 1 for each event: one for players who
 * entered, one for a new leader. Nothing is written before the first publication, unless it creates the document.
 * @returns the new top; undefined before the first publication.
 * @throws Firestore's error when another writer was first at each attempt; an error when the document is not a top.
 */
export async function renewTop(
  services: TopServices,
  board: Board,
  options: RenewOptions = {},
): Promise<Top | undefined> {
  return tryAgain(services, () => tryToRenew(services, board, options));
}

async function tryToRenew(
  services: TopServices,
  board: Board,
  options: RenewOptions,
): Promise<Top | undefined> {
  const { db, boards } = services;
  const { dueMs, creates = false } = options;
  const { key, definition } = board;
  const { listed, readAt, document } = await readTogether(db, (transaction) =>
    readTopPlayers(db, transaction, board),
  );
  const { header, updateTime } = document;
  if (header?.final === true && board.season?.status !== "closed") {
    // The instance remembers the season from before its end. The top of one that is being deleted goes with it.
    boards.forget(key.leaderboard);
    const present = await boards.load(key);
    return present.season?.status === "closed" ? tryToRenew(services, present, options) : undefined;
  }
  if (updateTime === undefined && !creates) return undefined;
  if (updateTime !== undefined && header === undefined)
    throw new Error(`${topPath(key)} is not a top document; the next publication replaces it.`);
  const { generation, players: counted } = header ?? board.season?.ranking ?? { generation: 0, players: 0 };
  // Some of the players listed may not have been counted yet.
  const players = Math.max(counted, listed.length);
  const top = buildTop(topPath(key), definition, listed, { generation, players, as_of: readAt });
  const pace = dueMs === undefined ? undefined : paceAfter(baseWindowMs(definition), paceIn(header), dueMs);
  const batch = db.batch();
  writeTop(batch, db.doc(topPath(key)), top, document, pace);
  writeEvents(db, batch, eventsOfTop(board, document, top, generation === 0));
  await commitTop(
    services,
    board,
    () => ({ document, top }),
    () => batch.commit(),
  );
  return top;
}
