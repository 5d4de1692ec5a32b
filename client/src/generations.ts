/**
 * The newest generation of each season that a running app has seen: later answers are never older. This costs nothing
 * if the functions have that generation in memory, otherwise 1 read.
 */
import type { FirebaseApp } from "firebase/app";
import { keyOf, type Leaderboard } from "./leaderboard.ts";

interface Memory {
  /** By board and season. */
  newest: Map<string, number>;
  /** By board and span, the season that answered last: each season counts its generations from 1. */
  seasons: Map<string, string>;
}

const memories = /* @__PURE__ */ new WeakMap<FirebaseApp, Memory>();

/** What is known of a season when a request is sent. */
export interface Generations {
  /** The newest one seen; undefined if none is known to be published. */
  seen: number | undefined;
  /**
   * Remembers the generation of an answer. If it is older than what was seen before the request, the ranking was
   * restarted.
   * @param season the season of the answer, if the board names a span.
   */
  saw: (generation: number, season?: string) => void;
}

export function generationsOf(board: Leaderboard): Generations {
  const { app, season, span = "" } = board;
  const place = keyOf(board);
  const memory: Memory = memories.get(app) ?? { newest: new Map(), seasons: new Map() };
  memories.set(app, memory);
  const bySpan = `${place}/${span}`;
  const named = season ?? memory.seasons.get(bySpan) ?? (span || "all_time");
  const seen = memory.newest.get(`${place}/${named}`) ?? 0;
  return {
    seen: seen || undefined,
    saw(generation, answered = named) {
      if (season === undefined && answered !== named) memory.seasons.set(bySpan, answered);
      const key = `${place}/${answered}`;
      const known = memory.newest.get(key) ?? 0;
      if (generation > known || (answered === named && seen === known)) memory.newest.set(key, generation);
    },
  };
}
