/** `getThreshold`: the score that one needs for a rank, a percentile or a tier. */
import { z } from "zod";
import { type ThresholdAnswer, thresholdSchema } from "../model/answers.ts";
import { unpackColumns } from "../model/columns.ts";
import { defined } from "../model/defined.ts";
import type { Definition } from "../model/definition.ts";
import { invalidField } from "../model/errors.ts";
import { answered, dated } from "../reading/entries.ts";
import { worstRankIn, worstRankWith } from "../reading/rank.ts";
import { readableRanking, readingRequest, segmentAsked } from "./shared/season-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

export const getThresholdRequest = readingRequest
  .safeExtend({
    rank: z.int().min(1, "must be at least 1").optional(),
    percentile: z
      .number("must be a number")
      .min(0, "must be at least 0")
      .max(100, "must be at most 100")
      .optional()
      .describe("As in ranks: 90 for the score with which 90 % of the other players are not better."),
    tier: z.string().optional().describe("The name of one of the board's tiers."),
    segment: segmentAsked,
  })
  .refine(
    ({ rank, percentile, tier }) =>
      [rank, percentile, tier].filter((asked) => asked !== undefined).length === 1,
    "give one of rank, percentile or tier",
  );

type ThresholdRequest = z.infer<typeof getThresholdRequest>;

/**
 * The worst score of the published ranking with which one has a rank, a percentile or a tier, or a better one: the score of
 * the player at this place. In a merged row the row's best score, which is enough, with a bound for what may be enough.
 *
 * Cost: 1 read, 0 while the page is in memory. The board costs 2 reads a minute. In a closed season 1 read for a document of
 * the standings, and 1 for the summary, unless in memory; the score is exact.
 */
export const getThresholdSpec: OperationSpec<typeof getThresholdRequest, ThresholdAnswer> = {
  name: "getThreshold",
  request: getThresholdRequest,
  answer: thresholdSchema,
  async handle(services, request, caller, isKnown = caller !== undefined) {
    const view = await readableRanking(services, request, caller, isKnown, "no others");
    const { key, definition } = view.board;
    const rankFor = (players: number) => worstRank(definition, request, players);
    const found = await view.scoreAt((players) => rankFor(players) - 1);
    const { ranking } = found;
    // Where nobody stands so far down every score is enough.
    const { best: score, worst } = found.score ?? { best: null, worst: null };
    const columns = score === null ? undefined : unpackColumns(definition.order, definition.columns, score);
    const exact = found.exact && score === worst;
    // Of players whom the ranking owes nobody knows where they stand.
    const scoreWorst = exact ? undefined : found.exact ? worst : null;
    const said = { rank: rankFor(ranking.players), score, columns, exact, score_worst: scoreWorst };
    return { ...answered(key), ...defined(said), players: ranking.players, ...dated(ranking) };
  },
};

function worstRank(
  { tiers = [] }: Definition,
  { rank, percentile, tier }: ThresholdRequest,
  players: number,
) {
  if (rank !== undefined) return rank;
  if (percentile !== undefined) return worstRankWith(percentile, players);
  const found = tiers.find(({ name }) => name === tier);
  if (found !== undefined) return worstRankIn(found, players);
  const names = tiers.map(({ name }) => `"${name}"`).join(", ");
  throw invalidField("tier", names === "" ? "this leaderboard has no tiers" : `must be one of ${names}`);
}
