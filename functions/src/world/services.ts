/**
 * What `services` is, which each function gets that is not pure: the world outside, and the memory of one instance of
 * the functions. All of it is passed in, so that tests can pass something else.
 */
import type { Firestore, Timestamp } from "../documents/firestore.ts";
import type { SeasonKey } from "../documents/paths.ts";
import type { Accounts } from "./accounts.ts";
import type { Meter } from "./meter.ts";
import type { EnqueueJob, EnqueueTopRefresh } from "./tasks.ts";

/** Structured logging, as `firebase-functions/logger` offers it. */
export interface Log {
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

/** Logs nothing: for a process whose answers say all. */
export const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A time limit: `passed` rejects when the time has passed, unless `cancel` was called. */
export interface Deadline {
  passed: Promise<never>;
  cancel(): void;
}

export interface Services {
  db: Firestore;
  /** Measures the bill of the client `db`. */
  meter: Meter;
  now: () => number;
  /**
   * The time of a read by the database's clock, in milliseconds since 1970; it decides the slot of a change (see
   * model/slot.ts). A test with a clock of its own returns that clock's time.
   */
  databaseMs: (readTime: Timestamp) => number;
  /** Length of a slot, which is the same for all boards and all instances. */
  slotMs: number;
  /**
   * How long an instance remembers a board: a change that must apply everywhere at once is announced this long before.
   */
  boardCacheMs: number;
  /**
   * How long after a season's end, or a change of its status, something may still act on its old state; see
   * model/limits.ts.
   */
  endWaitMs: number;
  /** The memory of an instance, of which what it remembers may take its shares. */
  memoryBytes: number;
  /**
   * Who may open boards of templates: the owner's app and servers; `anybody` where App Check is not enforced, so that
   * any program can pass for the app; or the `owner`, whom nothing refuses.
   */
  opener: "app" | "anybody" | "owner";
  /** In [0, 1). */
  random: () => number;
  newId: () => string;
  /** A name of this process that no other process has. */
  process: string;
  log: Log;
  accounts: Accounts;
  enqueueJob: EnqueueJob;
  /** How long a call works on many boards before it leaves the rest to steps; a process of its own has no limit. */
  callMsMax: number;
  enqueueTopRefresh: EnqueueTopRefresh;
  /** Called after a commit that changed what is counted in a season; on the emulators, which rank soon after it. */
  counted?: (key: SeasonKey) => void;
  /** Waits before a retry; tests need not. */
  sleep: (ms: number) => Promise<void>;
  /** Starts a time limit, for work that must not wait longer. */
  deadline: (ms: number) => Deadline;
  /** The least time between two commits of a process to one shard document. */
  shardCommitsApartMs: number;
  /** Shortest ranking interval a definition may ask for: 1 in production, 0 on the emulators. */
  intervalMinutesMin: number;
  /**
   * What this instance remembers of one kind, such as its boards; made when it is first asked for. Each kind has a
   * function beside its maker that asks for it, such as `boardCacheOf(services)`.
   */
  memory: <Kept>(make: (services: Services) => Kept) => Kept;
}
