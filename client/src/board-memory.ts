/** What a running app remembers of each of its boards. */
import type { FirebaseApp } from "firebase/app";
import type { Running } from "./answers.ts";
import { keyOf, type Leaderboard } from "./leaderboard.ts";
import type { ServerClock } from "./server-clock.ts";

/** What the server said about a board's spans, and its clock. */
export interface Known {
  running: readonly Running[];
  clock: ServerClock;
}

export interface BoardMemory {
  /** The newest generation seen of each season. */
  newest: Map<string, number>;
  /** By span, the season that answered last: each season counts its generations from 1. */
  seasons: Map<string, string>;
  /** What the server last said of the spans. */
  known?: Known;
  /** The request for it under way: callers in the meantime share it. */
  asking?: Promise<Known> | undefined;
}

const memories = /* @__PURE__ */ new WeakMap<FirebaseApp, Record<string, BoardMemory>>();

export function memoryOf(board: Leaderboard): BoardMemory {
  const boards = memories.get(board.app) ?? {};
  memories.set(board.app, boards);
  return (boards[keyOf(board)] ??= { newest: new Map(), seasons: new Map() });
}
