/** `getRank`: the rank of a player, of a score, or of columns. */
import { z } from "zod";
import { playerPath } from "../documents/paths.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";
import { type Rank, rankSchema } from "../model/answers.ts";
import { packColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { FirerankError, forKnownOnly, invalidField, nothingRankedYet } from "../model/errors.ts";
import { documentId } from "../model/ids.ts";
import { finalOf, closedPlacesOf } from "../reading/closed.ts";
import { livePlacesOf, exactPlaceOf, placesOn } from "../reading/live.ts";
import { movedSince } from "../reading/moved.ts";
import type { Places } from "../reading/lookup.ts";
import { rankOf } from "../reading/rank.ts";
import { isClosed } from "../reading/standings-reads.ts";
import type { Board } from "../seasons/board.ts";
import { checkColumns, readColumns } from "../submit/apply.ts";
import { submissionFields } from "../submit/schema.ts";
import { freshnessAsked, readableBoard, readingRequest, sinceAsked } from "./season-asked.ts";
import type { Services } from "./services.ts";
import { type OperationSpec, requirePlayer } from "./spec.ts";

export const getRankRequest = readingRequest
  .safeExtend({
    player: documentId.optional(),
    score: submissionFields.score,
    columns: submissionFields.columns,
    freshness: freshnessAsked,
    exact: z.boolean().default(false),
    since: sinceAsked,
  })
  .refine(
    ({ player, score, columns }) =>
      [player, score, columns].filter((asked) => asked !== undefined).length <= 1,
    "give one of player, score or columns",
  );

/**
 * The rank of a score: `published`, or `live` with everything counted up to 5 seconds ago; with `exact`, certain even
 * if rows are merged.
 *
 * Cost: 1 read by score or columns, 0 while the page is in memory; 1 more by player. `live`: what {@link livePlacesOf}
 * costs. `exact`, in a merged row: 1 read for each 1,000 better players of the row, at least 1. `since`:
 * {@link movedSince}. The board costs 2 reads a minute. Unknown callers (OperationSpec.handle) may use neither `live`
 * nor `exact`: `unauthenticated`.
 *
 * In a closed season every rank is exact and final, whatever the request says and whoever the caller is. If rows are
 * merged, it costs 1 read for a document of the standings instead of the page, and 1 for the summary, unless in memory.
 */
export const getRankSpec: OperationSpec<typeof getRankRequest, Rank> = {
  name: "getRank",
  request: getRankRequest,
  answer: rankSchema,
  async handle(services, request, caller, isKnown = caller !== undefined) {
    const board = await readableBoard(services, request, caller, isKnown);
    const { player, exact, since } = request;
    if (exact && !isClosed(board) && !isKnown)
      throw forKnownOnly("exact", "must be false: an exact rank counts players");
    const { key, definition } = board;
    const byScore = scoreAsked(definition, request);
    if (byScore !== undefined) {
      if (since !== undefined) throw invalidField("since", "is for players: a score by itself does not move");
      return rankOf(key, definition, await placesFor(services, board, byScore, request), byScore);
    }
    const id = player ?? requirePlayer(caller);
    const { score, data } = await rankedPlayer(services, board, id);
    const places = await placesFor(services, board, score, request);
    const rank = rankOf(key, definition, places, score, id);
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
    message: "is missing: give a score, or columns as in columns[points]=3",
  }),
};

type Asked = z.infer<typeof getRankRequest>;

async function placesFor(
  services: Services,
  board: Board,
  score: number,
  { freshness, exact, min_generation: minGeneration }: Asked,
): Promise<Places> {
  if (isClosed(board)) return closedPlacesOf(services, board, [score], minGeneration);
  const { key, definition } = board;
  const { order } = definition;
  if (freshness === "live") return livePlacesOf(services, key, order, [score], { exact, minGeneration });
  const page = await services.pages.pageOf(key, order, score, minGeneration);
  if (page.generation === 0) throw nothingRankedYet(key);
  return exact ? exactPlaceOf(services, key, order, page, score) : placesOn(order, page);
}

/** The score in a request, packed if the board has columns; undefined if the request is for a player. */
function scoreAsked({ columns: list, order }: Definition, { score, columns }: Asked): number | undefined {
  if (columns === undefined) return score === undefined ? undefined : 0 + score;
  if (list === undefined) throw invalidField("columns", "this leaderboard has no columns; give a score");
  const values = readColumns(list, columns);
  checkColumns(list, values);
  return packColumns(order, list, values);
}

/** A player's score, and what the document says. */
async function rankedPlayer(
  services: Services,
  board: Board,
  player: string,
): Promise<{ score: number; data: Record<string, unknown> }> {
  const { key } = board;
  const document = await services.db.doc(playerPath(key, player)).get();
  const score = isClosed(board)
    ? (await finalOf(services, board, document))?.score
    : scoreIfRanked(document.data());
  if (score !== undefined) return { score, data: document.data() ?? {} };
  const message = `Player "${player}" has no ranked score on leaderboard "${key.leaderboard}".`;
  throw new FirerankError("player_not_ranked", message);
}
