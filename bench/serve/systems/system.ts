/** A system to measure: a store for the board, and the function that answers getRank from it. */
import type { Board } from "../board.ts";

export interface System {
  name: string;
  /** Stores the board, in a process of its own if it needs one. @throws if the database is not on this machine */
  store(board: Board, place: Place): Promise<Stored>;
}

/** Where a system may run its database. */
export interface Place {
  /** A folder that is deleted afterwards. */
  folder: string;
  /** Puts a command in front of a program that keeps it to one core; empty where that cannot be done. */
  pinned: readonly string[];
}

/** A board that is stored, and how the function that reads it is started. */
export interface Stored {
  /** The module, and its export, that the Functions Framework loads. */
  source: string;
  target: string;
  env: Record<string, string>;
  /** The database's process, whose CPU time is measured with those it started. */
  pid?: number;
  stop(): Promise<void>;
}
