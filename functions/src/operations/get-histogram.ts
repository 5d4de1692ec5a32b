/** `getHistogram`: how many players have which scores. */
import { z } from "zod";
import { type HistogramAnswer, histogramSchema } from "../model/answers.ts";
import { scoreValue } from "../model/definition.ts";
import { invalidField } from "../model/errors.ts";
import { histogramBinsMax } from "../model/limits.ts";
import { bestPossible, isBetter } from "../model/score.ts";
import { answered, dated } from "../reading/entries.ts";
import { axisOf, binsBetween } from "../reading/histogram.ts";
import { nextScore } from "../reading/live.ts";
import { readableRanking, readingRequest, segmentAsked } from "./shared/season-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

const bestOf = { descending: "highest", ascending: "lowest" } as const;

const edge = scoreValue.optional();

export const getHistogramRequest = readingRequest.safeExtend({
  bins: z
    .int("must be a whole number")
    .min(2, "must be at least 2")
    .max(histogramBinsMax, `must be at most ${histogramBinsMax}`)
    .default(20)
    .describe("How many bins at most: their edges are round numbers."),
  best: edge.describe(
    "Where the bins begin, or just before it; by default at the best score. On a board with columns, of the first column.",
  ),
  worst: edge.describe("Where the bins end, or just behind it; by default at the worst score."),
  segment: segmentAsked,
});

/**
 * The players of the published ranking by score, in bins of equal width with round edges, best first. On a board with columns by the first
 * column. Each count is the difference of two ranks.
 *
 * Cost: 1 read for each page at an edge that is not in memory, at most one more than bins and 2 for the ends. The board costs
 * 2 reads a minute. In a closed season with merged rows a document of the standings in place of a page.
 */
export const getHistogramSpec: OperationSpec<typeof getHistogramRequest, HistogramAnswer> = {
  name: "getHistogram",
  request: getHistogramRequest,
  answer: histogramSchema,
  async handle(services, request, caller, isKnown = caller !== undefined) {
    const view = await readableRanking(services, request, caller, isKnown, "no others");
    const { key, definition } = view.board;
    const axis = axisOf(definition);
    const column = axis.column === undefined ? {} : { column: axis.column };
    for (const name of ["best", "worst"] as const)
      if (axis.column !== undefined && !Number.isInteger(request[name] ?? 0))
        throw invalidField(name, `must be a whole number: it is a value of "${axis.column}"`);
    if (request.best !== undefined && request.worst !== undefined)
      if (isBetter(axis.order, request.worst, request.best))
        throw invalidField("worst", `must not be better than best: here the ${bestOf[axis.order]} is best`);
    const end = await view.scoreAt((players) => Math.max(0, players - 1));
    const begin = await view.scoreAt(() => 0);
    const { score: first = end.score } = begin;
    const { score: last = first } = end;
    if (first === undefined || last === undefined) {
      const { ranking } = end;
      const nobody = { bins: [], better: 0, worse: 0, exact: true, players: 0 };
      return { ...answered(key), ...column, ...nobody, ...dated(ranking) };
    }
    const best = axis.endAt("best", request.best ?? axis.valueOf(first.best));
    const worst = axis.endAt("worst", request.worst ?? axis.valueOf(last.worst));
    const bins = binsBetween(axis, { best, worst, bins: request.bins });
    const edges = bins.map(({ from }) => axis.bestWith(from));
    const behind = nextScore(definition.order, axis.worstWith(bins.at(-1)?.to ?? NaN));
    // A round edge may lie beyond all scores that there can be, where the ranking has no place.
    const most = bestPossible(definition.order);
    const isBeyond = (score: number) => Math.abs(score) > Math.abs(most);
    const within = [...edges, behind].filter((score) => !isBeyond(score));
    const newest = Math.max(begin.ranking.generation, end.ranking.generation);
    const places = await view.placesOf(within, newest, false);
    const counts = [...edges, behind].map((score) => {
      if (isBeyond(score)) return Math.sign(score) === Math.sign(most) ? 0 : places.players;
      return Math.min(places.players, places.of(score).rank - 1);
    });
    const until = (i: number) => counts[i] ?? NaN;
    return {
      ...answered(key),
      ...column,
      bins: bins.map((bin, i) => ({ ...bin, players: until(i + 1) - until(i) })),
      better: until(0),
      worse: places.players - until(bins.length),
      exact: within.every((score) => places.of(score).exact),
      players: places.players,
      ...dated(places),
    };
  },
};
