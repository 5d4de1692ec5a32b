/** `getRank`: the rank of a player, of a score, or of columns. */
import { z } from "zod";
import { playerPath } from "../documents/paths.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";
import { type Rank, rankSchema } from "../model/answers.ts";
import { packColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import {
  FirerankError,
  forKnownOnly,
  invalidRequest,
  nothingRankedYet,
  outOfRange,
} from "../model/errors.ts";
import { documentId } from "../model/ids.ts";
import { finalOf } from "../reading/final.ts";
import { closedPlace } from "../reading/closed.ts";
import { exactPlace, livePlace } from "../reading/precise.ts";
import { type DatedPlace, type Freshness, publishedPlace, rankOf } from "../reading/rank.ts";
import { isClosed } from "../reading/standings-reads.ts";
import type { Board } from "../seasons/board.ts";
import { submissionFields } from "../submit/schema.ts";
import { namesOneSeason, readableBoard, seasonAsked } from "./season-asked.ts";
import type { Services } from "./services.ts";
import { type OperationSpec, isKnown, requirePlayer } from "./spec.ts";

/** The request of {@link getRankSpec}. */
export const getRankRequest = z
  .strictObject({
    ...seasonAsked,
    player: documentId.optional(),
    score: submissionFields.score,
    columns: submissionFields.columns,
    freshness: z.enum(["published", "live"]).default("published"),
    exact: z.boolean().default(false),
  })
  .refine(
    ({ player, score, columns }) =>
      [player, score, columns].filter((asked) => asked !== undefined).length <= 1,
    "give one of player, score or columns",
  )
  .refine(...namesOneSeason);

/**
 * The rank of a score: `published`, or `live` with everything indexed so far; with `exact`, certain even if rows are
 * merged.
 *
 * Cost: 1 read by score or columns, 0 while the page is in memory; 1 more by player. `live`: 1 read, 1 for page 0 if the
 * score is on another page, and the pending shard documents (at least 1). `exact`, in a merged row: 1 read for each 1,000
 * better players of the row, at least 1. The board costs 2 reads a minute. Unknown callers ({@link isKnown}) may use
 * neither: `unauthenticated`.
 *
 * In a closed season every rank is exact and final, whatever the request says and whoever the caller is. If rows are
 * merged, it costs 1 read for a document of the standings instead of the page, and 1 for the summary; nothing for what
 * is in memory.
 */
export const getRankSpec: OperationSpec<typeof getRankRequest, Rank> = {
  name: "getRank",
  access: "anyone",
  request: getRankRequest,
  answer: rankSchema,
  async handle(services, { player, score, columns, freshness, exact, ...asked }, caller, isApp) {
    const minGeneration = asked.min_generation;
    const board = await readableBoard(services, asked, caller);
    const { key, definition } = board;
    if (!isKnown(caller, isApp) && !isClosed(board)) refuseCounting(freshness, exact);
    const byScore = scoreAsked(definition, score, columns);
    const id = byScore === undefined ? (player ?? requirePlayer(caller)) : undefined;
    const ranked = byScore ?? (await scoreOfPlayer(services, board, id ?? ""));
    const found = await placeAsked(services, board, ranked, { freshness, exact, minGeneration });
    return rankOf(key, definition, found, ranked, id);
  },
};

/** @throws `unauthenticated` for a request that reads more than a page and a player. */
function refuseCounting(freshness: Freshness, exact: boolean): void {
  if (freshness === "live") {
    throw forKnownOnly("freshness", 'must be "published": a live rank reads all pending changes');
  }
  if (exact) throw forKnownOnly("exact", "must be false: an exact rank counts players");
}

interface PlaceAsked {
  freshness: Freshness;
  exact: boolean;
  minGeneration: number | undefined;
}

async function placeAsked(
  services: Services,
  board: Board,
  score: number,
  { freshness, exact, minGeneration }: PlaceAsked,
): Promise<DatedPlace> {
  if (isClosed(board)) return closedPlace(services, board, score, minGeneration);
  const { key, definition } = board;
  const { order, source } = definition;
  if (freshness === "live" && source === "count") {
    const message = 'must be "published": this leaderboard is ranked by counts, which only a run makes';
    throw invalidRequest([{ path: "freshness", message }]);
  }
  // Pending changes, and counts of index entries, tell nothing where the index lacks changes.
  const isLeft = board.season?.left_to_counts_at !== undefined;
  if (freshness === "live" && isLeft) {
    const message = 'must be "published" until rebuildSeason with full: true has indexed all players again';
    throw invalidRequest([{ path: "freshness", message }]);
  }
  if (freshness === "live") return livePlace(services, key, order, score, exact);
  const page = await services.pages.pageOf(key, order, score, minGeneration);
  if (page.generation === 0) throw nothingRankedYet(key);
  return exact && !(isLeft && page.source === "index")
    ? exactPlace(services, key, order, page, score)
    : publishedPlace(order, page, score);
}

/** The score in a request, packed if the board has columns; undefined if the request is for a player. */
function scoreAsked(
  { columns: list, order }: Definition,
  score: number | undefined,
  columns: Record<string, number> | undefined,
): number | undefined {
  if (columns === undefined) return score === undefined ? undefined : 0 + score;
  if (list === undefined)
    throw invalidRequest([{ path: "columns", message: "this leaderboard has no columns; give a score" }]);
  for (const name of Object.keys(columns)) {
    if (!list.some((column) => column.name === name)) {
      throw invalidRequest([{ path: `columns.${name}`, message: "is not a column of this leaderboard" }]);
    }
  }
  for (const { name, min, max } of list) {
    const value = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (value === undefined || !Number.isInteger(value)) {
      throw invalidRequest([{ path: `columns.${name}`, message: "must be a whole number" }]);
    }
    if (value < min || value > max)
      throw outOfRange(`columns.${name}`, `${value} is not from ${min} to ${max}`);
  }
  return packColumns(order, list, columns);
}

async function scoreOfPlayer(services: Services, board: Board, player: string): Promise<number> {
  const { key } = board;
  const document = await services.db.doc(playerPath(key, player)).get();
  const score = isClosed(board)
    ? (await finalOf(services, board, document))?.score
    : scoreIfRanked(document.data());
  if (score === undefined) {
    throw new FirerankError(
      "player_not_ranked",
      `Player "${player}" has no ranked score on leaderboard "${key.leaderboard}".`,
    );
  }
  return score;
}
