/** What Firerank needs from the world, passed in, so that tests can pass another. */
import type { Firestore, Timestamp } from "../documents/firestore.ts";
import type { Meter } from "./meter.ts";
import type { EnqueueClosing, EnqueueRepair, EnqueueRun, EnqueueTopRefresh } from "./tasks.ts";

/** Structured logging, as `firebase-functions/logger` offers it. */
export interface Log {
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

/** Each room adds what it remembers: `SeasonServices`, `TopServices`, `ReadingServices`; operations get all of them. */
export interface World {
  db: Firestore;
  /** Measures what the client of `db` is billed. */
  meter: Meter;
  /** Milliseconds since 1970. */
  now: () => number;
  /**
   * A read's time by the database's clock, in milliseconds since 1970; it decides the slot of a change (see
   * model/slot.ts). A test with a clock of its own answers that clock's time.
   */
  databaseMs: (readTime: Timestamp) => number;
  /** Length of a slot, the same for all boards and all instances. */
  slotMs: number;
  /** How long an instance remembers a board: what is to hold everywhere at once is announced so long before. */
  boardCacheMs: number;
  /** How long after a season's end, or a change of its status, nobody acts on what it was before; see model/limits.ts. */
  endWaitMs: number;
  /** In [0, 1). */
  random: () => number;
  /** An id for a new document. */
  newId: () => string;
  log: Log;
  enqueueRun: EnqueueRun;
  enqueueRepair: EnqueueRepair;
  enqueueTopRefresh: EnqueueTopRefresh;
  enqueueClosing: EnqueueClosing;
  /** Waits before another attempt; tests need not. */
  sleep: (ms: number) => Promise<void>;
  /** Shortest ranking interval a definition may ask for: 1 in production, 0 on the emulators. */
  intervalMinutesMin: number;
}
