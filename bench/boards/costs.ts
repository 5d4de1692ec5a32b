/**
 * What each thing costs that happens on a board whose players have different scores, and all that it causes. `bill.ts`
 * says how often each happens in a day. Whoever changes a mechanism changes this table, or course.ts; played days judge
 * both.
 */
import { recentNumbersMax } from "../../functions/src/documents/recent-runs.ts";
import { rowsMax, smallSeasonPlayersMax } from "../../functions/src/model/limits.ts";
import { rowsPerPage } from "../../functions/src/ranking/pack-pages.ts";
import { calledFor, type Spent } from "./spent.ts";

type Cost = Partial<Spent>;

export interface Board {
  /** All with different scores. */
  players: number;
  topSize: number;
  /** Then all boards share one read of the definition a minute, which counts for nothing here. */
  isOfTemplate?: boolean;
}

export type Costs = ReturnType<typeof costsOf>;

/**
 * A task costs a call too, and its delivery; who requests it pays for the request.
 * @param others documents that it works on too, and that are billed apart.
 */
export function task(cost: Cost, others = 0): Cost {
  const { reads = 0, writes = 0, deletes = 0 } = cost;
  return { ...cost, queued: 1, ...calledFor(reads + writes + deletes + others) };
}

export function pagesOf({ players }: Pick<Board, "players">): number {
  const rows = Math.min(players, rowsMax);
  return Math.max(1, Math.ceil(rows / rowsPerPage(rows)));
}

/** A run whose ranking has one page leaves a record each eighth time, and otherwise numbers in the season. */
const runsForRecord = 1 + recentNumbersMax / 3;

/** A shard that a run reads and deletes, and the board that it reads. */
const besideRun = 2 + 2;

/** Whether the board's steps share tasks, which are billed by themselves. */
export const sharesTasks = ({ players }: Pick<Board, "players">) => players <= smallSeasonPlayersMax;

/** A refresh that reads only what has changed: the top, and so many documents. */
export const refreshOfChanges = (documents: number): Cost => ({ reads: 1 + documents, writes: 1 });

export function costsOf(board: Board) {
  const { players, topSize, isOfTemplate = false } = board;
  const step = sharesTasks(board) ? (cost: Cost) => cost : task;
  const pages = pagesOf(board);
  // The document, its players, and what the index of two fields costs.
  const top = 1 + Math.min(topSize, players) + Math.max(1, Math.ceil(Math.min(topSize, players) / 1_000));
  const records = sharesTasks(board) ? 1 / runsForRecord : 1;
  const counted = Math.max(1, Math.ceil(players / 1_000));
  return {
    // The player; and a shard, which scores of one commit share.
    score: { reads: 1, writes: 1 },
    commit: { writes: 1 },
    // More for a board's first score: board and season, read in the transaction that writes season and event, which is
    // deleted in the end. The first board of a template also writes once that there is one.
    opening: { reads: 2, writes: 2, deletes: 1 },
    // Whether the board has a season; and before it is opened, whether the player is banned or erased.
    openingOfTemplate: { reads: 1 + 2 },
    ofCollection: { reads: 1 },
    ofLimit: { reads: 1, writes: 1 },
    // More for a player's first score on a board: whether the player was erased, and on a board of a template the status.
    newPlayer: { reads: 1 },
    newPlayerOfTemplate: { reads: 1 },
    // What instances read into memory.
    board: { reads: isOfTemplate ? 1 : 2 },
    gate: { reads: 1 },
    page: { reads: 1 },
    // The commit also reads and writes the season.
    wake: { reads: 1, writes: 1 },
    rank: { reads: 1 },
    request: { queued: 1 },
    // Two queries of the schedule, and another one each ten minutes. The first season due costs no more than to find none.
    tick: { reads: 2.1 },
    due: { reads: 1 },
    // A publication, without the shards that it folds: pages, top, season, and its record, which is deleted in the end. It
    // seldom reads the players of the top, as refreshes have shown what may show there.
    run: step({ reads: pages + 1, writes: pages + 2 + records, deletes: records }, besideRun),
    oldTop: { reads: top - 1 },
    shard: { reads: 1, deletes: 1 },
    // Whether the open slot has a change: then the season must not doze.
    quiet: { reads: 1 },
    // A task that finds nothing, and what it does then: reads the season, and what is pending, and writes the season.
    rest: step({ reads: 1 + 1, writes: 1 }),
    doze: step({ reads: 1 + 2, writes: 1 }),
    // By the schedule: what is pending, and the season.
    sleep: { reads: 1, writes: 1 },
    refresh: { reads: top, writes: 1 },
    // Deleted in the end.
    event: { writes: 1, deletes: 1 },
    // The day's audit. The schedule finds the season and notes the audit; the task reads the season twice, pages and what
    // is pending, and counts three times. Its record is deleted in the end.
    auditSeen: { reads: 1 },
    auditAsked: { writes: 1, queued: sharesTasks(board) ? 0 : 1 },
    audit: step({ reads: 3 + pages + 3 * counted, writes: 1, deletes: 1 }),
    // The schedule in the minute of the look for alerts, without a board: five queries, and six of the look. Of each board
    // that is awake, its season and its definition.
    dailyLook: { reads: 5 + 6 },
    lookedAt: { reads: 2 },
  } satisfies Record<string, Cost>;
}
