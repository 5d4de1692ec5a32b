/** What Firerank needs from the world, passed in, so that tests can pass another. */
import type { Firestore } from "./firestore.ts";
import type { BoardCache } from "./seasons/board.ts";
import { createBoardCache } from "./seasons/board.ts";
import type { PageCache } from "./ranking/page-cache.ts";
import { createPageCache } from "./ranking/page-cache.ts";
import { boardCacheMs } from "./model/limits.ts";

/** Structured logging, as `firebase-functions/logger` offers it. */
export interface Log {
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

/** Asks for a ranking run; `taskId` makes a repeated request the same one. */
export type EnqueueRun = (run: { leaderboard: string; season: string }, taskId: string) => Promise<void>;

export interface Services {
  db: Firestore;
  /** Milliseconds since 1970. */
  now: () => number;
  /** In [0, 1). */
  random: () => number;
  /** An id for a new document. */
  newId: () => string;
  log: Log;
  enqueueRun: EnqueueRun;
  /** Waits before another attempt; tests need not. */
  sleep: (ms: number) => Promise<void>;
  /** Shortest ranking interval a definition may ask for: 1 in production, 0 on the emulators. */
  intervalMinutesMin: number;
  boards: BoardCache;
  pages: PageCache;
}

/** Services with their caches; `boardCacheMs` is how long definitions and seasons are kept. */
export function createServices(
  parts: Omit<Services, "boards" | "pages"> & { boardCacheMs?: number },
): Services {
  const { boardCacheMs: keepMs = boardCacheMs, ...rest } = parts;
  return { ...rest, boards: createBoardCache({ ...rest, keepMs }), pages: createPageCache(rest) };
}
