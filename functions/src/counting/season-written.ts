/** The season into which a player's document was written: whether it takes the write, and what its server should know. */
import { playerPath, runPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { readSeason, type Season } from "../documents/season.ts";
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { boardNotFound, FirerankError, isBoardNotFound } from "../model/errors.ts";
import { spanOfId } from "../model/season-id.ts";
import { isOfTemplate } from "../model/template.ts";
import { boardCacheOf, boardIfAny } from "../seasons/board.ts";
import { countsNoMore } from "../seasons/open-now.ts";
import { type Board, seasonLeft } from "../seasons/read-board.ts";
import { isNextSpanSeason, recentSpanSeason, type SpanSeason } from "../seasons/span-season.ts";
import type { Services } from "../world/services.ts";
import type { PlayerWrite } from "./changed-player.ts";

interface SeasonWritten {
  /** Whether it counts no more changes: it is closed, being deleted, gone, or none of the board's. */
  countsNoMore: boolean;
  /** Why a server's write is not ranked, where somebody has to be told: no audit and no alert finds it. */
  problem?: string;
}

/**
 * Looks at the season of a write. A season that is not in memory may have been opened since, or a trusted server's first
 * document is just about to open it.
 *
 * Cost: 2 reads a minute for the board; where the season was not opened, or the board is gone, up to 2 more; of a write while
 * the season closes 1 more.
 * @throws `contention` before the season begins.
 */
export async function seasonWritten(
  services: Services,
  key: SeasonKey,
  player: string,
  write: PlayerWrite,
): Promise<SeasonWritten> {
  const { db } = services;
  const boards = boardCacheOf(services);
  const findPlayer = () => db.doc(playerPath(key, player)).get();
  // A deletion of millions of players has as many events: one look a second is enough.
  const lost = write.after === undefined ? boards.withoutBoard(key) : undefined;
  const board = lost === undefined ? await boardIfAny(services, key) : undefined;
  if (board === undefined) {
    // The look at the board has found it out, but for a definition that is damaged.
    const known = lost ?? boards.withoutBoard(key);
    const left = known ?? seasonLeft(await db.doc(seasonPath(key)).get());
    // A season whose definition was deleted goes on. Without a season nothing is counted, as nobody knows the board's
    // decimals; the first save of the board counts who is there.
    const isTold = left === "gone" && write.after !== undefined && (await findPlayer()).exists;
    return {
      countsNoMore: left !== "there",
      ...(isTold && { problem: noBoardSaid(key, known !== undefined) }),
    };
  }
  if (board.season !== undefined) return ofSeason(services, key, board.season, write);
  // A board of a template is opened for a document that is there, and not for one that went with a deleted board.
  if (isOfTemplate(key.leaderboard) && !(await findPlayer()).exists) return { countsNoMore: true };
  // The season before the present one is the newest of those that have ended, so it has not been deleted.
  const nowMs = services.now();
  const spanSeason = recentSpanSeason(board, key, nowMs);
  if (spanSeason !== undefined) return ofNew(services, spanSeason, board);
  if (isNextSpanSeason(board, key, nowMs)) {
    if (isOfAnother(write, board.createdMs, await findPlayer())) return { countsNoMore: true };
    throw new FirerankError("contention", `${seasonPath(key)} has not begun; the event comes again.`);
  }
  const document = await db.doc(seasonPath(key)).get();
  if (!document.exists) return { countsNoMore: true, problem: noSeasonSaid(board, key) };
  return ofSeason(services, key, readSeason(document.data()), write);
}

/** A season that is not there yet: the first document of a server opens it, unless its template has no such board so far. */
async function ofNew(services: Services, spanSeason: SpanSeason, board: Board): Promise<SeasonWritten> {
  try {
    if (isOfTemplate(board.key.leaderboard)) await boardCacheOf(services).open(spanSeason, board);
    return { countsNoMore: false };
  } catch (error) {
    if (!isBoardNotFound(error)) throw error;
    return { countsNoMore: false, problem: error.message };
  }
}

async function ofSeason(
  { db }: Services,
  key: SeasonKey,
  found: Season,
  { after, atMs }: PlayerWrite,
): Promise<SeasonWritten> {
  const { status, closes_at: closesAt, closed_at: closedAt, closing_run: run } = found;
  const outcome = { countsNoMore: countsNoMore(found) };
  if (after === undefined || status === "open" || status === "deleting") return outcome;
  if (status === "closed" && atMs > (closedAt?.toMillis() ?? Infinity))
    return { ...outcome, problem: `the season "${key.season}" has closed, and its final table stays` };
  if (run === null || atMs < (closesAt?.toMillis() ?? Infinity)) return outcome;
  const readAt = (await db.doc(runPath(key, run)).get()).get("read_at") as unknown;
  return readAt instanceof Timestamp && after.updateTime.toMillis() > readAt.toMillis()
    ? { ...outcome, problem: `the players of the season "${key.season}" had been read for its final table` }
    : outcome;
}

function noBoardSaid({ leaderboard }: SeasonKey, isMissing: boolean): string {
  return isMissing
    ? boardNotFound(leaderboard).message
    : `"${leaderboard}" is a template, and no leaderboard itself, or its definition is damaged`;
}

/** Why a board has no such season. Pure. */
function noSeasonSaid({ definition: { spans } }: Board, { leaderboard, season }: SeasonKey): string {
  const span = spanOfId(season);
  if (span === "custom")
    return `leaderboard "${leaderboard}" has no season "${season}": open it, and repair it then; what is written into a tournament before is only in its final table`;
  return spans.includes(span)
    ? `the season "${season}" of leaderboard "${leaderboard}" does not run now`
    : `leaderboard "${leaderboard}" has no span ${span}; it has ${spans.join(", ")}`;
}

/**
 * Whether a document was written before the board was there, and is another one now: it was of a board that was deleted,
 * and what was counted of it went with that.
 */
export function isOfAnother(
  { before, after, atMs }: PlayerWrite,
  createdMs: number,
  document: DocumentSnapshot,
): boolean {
  const [then, now] = [(after ?? before)?.createTime, document.createTime];
  const isThatOne = then?.seconds === now?.seconds && then?.nanoseconds === now?.nanoseconds;
  return atMs < createdMs && !isThatOne;
}
