/** How reading calls name their season, and who may read it. */
import { z } from "zod";
import type { SeasonListed } from "../../model/answers.ts";
import type { Definition } from "../../model/definition.ts";
import type { RankingKey } from "../../documents/paths.ts";
import { FirerankError, invalidField } from "../../model/errors.ts";
import { leaderboardId, seasonId } from "../../model/ids.ts";
import { isoTime } from "../../model/instant.ts";
import { timeText } from "../../model/stored-time.ts";
import { sinces } from "../../model/midnights.ts";
import { suffices } from "../../model/role.ts";
import { requireMovement } from "../../reading/moved.ts";
import type { RanksAsked, RankingView } from "../../reading/ranking-view.ts";
import { requireAffordable, viewOf } from "../../reading/view-of.ts";
import { noSuchSegment, segmentText, segmentValuePattern } from "../../model/segments.ts";
import type { Board, RankingBoard } from "../../seasons/read-board.ts";
import { requestedBoard, type SeasonAsked } from "../../seasons/current.ts";
import type { Services } from "../../world/services.ts";
import type { Caller, OperationName } from "./access.ts";
import { requireCaller, requirePlayer } from "./spec.ts";
import type { Season } from "../../documents/season.ts";

/** A generation that a caller has seen. */
export const generationAsked = z
  .int("must be a whole number: the generation of another answer")
  .min(0, "must be at least 0");

const minGeneration = generationAsked
  .optional()
  .describe(
    "The `generation` of any answer about this season, or of a run's record: once this ranking is published, no older one is answered.",
  );

/** A request about a season: itself, or a span whose current season is meant. */
export const seasonRequest = z
  .strictObject({
    leaderboard: leaderboardId,
    season: seasonId.optional().describe("By default the running season of the board's first span."),
    span: z.string().optional().describe("A span, for its running season. Not together with `season`."),
  })
  .refine(({ season, span }) => season === undefined || span === undefined, {
    path: ["span"],
    message: "name season or span, not both",
  });

/** The same of a call that reads, with the newest generation that the caller has seen. */
export const readingRequest = seasonRequest.safeExtend({ min_generation: minGeneration });

/** A time in a request. */
export const timeAsked = timeText("must be an ISO 8601 time, such as 2026-11-22T18:00:00Z");

export const cursorSaid = "`next_cursor` of the previous answer, as it is; left out for the beginning.";

/** Where an answer of this call ended, for the next one. */
export function cursorOf(name: OperationName) {
  const message = `must be next_cursor of a ${name} answer; leave it out for the beginning`;
  return z.string(message).min(1, message).optional().describe(cursorSaid);
}

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
    "`live` ranks are 5 seconds old, or more on a busy board (`as_of` says when); `published` ones are of the last run.",
  );

/** The segment that is asked for. */
export const segmentAsked = z
  .record(z.string(), z.string(), 'must be a segment with its value, such as {"country":"AT"}')
  .refine((named) => Object.keys(named).length === 1, 'must name one segment, such as {"country":"AT"}')
  .meta({ minProperties: 1, maxProperties: 1 })
  .optional()
  .describe(
    "Ranks within a segment of the board, as in `country:AT`; `mine` is the value of whoever asks. Not together with `since`.",
  );

/** Since when movement is asked for. */
const sinceAsked = z
  .enum(sinces, 'must be "day" or "week"')
  .optional()
  .describe(
    "Adds `moved`: how many places up or down since today began, or this week, in the board's time zone. The board has to keep `movement`.",
  );

/** A request for ranks of players. */
export const rankingRequest = readingRequest.safeExtend({
  freshness: freshnessAsked,
  since: sinceAsked,
  segment: segmentAsked,
});

type RankingAsked = SeasonAsked & Partial<z.infer<typeof rankingRequest>> & Pick<RanksAsked, "exact">;

/**
 * The ranking that a request is about, if the caller may read it: everybody on a `public` board, signed-in users on the
 * others. It is the ranking of all players, or of the segment that the request names. Cost: 2 reads a minute, 4 if the season
 * is not `all_time`; 1 more where the request names the caller's own segment.
 * @param shows whose values of the segment an answer shows: by default other players', as every list does.
 * @throws `leaderboard_not_found`, `season_not_found`; `invalid_request` about `since`, or about a segment that the board
 * does not have; `unauthenticated`, also as {@link requireAffordable} says; `player_not_ranked` for a caller who is in no
 * segment of the name; what {@link requireShown} throws
 */
export async function readableRanking(
  services: Services,
  asked: RankingAsked,
  caller: Caller | undefined,
  isKnown = caller !== undefined,
  shows: "others" | "no others" = "others",
): Promise<RankingView> {
  const board = await requestedBoard(services, asked);
  requireVisible(board.definition, caller);
  requireAffordable(board, asked, isKnown);
  if (asked.since !== undefined) requireMovement(board, "since");
  const all = viewOf(services, board, asked);
  const [named] = Object.entries(asked.segment ?? {});
  if (named === undefined) return all;
  if (asked.since !== undefined)
    throw invalidField("since", "is for the ranking of all players: leave out segment");
  const [name, value] = named;
  const path = `segment.${name.slice(0, 40)}`;
  const segment = segmentOf(board.definition, name, path);
  const { values } = segment;
  if (shows === "others") requireShown(segment, board.key.leaderboard, caller);
  if (value !== mine) {
    if (!segmentValuePattern.test(value) || values?.includes(value) === false)
      throw invalidField(path, `"${value.slice(0, 40)}" is not a value of this segment`);
    return viewOf(services, inSegment(board, segmentText(name, value)), asked);
  }
  const [listed] = await all.players([requirePlayer(caller)]);
  const own = ownSegment(listed, name);
  if (own !== undefined) return viewOf(services, inSegment(board, own), asked);
  const message = `You are in no ${name} of leaderboard "${board.key.leaderboard}".`;
  throw new FirerankError("player_not_ranked", message);
}

/** The value that stands for that of whoever asks. */
export const mine = "mine";

/** A segment of a board. @throws `invalid_request` about the field `path` where it has none of this name */
export function segmentOf({ segments = [] }: Definition, name: string, path: string) {
  const found = segments.find((segment) => segment.name === name);
  if (found !== undefined) return found;
  throw invalidField(path, noSuchSegment(segments, `"${name.slice(0, 40)}" `));
}

/** @throws `not_allowed` for whoever may not see other players' values of a segment: all but moderators where it is for `self` */
export function requireShown(
  { name, visible }: Pick<ReturnType<typeof segmentOf>, "name" | "visible">,
  leaderboard: string,
  caller: Caller | undefined,
): void {
  if (visible !== "self" || suffices(caller ?? {}, "moderator", leaderboard)) return;
  throw new FirerankError(
    "not_allowed",
    `On leaderboard "${leaderboard}" each player's ${name} is shown to that player alone, and to moderators. Ask for the ` +
      "rank of a score within it, or for your own rank.",
  );
}

/** The segment of this name among those in which a player is. */
export function ownSegment(player: { segments: readonly string[] } | undefined, name: string) {
  return player?.segments.find((text) => text.startsWith(segmentText(name, "")));
}

/** A board of which a segment's ranking is meant. */
export function inSegment(board: Board, segment: string): RankingBoard {
  const key: RankingKey = { ...board.key, segment };
  return { ...board, key };
}

/** @throws `unauthenticated` for a caller who may not see the board. */
export function requireVisible({ visibility }: Definition, caller: Caller | undefined): void {
  if (visibility !== "public") requireCaller(caller);
}

/** A season that has ended is `closing`, whether its closing has begun or not. Pure. */
export function seasonShown(id: string, season: Season, nowMs: number): SeasonListed {
  const { span, status, opens_at: opens, closes_at: closes, closed_at: closed, ranking } = season;
  const isOver = closes !== null && closes.toMillis() <= nowMs;
  return {
    season: id,
    span,
    status: status === "deleting" ? "closed" : status === "open" && isOver ? "closing" : status,
    opens_at: isoTime(opens),
    closes_at: closes === null ? null : isoTime(closes),
    ...(closed === null ? {} : { closed_at: isoTime(closed) }),
    players: ranking.players,
    generation: ranking.generation,
  };
}
