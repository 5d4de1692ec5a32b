/**
 * The newest generation that an app has seen of each season, for as long as it runs: whatever answers after that is of
 * no older one. It costs nothing where the functions have that generation in memory, else 1 read.
 */
import type { FirebaseApp } from "firebase/app";
import type { Leaderboard } from "./leaderboard.ts";

const memories = /* @__PURE__ */ new WeakMap<FirebaseApp, Map<string, number>>();

/** What is known of a season when something is asked. */
export interface Generations {
  /** The newest one seen; nothing where none is known to be published. */
  seen: number | undefined;
  /** Remembers what the answer is of. One older than was seen before the question tells that the ranking began again. */
  saw: (generation: number) => void;
}

/** What is known now of the board's season. */
export function generationsOf(board: Leaderboard): Generations {
  const key = `${board.id}/${seasonNamed(board)}`;
  const memory = memories.get(board.app) ?? new Map<string, number>();
  memories.set(board.app, memory);
  const seen = memory.get(key) ?? 0;
  return {
    seen: seen || undefined,
    saw(generation) {
      const known = memory.get(key) ?? 0;
      if (generation > known || seen === known) memory.set(key, generation);
    },
  };
}

/** The season by the name that the app has for it. */
export function seasonNamed({ season, span }: Leaderboard): string {
  return season ?? span ?? "all_time";
}
