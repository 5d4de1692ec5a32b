/** The two commits of a closing that concern its final table: the first summary, and the end of the season. */
import { addEvent } from "../../documents/event.ts";
import { Timestamp } from "../../documents/firestore.ts";
import { boardCacheOf } from "../../seasons/board.ts";
import { type Board, type OpenedBoard, withSeason } from "../../seasons/read-board.ts";
import { noteWaits } from "../../standings/notes.ts";
import { readReplaced, type StandingsReading, writePublication } from "../../standings/publish-standings.ts";
import { writeSummary } from "../../standings/summary.ts";
import type { Services } from "../../world/services.ts";
import { Overtaken } from "../progress.ts";
import type { ClosingProgress } from "./take-up.ts";

/**
 * Writes the first summary, if the closing's record is as its step left it: from then on the standings can be revised.
 * Cost: 1 read, 1 write. @throws Overtaken
 */
export async function writeFirstSummary(
  { db }: Pick<Services, "db">,
  { key }: Pick<Board, "key">,
  { sums, ranges }: StandingsReading,
  progress: ClosingProgress,
): Promise<void> {
  await db.runTransaction(async (transaction) => {
    await progress.require(transaction);
    const at = Timestamp.fromMillis(progress.record().read_at?.toMillis() ?? 0);
    writeSummary(db, transaction, key, { ...sums, ranges, as_of: at, revisions: 0 });
  });
}

/**
 * The commit that closes a season and publishes it, and requires that no note is left. A run that remembers the season
 * open finds page 0 final.
 *
 * Cost: 7 reads and the reads of the top; writes the pages, the top, the season, the record and the event.
 * @returns whether it is closed; not if there are notes to be applied first. @throws Overtaken
 */
export async function closeAndPublish(
  services: Services,
  board: OpenedBoard,
  reading: StandingsReading,
  progress: ClosingProgress,
): Promise<boolean> {
  const { db, now, endWaitMs } = services;
  const boards = boardCacheOf(services);
  const { key, definition } = board;
  const { run } = progress.record();
  const isClosed = await db.runTransaction(async (transaction) => {
    await progress.require(transaction);
    if (await noteWaits(db, transaction, key)) return false;
    const found = await readReplaced(services, transaction, board, reading);
    if (found?.season.status !== "closing" || found.season.closing_run !== run) throw new Overtaken();
    const { season, players } = found;
    const closed = { status: "closed" as const, closed_at: Timestamp.fromMillis(now()) };
    const endDueAt = Timestamp.fromMillis(now() + endWaitMs);
    const fields = { ...closed, next_run_at: null, parked: null, end_due_at: endDueAt };
    const closedBoard = withSeason(board, { ...season, ...closed });
    writePublication(services, transaction, closedBoard, reading, { ...found, fields });
    const left = { ranges: [], progress: { done: 0, total: 0 } };
    progress.write(transaction, { phase: "clearing", players, ...left });
    addEvent(db, transaction, definition, {
      kind: "season_closed",
      key,
      span: season.span,
      atMs: closed.closed_at.toMillis(),
      once: run,
      fields: { closed_at: closed.closed_at, player_count: players },
    });
    return true;
  });
  if (isClosed) boards.forgetSeason(key);
  return isClosed;
}
