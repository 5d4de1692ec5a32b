/** `getRank`: the rank of a player, of a score, or of columns. */
import { z } from "zod";
import type { RankingKey } from "../documents/paths.ts";
import { type Rank, rankSchema } from "../model/answers.ts";
import { toStep } from "../model/arithmetic.ts";
import { packColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { FirerankError, forKnownOnly, invalidField, nothingRankedYet } from "../model/errors.ts";
import { documentId } from "../model/ids.ts";
import { generationAttemptsMax, segmentRowCountedMax, segmentsMax } from "../model/limits.ts";
import { closedPlacesOf } from "../reading/closed.ts";
import { answered } from "../reading/answered.ts";
import { exactPlaceOf, livePlacesOf, placesOf, placesOn } from "../reading/live.ts";
import { movedSince } from "../reading/moved.ts";
import type { Places } from "../reading/lookup.ts";
import { rankOf } from "../reading/rank.ts";
import { isClosed } from "../reading/standings-reads.ts";
import { listedAt } from "../reading/listed.ts";
import { type Listed, notRanked } from "../reading/entries.ts";
import type { RankingBoard } from "../seasons/board.ts";
import { checkColumns, readColumns } from "../submit/apply.ts";
import { submissionFields } from "../submit/schema.ts";
import {
  inSegment,
  ownSegment,
  rankingRequest,
  readableRanking,
  requireShown,
  segmentOf,
} from "./season-asked.ts";
import type { Services } from "./services.ts";
import { type OperationSpec, requirePlayer } from "./spec.ts";

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
 * Cost: 1 read by score or columns, 0 while the page is in memory; 1 more by player. `live`: what {@link livePlacesOf}
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
    const { player, exact, since, segments } = request;
    const isOfScore = request.score !== undefined || request.columns !== undefined;
    const isOwn = player === undefined || (player === caller?.uid && caller.isService !== true);
    const shows = isOfScore || isOwn ? "no others" : "others";
    const board = await readableRanking(services, request, caller, isKnown, shows);
    if (exact && !isClosed(board) && !isKnown)
      throw forKnownOnly("exact", "must be false: an exact rank counts players");
    const { key, definition }: RankingBoard = board;
    const rankIn = (of: RankingKey, places: Places, score: number, id?: string) => {
      return { ...rankOf(of, definition, places, score, id), ...answered(of) };
    };
    const byScore = scoreAsked(definition, request);
    if (byScore !== undefined) {
      if (since !== undefined) throw invalidField("since", "is for players: a score by itself does not move");
      if (segments !== undefined)
        throw invalidField("segments", "are a player's own: name one with segment for a score");
      const places = await placesFor(services, board, byScore, request);
      return rankIn(key, places, byScore);
    }
    const id = player ?? requirePlayer(caller);
    const named = (segments ?? []).map((name) => segmentOf(definition, name, "segments"));
    if (!isOwn) for (const segment of named) requireShown(segment, key.leaderboard, caller);
    const ranked = await rankedPlayer(services, board, id);
    const { score, data = {} } = ranked;
    const own = named.map(({ name }) => [name, ownSegment(ranked, name)] as const);
    const others = own.flatMap(([, segment]) => (segment === undefined ? [] : [inSegment(board, segment)]));
    const all = await placesInAll(services, [board, ...others], score, request);
    const inEach = own.map(([name, segment]) => {
      const places = segment === undefined ? undefined : all.get(segment);
      return [name, places === undefined ? null : rankIn({ ...key, segment }, places, score, id)] as const;
    });
    const places = all.get(key.segment);
    if (places === undefined) throw new Error("the ranking that was asked for has no places");
    const rank = {
      ...rankIn(key, places, score, id),
      ...(segments && { segments: Object.fromEntries(inEach) }),
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

type Asked = z.infer<typeof getRankRequest>;

/** What says that a segment is not ranked, as there are too many values, or not yet. */
const unrankedCodes: readonly string[] = ["invalid_request", "player_not_ranked"];

/** The places of a score in some rankings of a season, all of one generation; none in a further one that is not ranked. */
async function placesInAll(
  services: Services,
  boards: readonly RankingBoard[],
  score: number,
  asked: Asked,
): Promise<Map<string | undefined, Places>> {
  let atLeast = asked.min_generation;
  for (let attempt = 1; ; attempt++) {
    const found = await Promise.all(
      boards.map(async (one, i) => {
        try {
          const places = await placesFor(services, one, score, { ...asked, min_generation: atLeast });
          return [[one.key.segment, places] as const];
        } catch (error) {
          const isUnranked = error instanceof FirerankError && unrankedCodes.includes(error.code);
          if (i === 0 || !isUnranked) throw error;
          return [];
        }
      }),
    );
    const ranked = new Map(found.flat());
    const generations = [...ranked.values()].map(({ generation }) => generation);
    atLeast = Math.max(...generations);
    if (generations.every((one) => one === atLeast) || attempt === generationAttemptsMax) return ranked;
  }
}

async function placesFor(
  services: Services,
  board: RankingBoard,
  score: number,
  { freshness, exact, min_generation: minGeneration, ...asked }: Asked,
): Promise<Places> {
  const isByScore = asked.score !== undefined || asked.columns !== undefined;
  const { key, definition } = board;
  const { order } = definition;
  const isOfSegment = key.segment !== undefined;
  if (isClosed(board)) {
    if (!isOfSegment || !isByScore) return closedPlacesOf(services, board, [score], minGeneration);
    const atLeast = Math.max(minGeneration ?? 0, board.season.ranking.generation);
    return placesOf(services, key, order, [score], atLeast);
  }
  if (freshness === "live") return livePlacesOf(services, key, order, [score], { exact, minGeneration });
  const page = await services.pages.pageOf(key, order, score, minGeneration);
  if (page.generation === 0) throw nothingRankedYet(key);
  if (exact) return exactPlaceOf(services, { key, order, page }, score);
  return isOfSegment
    ? exactPlaceOf(services, { key, order, page }, score, segmentRowCountedMax)
    : placesOn(order, page);
}

/** The score in a request, packed if the board has columns; undefined if the request is for a player. */
function scoreAsked(definition: Definition, { score, columns }: Asked): number | undefined {
  const { columns: list, order } = definition;
  if (columns === undefined) return score === undefined ? undefined : toStep(definition, score);
  if (list === undefined) throw invalidField("columns", "this leaderboard has no columns; give a score");
  const values = readColumns(list, columns);
  checkColumns(list, values);
  return packColumns(order, list, values);
}

/** A player who is ranked; in a closed season as its standings say. */
async function rankedPlayer(services: Services, board: RankingBoard, player: string): Promise<Listed> {
  const [found] = await listedAt(services.db, [{ board, player }]);
  if (found !== undefined) return found;
  throw notRanked(player, board.key);
}
