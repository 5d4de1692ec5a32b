/** What Firerank needs from the world, passed in, so that tests can pass another. */
import type { Firestore, Timestamp } from "../documents/firestore.ts";
import { boardCacheMs, slotMs as slotMsDefault } from "../model/limits.ts";
import type { PageCache } from "../reading/page-cache.ts";
import { createPageCache } from "../reading/page-cache.ts";
import { createTopReads, type TopReads } from "../reading/top-reads.ts";
import type { RepairRequest } from "../repair/repair.ts";
import type { BoardCache } from "../seasons/board.ts";
import { createBoardCache } from "../seasons/board.ts";
import type { TopRefreshRequest } from "../top/ask-refresh.ts";
import { createTopGates, type TopGates } from "../top/gate.ts";

/** Structured logging, as `firebase-functions/logger` offers it. */
export interface Log {
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

/** Asks for a ranking run; `taskId` makes a repeated request the same one. */
export type EnqueueRun = (run: { leaderboard: string; season: string }, taskId: string) => Promise<void>;

/** Asks for a step of a repair, after a delay; `taskId` as for runs. */
export type EnqueueRepair = (request: RepairRequest, taskId: string, delaySeconds: number) => Promise<void>;

/** Asks for a refresh of the top at its due time; `taskId` as for runs. */
export type EnqueueTopRefresh = (request: TopRefreshRequest, taskId: string) => Promise<void>;

export interface Services {
  db: Firestore;
  /** Milliseconds since 1970. */
  now: () => number;
  /**
   * A read's time by the database's clock, in milliseconds since 1970; it decides the slot of a change (see
   * model/slot.ts). A test with a clock of its own answers that clock's time.
   */
  databaseMs: (readTime: Timestamp) => number;
  /** Length of a slot, the same for all boards and all instances. */
  slotMs: number;
  /** In [0, 1). */
  random: () => number;
  /** An id for a new document. */
  newId: () => string;
  log: Log;
  enqueueRun: EnqueueRun;
  enqueueRepair: EnqueueRepair;
  enqueueTopRefresh: EnqueueTopRefresh;
  /** Waits before another attempt; tests need not. */
  sleep: (ms: number) => Promise<void>;
  /** Shortest ranking interval a definition may ask for: 1 in production, 0 on the emulators. */
  intervalMinutesMin: number;
  boards: BoardCache;
  pages: PageCache;
  gates: TopGates;
  tops: TopReads;
}

/**
 * Services with their caches; `boardCacheMs` is how long definitions and seasons are kept. Without `enqueueRepair`,
 * a repair too large for one step fails; without `enqueueTopRefresh` the top waits for the next publication.
 */
export function createServices(
  parts: Omit<
    Services,
    "boards" | "pages" | "gates" | "tops" | "enqueueRepair" | "enqueueTopRefresh" | "databaseMs" | "slotMs"
  > & {
    databaseMs?: Services["databaseMs"];
    slotMs?: number;
    boardCacheMs?: number;
    enqueueRepair?: EnqueueRepair;
    enqueueTopRefresh?: EnqueueTopRefresh;
  },
): Services {
  const {
    boardCacheMs: keepMs = boardCacheMs,
    enqueueRepair = noQueue,
    enqueueTopRefresh = () => Promise.resolve(),
    databaseMs = (readTime: Timestamp) => readTime.toMillis(),
    slotMs = slotMsDefault,
    ...others
  } = parts;
  const rest = { ...others, enqueueRepair, enqueueTopRefresh, databaseMs, slotMs };
  const boards = createBoardCache({ ...rest, keepMs });
  return {
    ...rest,
    boards,
    pages: createPageCache({ ...rest, boards }),
    gates: createTopGates(rest),
    tops: createTopReads(rest),
  };
}

const noQueue: EnqueueRepair = () =>
  Promise.reject(new Error("there is no queue for the next step of a repair"));
