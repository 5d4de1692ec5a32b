/** How reading calls name their season, and who may read it. */
import { z } from "zod";
import type { Freshness } from "../model/answers.ts";
import type { Definition } from "../model/definition.ts";
import { forKnownOnly } from "../model/errors.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";
import type { Board } from "../seasons/board.ts";
import { requestedBoard } from "../seasons/current.ts";
import type { Services } from "./services.ts";
import { type Caller, requireCaller } from "./spec.ts";

/** A generation that a caller has seen. */
export const generation = z
  .int("must be a whole number: the generation of another answer")
  .min(0, "must be at least 0");

const minGeneration = generation
  .optional()
  .describe(
    "The `generation` of any answer about this season, or of a run's record: the answer is not older than that, if that ranking is published.",
  );

/**
 * The fields of a request about a season: the season itself, or a span whose current season is meant; and the newest
 * generation of it that the caller has seen.
 */
export const seasonAsked = {
  leaderboard: leaderboardId,
  season: seasonId.optional(),
  span: z.string().optional(),
  min_generation: minGeneration,
};

/** How many lines an answer has at most: `max`, and 25 by default. */
export const limitUpTo = (max: number, min = 1) =>
  z
    .int("must be a whole number")
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}; use next_cursor for the rest`)
    .default(25);

/** How fresh the ranks of an answer are: as of the last publication, or with everything counted up to 5 seconds ago. */
export const freshnessAsked = z
  .enum(["published", "live"])
  .default("published")
  .describe(
    "`live` ranks are at most 5 seconds old (`as_of` says when); `published` ones are of the last run.",
  );

/** @throws `unauthenticated` for an unknown caller who asks for live ranks: they read all pending changes. */
export function requireKnownForLive(freshness: Freshness, isKnown: boolean): void {
  if (freshness === "live" && !isKnown)
    throw forKnownOnly("freshness", 'must be "published": a live rank reads all pending changes');
}

/** For `.refine(…)` of a request with the fields {@link seasonAsked}: one of them may name the season. */
export const namesOneSeason = [
  ({ season, span }: { season?: string | undefined; span?: string | undefined }) =>
    season === undefined || span === undefined,
  { path: ["span"] as string[], message: "name season or span, not both" },
] as const;

/**
 * The board and season that a request is about, if the caller may read them: everybody on a `public` board, signed-in
 * users on the others. Cost: 2 reads a minute, 4 if the season is not `all_time`.
 * @throws `leaderboard_not_found`, `season_not_found`, `unauthenticated`
 */
export async function readableBoard(
  services: Services,
  asked: { leaderboard: string; season?: string | undefined; span?: string | undefined },
  caller: Caller | undefined,
): Promise<Board> {
  const board = await requestedBoard(services, asked);
  requireVisible(board.definition, caller);
  return board;
}

/** @throws `unauthenticated` for a caller who may not see the board. */
export function requireVisible({ visibility }: Definition, caller: Caller | undefined): void {
  if (visibility !== "public") requireCaller(caller);
}
