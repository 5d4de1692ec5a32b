/**
 * The newest generation of each season that a running app has seen. Requests name it, so that no later answer is of an older
 * generation. It costs 1 read, or nothing if the functions have that generation in memory.
 */
import { seasonsSeenMax } from "../../functions/src/model/limits.ts";
import type { Submission } from "./answers.ts";
import { type BoardMemory, memoryOf } from "./board-memory.ts";
import type { Leaderboard } from "./leaderboard.ts";

/** What an app knows of the generations of a season when it sends a request. */
export interface Generations {
  /** The newest generation seen; undefined before the first answer. */
  seen: number | undefined;
  /**
   * Remembers the generation of an answer. An answer is older than `seen` only if the ranking was restarted: then the older
   * generation is remembered.
   * @param season the season of the answer, if the board names a span.
   */
  saw: (generation: number, season?: string) => void;
}

export function generationsOf(board: Leaderboard): Generations {
  const { season, span = "" } = board;
  const { newest, seasons } = memoryOf(board);
  const named = season ?? seasons.get(span) ?? (span || "all_time");
  const seen = newest.get(named);
  return {
    seen,
    saw(generation, answered = named) {
      if (season === undefined) seasons.set(span, answered);
      keep(newest, answered, generation, answered === named && seen);
    },
  };
}

/** What an app knows of the generations of all seasons of a board when it sends a submission. */
export interface GenerationsOfAll {
  /** By season, the newest generation seen. The functions ignore seasons in which the submission does not count. */
  seen: Record<string, number>;
  /** Remembers the generation of each season of the answer, as {@link Generations} does. */
  saw: (answer: Submission) => void;
}

export function generationsOfAll({ season: named, span, ...board }: Leaderboard): GenerationsOfAll {
  const { newest, seasons } = memoryOf(board);
  const seen = Object.fromEntries([...newest].slice(-seasonsSeenMax));
  return {
    seen,
    saw({ seasons: answered }) {
      for (const { season, rank } of answered)
        if (rank !== null) keep(newest, season, rank.generation, seen[season]);
      const present = answered.find((one) => one.span === (span ?? one.span));
      if (named === undefined && present !== undefined) seasons.set(span ?? "", present.season);
    },
  };
}

/**
 * Remembers a season's generation, unless a newer one was seen since the request. The season that was seen last is the last
 * in the map.
 * @param asked the generation that the request named, if it named one.
 */
function keep(
  newest: BoardMemory["newest"],
  season: string,
  generation: number,
  asked: number | false | undefined,
): void {
  const known = newest.get(season) ?? 0;
  if (generation >= known || asked === known) {
    newest.delete(season);
    newest.set(season, generation);
  }
}
