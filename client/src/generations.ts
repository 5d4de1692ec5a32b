/**
 * The newest generation of each season that a running app has seen: later answers are never older. This costs 1 read,
 * or nothing if the functions have that generation in memory.
 */
import { seasonsSeenMax } from "../../functions/src/model/limits.ts";
import type { Submission } from "./answers.ts";
import { type BoardMemory, memoryOf } from "./board-memory.ts";
import type { Leaderboard } from "./leaderboard.ts";

/** What is known of a season when a request is sent. */
export interface Generations {
  /** The newest one seen; undefined if no answer was seen. */
  seen: number | undefined;
  /**
   * Remembers the generation of an answer. If it is older than what was seen before the request, the ranking was
   * restarted.
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

/** What is known of the seasons that a submission may count in, when it is sent. */
export interface GenerationsOfAll {
  /** The newest one seen of each season, by its id. The functions ignore those of seasons that it does not count in. */
  seen: Record<string, number>;
  /** As in {@link Generations}, for each season of the answer. */
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
 * Remembers a generation; the season seen last is the last of the map.
 * @param asked the generation that was asked for, if one was.
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
