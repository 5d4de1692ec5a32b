/** `getRank`: the rank of a player, of a score, or of columns. */
import { z } from "zod";
import type { RankingKey } from "../documents/paths.ts";
import { type Rank, rankSchema } from "../model/answers.ts";
import { FirerankError, invalidField } from "../model/errors.ts";
import { documentId } from "../model/ids.ts";
import { generationAttemptsMax, segmentsMax } from "../model/limits.ts";
import { answered, notRanked } from "../reading/entries.ts";
import type { Places } from "../reading/lookup.ts";
import { movedSince } from "../reading/moved.ts";
import { rankOf } from "../reading/rank.ts";
import type { RankingView } from "../reading/ranking-view.ts";
import { viewOf } from "../reading/view-of.ts";
import { submissionFields } from "../submit/schema.ts";
import { scoreAsked } from "./shared/score-asked.ts";
import {
  inSegment,
  ownSegment,
  rankingRequest,
  readableRanking,
  requireShown,
  segmentOf,
} from "./shared/season-asked.ts";
import { type OperationSpec, requirePlayer } from "./shared/spec.ts";

export const getRankRequest = rankingRequest
  .safeExtend({
    player: documentId.optional(),
    score: submissionFields.score,
    columns: submissionFields.columns,
    exact: z.boolean().default(false),
    segments: z
      .array(z.string(), 'must be names of segments, such as ["country"]')
      .max(segmentsMax, `must name at most ${segmentsMax} segments`)
      .optional()
      .describe(
        "Adds the player's rank in each of the player's own segments, by their names. Not together with `segment`.",
      ),
  })
  .refine(
    ({ player, score, columns }) =>
      [player, score, columns].filter((asked) => asked !== undefined).length <= 1,
    "give one of player, score or columns",
  )
  .refine(({ segment, segments }) => segment === undefined || segments === undefined, {
    path: ["segments"],
    message: "give segment or segments, not both",
  });

/**
 * The rank of a score: `published`, or `live` with everything counted up to 5 seconds ago; with `exact`, certain even
 * if rows are merged.
 *
 * Cost: 1 read by score or columns, 0 while the page is in memory; 1 more by player. `live`: what {@link liveRanks}
 * costs. `exact`, in a merged row: 1 read for each 1,000 better players of the row, at least 1. `since`:
 * {@link movedSince}. In a segment as among all players, and in a merged row of at most 1,000 players 1 read for a count
 * that makes the rank certain. The board costs 2 reads a minute. Unknown callers (OperationSpec.handle) may use neither `live`
 * nor `exact`: `unauthenticated`.
 *
 * In a closed season every rank is exact and final, whatever the request says and whoever the caller is; in a merged row
 * of a segment it has bounds. If rows of all players are merged, it costs 1 read for a document of the standings instead
 * of the page, and 1 for the summary, unless in memory.
 */
export const getRankSpec: OperationSpec<typeof getRankRequest, Rank> = {
  name: "getRank",
  request: getRankRequest,
  answer: rankSchema,
  async handle(services, request, caller, isKnown = caller !== undefined) {
    const { player, since, segments } = request;
    const isOfScore = request.score !== undefined || request.columns !== undefined;
    const isOwn = player === undefined || (player === caller?.uid && caller.isService !== true);
    const shows = isOfScore || isOwn ? "no others" : "others";
    const view = await readableRanking(services, request, caller, isKnown, shows);
    const { board } = view;
    const { key, definition } = board;
    const rankIn = (of: RankingKey, places: Places, score: number, id?: string) => {
      return { ...rankOf(of, definition, places, score, id), ...answered(of) };
    };
    const byScore = scoreAsked(definition, request);
    if (byScore !== undefined) {
      if (since !== undefined) throw invalidField("since", "is for players: a score by itself does not move");
      if (segments !== undefined)
        throw invalidField("segments", "are a player's own: name one with segment for a score");
      return rankIn(key, await view.placeOf(byScore, false), byScore);
    }
    const id = player ?? requirePlayer(caller);
    const named = (segments ?? []).map((name) => segmentOf(definition, name, "segments"));
    if (!isOwn) for (const segment of named) requireShown(segment, key.leaderboard, caller);
    const [listed] = await view.players([id]);
    if (listed === undefined) throw notRanked(id, key);
    const { score, data } = listed;
    const views = named.map(({ name }) => {
      const segment = ownSegment(listed, name);
      return segment === undefined ? undefined : viewOf(services, inSegment(board, segment), request);
    });
    const { places, inSegments } =
      segments === undefined
        ? { places: await view.placeOf(score, true), inSegments: [] }
        : await placesOfOneGeneration(view, views, score);
    const ranks = named.map(({ name }, i) => {
      const [own, found] = [views[i], inSegments[i]];
      return [name, own && found ? rankIn(own.board.key, found, score, id) : null] as const;
    });
    const rank = {
      ...rankIn(key, places, score, id),
      ...(segments && { segments: Object.fromEntries(ranks) }),
    };
    if (since === undefined) return rank;
    const [moved] = await movedSince(services, board, places, since, [{ data, place: places.of(score) }]);
    return { ...rank, ...moved };
  },
};

/** {@link getRankSpec} of a score or of columns, never of a player. */
export const rankOfScoreSpec: OperationSpec<typeof getRankRequest, Rank> = {
  ...getRankSpec,
  name: "getRankOfScore",
  request: getRankRequest.refine(({ score, columns }) => score !== undefined || columns !== undefined, {
    path: ["score"],
    message: "is missing: give a score, or columns as in columns=points:3",
  }),
};

/** Codes of errors that say that a segment is not ranked: it has too many values, or nothing is published yet. */
const unrankedCodes: readonly string[] = ["invalid_request", "player_not_ranked"];

/**
 * The places of a player's score in a ranking and in some segments, all of one generation; no places in a segment that is not
 * ranked, or of a name of which the player is in none.
 */
async function placesOfOneGeneration(
  view: RankingView,
  segments: readonly (RankingView | undefined)[],
  score: number,
): Promise<{ places: Places; inSegments: readonly (Places | undefined)[] }> {
  let atLeast = 0;
  for (let attempt = 1; ; attempt++) {
    const asked = segments.map((segment) => segment && placesIfRanked(segment, score, atLeast));
    const [places, ...inSegments] = await Promise.all([view.placeOf(score, true, atLeast), ...asked]);
    const generations = [places, ...inSegments].flatMap((one) => one?.generation ?? []);
    atLeast = Math.max(...generations);
    if (generations.every((one) => one === atLeast) || attempt === generationAttemptsMax)
      return { places, inSegments };
  }
}

/** The places in a segment; undefined if the segment is not ranked, as it has too many values, or not yet. */
async function placesIfRanked(
  view: RankingView,
  score: number,
  atLeast: number,
): Promise<Places | undefined> {
  try {
    return await view.placeOf(score, true, atLeast);
  } catch (error) {
    if (error instanceof FirerankError && unrankedCodes.includes(error.code)) return undefined;
    throw error;
  }
}
