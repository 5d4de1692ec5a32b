/**
 * The newest generation that an app has seen of each season, for as long as it runs: whatever answers after that is of
 * no older one. It costs nothing where the functions have that generation in memory, else 1 read.
 */
import type { FirebaseApp } from "firebase/app";
import type { Leaderboard } from "./leaderboard.ts";

interface Memory {
  /** By board and season. */
  newest: Map<string, number>;
  /** By board and span, the season that answered for it last: each season counts its generations from 1. */
  seasons: Map<string, string>;
}

const memories = /* @__PURE__ */ new WeakMap<FirebaseApp, Memory>();

/** What is known of a season when something is asked. */
export interface Generations {
  /** The newest one seen; nothing where none is known to be published. */
  seen: number | undefined;
  /**
   * Remembers what the answer is of. One older than was seen before the question tells that the ranking began again.
   * @param season that it is of, where the board names a span.
   */
  saw: (generation: number, season?: string) => void;
}

/** What is known now of the board's season. */
export function generationsOf({ app, id, season, span = "" }: Leaderboard): Generations {
  const memory: Memory = memories.get(app) ?? { newest: new Map(), seasons: new Map() };
  memories.set(app, memory);
  const bySpan = `${id}/${span}`;
  const named = season ?? memory.seasons.get(bySpan) ?? (span || "all_time");
  const seen = memory.newest.get(`${id}/${named}`) ?? 0;
  return {
    seen: seen || undefined,
    saw(generation, answered = named) {
      if (season === undefined && answered !== named) memory.seasons.set(bySpan, answered);
      const key = `${id}/${answered}`;
      const known = memory.newest.get(key) ?? 0;
      if (generation > known || (answered === named && seen === known)) memory.newest.set(key, generation);
    },
  };
}
