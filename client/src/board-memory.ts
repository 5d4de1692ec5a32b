/** What a running app remembers of each of its boards. */
import type { FirebaseApp } from "firebase/app";
import type { Running } from "./answers.ts";
import { keyOf, type Leaderboard } from "./leaderboard.ts";
import type { ServerClock } from "./server-clock.ts";

/** The current season of each span of a board, as the server last said, and the server's clock. */
export interface SpansKnown {
  running: readonly Running[];
  clock: ServerClock;
}

export interface BoardMemory {
  /** The newest generation seen of each season. */
  newest: Map<string, number>;
  /** By span, the season of the last answer. Each season counts its generations from 1. */
  seasons: Map<string, string>;
  known?: SpansKnown;
  /** The watchers of private groups. They ask anew when they hear that the player has joined theirs. */
  groupWatchers?: Set<(joined: string) => void>;
  /** The request for `known` that is under way. All who ask meanwhile share the request. */
  asking?: Promise<SpansKnown> | undefined;
}

const memories = /* @__PURE__ */ new WeakMap<FirebaseApp, Record<string, BoardMemory>>();

export function memoryOf(board: Leaderboard): BoardMemory {
  const boards = memories.get(board.app) ?? {};
  memories.set(board.app, boards);
  return (boards[keyOf(board)] ??= { newest: new Map(), seasons: new Map() });
}
