/**
 * Boards in memory. A board is a definition with one of its seasons, kept for a minute. Requests that wait for a board
 * share one read. In the last ten seconds of the minute the board is read again while the old value still serves
 * answers.
 *
 * Definition and season are read together, in one `getAll`, and a season keeps the ordering that it was opened with, and
 * what it ended with, even if the definition changes. So a board with a season has the season's final ordering, however old
 * the board is, and no score is ever packed or compared by an ordering that was replaced.
 */
import { isDeepStrictEqual } from "node:util";
import { LRUCache } from "lru-cache";
import { ZodError } from "zod";
import { addEvent } from "../documents/event.ts";
import { Timestamp, type Transaction } from "../documents/firestore.ts";
import { definitionPath, leaderboardPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { newSeason, readSeason, type Season } from "../documents/season.ts";
import { type Calendar, zoneProblem } from "../model/calendar.ts";
import { segmentSources } from "../model/definition.ts";
import { FirerankError, isBoardNotFound } from "../model/errors.ts";
import { boardRenewedAt, mayDozeKeptMs, sharedReadsMax } from "../model/limits.ts";
import { definitionOf, orderingOf } from "../model/season-definition.ts";
import { spanOfId } from "../model/season-id.ts";
import { intervalEnd, intervalMs } from "../model/slot.ts";
import { definitionId, isOfTemplate } from "../model/template.ts";
import { bytesInMemory } from "../world/bytes-in-memory.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import { admitBoard } from "./new-boards.ts";
import { mayDoze } from "./open-now.ts";
import {
  type Board,
  boardWith,
  type Defined,
  definedIn,
  type OpenedBoard,
  readBoard,
  type SeasonLeft,
  seasonLeft,
  withSeason,
} from "./read-board.ts";
import { type SpanSeason, spanSeasonAt } from "./span-season.ts";
import { describeError } from "../world/describe-error.ts";
import type { Services } from "../world/services.ts";

export type BoardCache = ReturnType<typeof createBoardCache>;

/**
 * A board; undefined if its definition is gone or not valid: players' changes are counted without a definition.
 * @throws other errors
 */
export async function boardIfAny(
  services: Services,
  key: SeasonKey,
  read = () => boardCacheOf(services).load(key),
): Promise<Board | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isBoardNotFound(error) && !(error instanceof ZodError)) throw error;
    services.log.warn("continuing without the board's definition", { ...key, error: describeError(error) });
    return undefined;
  }
}

/** The share of an instance's memory for boards: 25 MiB of 512 hold 12,000. */
export const boardsShare = 1 / 20;

/** What a board takes in memory: its own bytes, its path, and its place among the others. Pure. */
export function bytesOfBoard({ definition, ...own }: Board): number {
  // Boards of a template share its definition.
  const definitionBytes = isOfTemplate(own.key.leaderboard) ? 0 : bytesInMemory(definition);
  return 400 + bytesInMemory(own) + definitionBytes;
}

/**
 * How long an instance remembers that a board does not exist: after a board's deletion each of its players causes an
 * event.
 */
const lostKeptMs = 1_000;

/** The boards that an instance has in memory. */
export const boardCacheOf = ({ memory }: Pick<Services, "memory">): BoardCache => memory(createBoardCache);

// eslint-disable-next-line max-lines-per-function -- short functions over one memory
function createBoardCache(services: Services) {
  const { db, now, boardCacheMs: keepMs, memoryBytes } = services;
  const max = sharedReadsMax;
  const renewMs = keepMs * boardRenewedAt;
  // A run may let the season doze at any moment: whoever remembers it awake does not wake it (dormancy.ts).
  const keepMsOf = ({ season }: Board) =>
    season !== undefined && mayDoze(season, now()) ? Math.min(keepMs, mayDozeKeptMs) : keepMs;
  const sizes = { max: Math.floor(memoryBytes * boardsShare), of: bytesOfBoard };
  const reads = createSharedReads<Board>({ now, keepMs, renewMs, keepMsOf, sizes });
  // A template without a board may still be saved otherwise, and whoever opens its first board must know it as it is.
  const keepMsOfTemplate = ({ hasBoards }: Defined) => (hasBoards ? keepMs : 0);
  const templates = createSharedReads<Defined>({ now, max, keepMs, renewMs, keepMsOf: keepMsOfTemplate });
  const openings = createSharedReads<OpenedBoard>({ now, max, keepMs: 0 });
  /** What was left of seasons whose board does not exist, and until when this is remembered. */
  const lost = new LRUCache<string, { season: SeasonLeft; untilMs: number }>({ max });

  /** Puts a board in memory that the caller knows to be up to date. */
  const keep = (board: Board) => {
    reads.keep(seasonPath(board.key), board);
  };

  /**
   * The board and its season as they were at most a minute ago, or two seconds while a run may let the season doze. Cost: 2
   * reads, 0 while in memory or being read.
   * @throws `leaderboard_not_found`
   */
  async function load(key: SeasonKey): Promise<Board> {
    const beganMs = now();
    const onLost = (season: SeasonLeft) =>
      void lost.set(seasonPath(key), { season, untilMs: beganMs + lostKeptMs });
    if (isOfTemplate(key.leaderboard)) return loadOfTemplate(key, onLost);
    return (await reads.get(seasonPath(key), () => readBoard(db, key, db, onLost))).value;
  }

  /**
   * A board for what its definition says; its season may be any, or none. Cost: 2 reads a minute; of a template's board
   * 1, for all boards of the template. @throws `leaderboard_not_found`
   */
  async function loadDefinition(leaderboard: string): Promise<Board> {
    const key = { leaderboard, season: "all_time" };
    return isOfTemplate(leaderboard) ? boardWith(key, await loadTemplate(leaderboard), undefined) : load(key);
  }

  /**
   * What all boards of a template share, by the id of one of them. Cost: 1 read a minute. @throws `leaderboard_not_found`
   */
  async function loadTemplate(leaderboard: string): Promise<Defined> {
    const path = definitionPath(leaderboard);
    const read = async () => definedIn(leaderboard, await db.doc(path).get());
    return (await templates.get(path, read)).value;
  }

  /**
   * A board of a template, of whose definition all its boards share one read a minute. Cost: that, and 1 read a minute
   * for the season.
   */
  async function loadOfTemplate(key: SeasonKey, onLost: (season: SeasonLeft) => void): Promise<Board> {
    const season = () => db.doc(seasonPath(key)).get();
    const defined = await loadTemplate(key.leaderboard).catch(async (error: unknown) => {
      if (isBoardNotFound(error)) onLost(seasonLeft(await season()));
      throw error;
    });
    const { value: board } = await reads.get(seasonPath(key), async () =>
      boardWith(key, defined, await season()),
    );
    if (!isOpened(board)) keepAlone(seasonPath(key));
    // Each reading of a definition makes a list of its own: else the board is of an earlier one.
    if (board.segmentsGone === defined.segmentsGone) return board;
    const { definedMs: _, ...shared } = defined;
    return { ...board, ...shared, definition: definitionOf(defined, board.season) };
  }

  /**
   * The board of a template that was read last and that nobody has played: made-up ids take the place of one board in
   * memory.
   */
  let unplayed: string | undefined;
  function keepAlone(path: string): void {
    if (unplayed !== undefined && unplayed !== path && reads.peek(unplayed)?.value.season === undefined)
      reads.forget(unplayed);
    unplayed = path;
  }

  /**
   * The board with a season of one of its spans. A season that does not exist yet is opened: 2 reads, and 2 writes with
   * the event, shared by all requests that wait for it.
   * @param loaded the board, if the caller has just loaded it.
   */
  async function open(spanSeason: SpanSeason, loaded?: Board): Promise<OpenedBoard> {
    const board = loaded ?? (await load(spanSeason.key));
    if (isOpened(board)) return board;
    // When a day begins, many requests arrive at once, and their transactions would wait for each other.
    const { value } = await openings.get(seasonPath(spanSeason.key), async () => {
      try {
        const opened = await db.runTransaction((transaction) =>
          openSeason(services, transaction, board, spanSeason, now()),
        );
        keep(opened);
        return opened;
      } catch (error) {
        templates.forget(definitionPath(spanSeason.key.leaderboard));
        if (isOfTemplate(spanSeason.key.leaderboard)) forgetSeason(spanSeason.key);
        else forget(spanSeason.key.leaderboard);
        throw error;
      }
    });
    return value;
  }

  const forgetSeason = (key: SeasonKey) => {
    reads.forget(seasonPath(key));
  };

  /**
   * Remembers what a commit has made of a season, beside the definition, which is as old as before. If the board was read
   * again since, or was forgotten, the season is forgotten too.
   */
  function keepSeason(board: Board, season: Season): void {
    if (!reads.replace(seasonPath(board.key), board, withSeason(board, season))) forgetSeason(board.key);
  }

  /**
   * Forgets all seasons of a board, which looks at each board in memory; or a template's definition, which its boards
   * share.
   */
  function forget(leaderboard: string): void {
    const path = leaderboardPath(leaderboard);
    templates.forget(definitionPath(leaderboard));
    reads.forgetAll((one) => one.startsWith(`${path}/`));
  }

  return {
    load,
    loadDefinition,
    open,
    keep,
    keepSeason,
    forgetSeason,
    forget,
    /** What was left of a season, if its board was found missing just now; otherwise undefined. Costs no read. */
    withoutBoard(key: SeasonKey): SeasonLeft | undefined {
      const found = lost.get(seasonPath(key));
      return found !== undefined && now() < found.untilMs ? found.season : undefined;
    },
    /** The board as it is in memory, however old. Costs no read. */
    peek: (key: SeasonKey) => reads.peek(seasonPath(key)),
  };
}

/**
 * Changes a season's document in a transaction, and forgets the board in memory. Cost: 1 read, and 1 write if it
 * changes.
 * @param change returns the fields to write, or undefined to change nothing. It gets the season, and may be called
 * again.
 * @returns the fields that were written; undefined if nothing was written, or the season does not exist.
 */
export async function changeSeason<Fields extends Partial<Season>>(
  services: Services,
  key: SeasonKey,
  change: (season: Season, transaction: Transaction) => Fields | undefined | Promise<Fields | undefined>,
): Promise<Fields | undefined> {
  const { db } = services;
  const ref = db.doc(seasonPath(key));
  const changed = await db.runTransaction(async (transaction) => {
    const found = await transaction.get(ref);
    const fields = found.exists ? await change(readSeason(found.data()), transaction) : undefined;
    if (fields !== undefined) transaction.update(ref, { ...fields });
    return fields;
  });
  boardCacheOf(services).forgetSeason(key);
  return changed;
}

/**
 * Whether a season's marks keep a history. A day's marks need none, as the day has no earlier midnight to compare with.
 */
export function keepsHistory({ key, movementSinceMs }: Board): boolean {
  return movementSinceMs !== undefined && spanOfId(key.season) !== "daily";
}

/** When a board's days begin; undefined without a board, and for a time zone that this runtime does not know. */
export function calendarOf(board: Board | undefined): Calendar | undefined {
  const { definition } = board ?? {};
  return definition !== undefined && zoneProblem(definition.time_zone) === undefined ? definition : undefined;
}

/** Whether a board's season has been opened. */
export function isOpened(board: Board): board is OpenedBoard {
  return board.season !== undefined;
}

/**
 * Opens a season in a transaction that also reads the definition, so that the ordering cannot change meanwhile.
 * @param known the board in memory, by which the caller has taken values of segments.
 */
async function openSeason(
  services: Services,
  transaction: Transaction,
  known: Board,
  asked: SpanSeason,
  nowMs: number,
): Promise<OpenedBoard> {
  const board = await readBoard(services.db, asked.key, transaction);
  if (isOpened(board)) return board;
  if (!isDeepStrictEqual(segmentSources(known.definition), segmentSources(board.definition)))
    throw justChanged("definition", asked.key);
  const { span, opensAtMs, closesAtMs } = asOfNow(board, asked, nowMs);
  const begun = { span, opensMs: opensAtMs ?? nowMs, closesMs: closesAtMs };
  return beginSeason(services, transaction, board, begun, nowMs);
}

/**
 * Adds a new season and its event to the transaction that has read its board. Cost: 2 writes, and what {@link
 * admitBoard} costs.
 * @throws `leaderboard_not_found` for a new board of a template that may not be there.
 * @param begun the season's times in milliseconds since 1970; `closesMs` is null for a season without an end.
 */
export async function beginSeason(
  services: Services,
  transaction: Transaction,
  board: Board,
  begun: { span: Season["span"]; opensMs: number; closesMs: number | null },
  nowMs: number,
): Promise<OpenedBoard> {
  const { db } = services;
  const { key, definition } = board;
  await admitBoard(services, transaction, board);
  const { span, opensMs, closesMs } = begun;
  const lengthMs = intervalMs(definition.ranking_interval_minutes);
  const times = {
    opens_at: Timestamp.fromMillis(opensMs),
    closes_at: closesMs === null ? null : Timestamp.fromMillis(closesMs),
  };
  // A tournament needs no run before it opens.
  const runAt = Timestamp.fromMillis(intervalEnd(Math.max(nowMs, opensMs), lengthMs));
  const sources = segmentSources(definition);
  const season = newSeason({
    span,
    ...times,
    end_due_at: closesMs === null ? null : Timestamp.fromMillis(endDueMs(services, closesMs, nowMs)),
    interval_ms: lengthMs,
    next_run_at: runAt,
    ordering: orderingOf(definition),
    ...(isOfTemplate(key.leaderboard) && { template: definitionId(key.leaderboard) }),
    ...(sources && { segment_sources: sources }),
    // Before anybody waits for a seat: the weeks that follow wait until this one is settled.
    ...(definition.league?.span === span && { league: "open" }),
  });
  transaction.create(db.doc(seasonPath(key)), season);
  const event = { kind: "season_opened", key, span, atMs: nowMs, once: nowMs, fields: times } as const;
  addEvent(db, transaction, definition, event);
  return { ...board, season, openedMs: nowMs };
}

/**
 * When the end of a new season is due. A server's late write opens a season that is over: what the server writes after its
 * first document has as long to come in as after any other end.
 */
function endDueMs({ endWaitMs }: Services, closesMs: number, nowMs: number): number {
  return nowMs < closesMs ? closesMs : nowMs + endWaitMs;
}

/**
 * The season that the caller asked for, with its times by the present definition. The caller may remember an earlier
 * calendar, by which the season would end sooner; opened like that, it would take no more scores while it still runs
 * for everybody else.
 * @throws `contention` if the present calendar has another season at this time
 */
function asOfNow(board: Board, asked: SpanSeason, nowMs: number): SpanSeason {
  if (asked.opensAtMs === null) return asked;
  const { key } = asked;
  const now = spanSeasonAt(key.leaderboard, board, asked.span, asked.opensAtMs);
  const isSame = now.key.season === key.season && now.opensAtMs === asked.opensAtMs;
  const wasCut = (now.closesAtMs ?? Infinity) <= nowMs && nowMs < (asked.closesAtMs ?? Infinity);
  if (isSame && !wasCut) return now;
  throw justChanged("calendar", key);
}

function justChanged(what: "calendar" | "definition", { leaderboard }: SeasonKey): FirerankError {
  const message = `The ${what} of leaderboard "${leaderboard}" has just been changed; nothing was recorded. Ask again.`;
  return new FirerankError("contention", message);
}
