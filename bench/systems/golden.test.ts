/** The numbers that the sources of some systems name. */
import { expect, test } from "vitest";
import { cost } from "../../cli/prices.ts";
import { truthOf } from "../contest/truth.ts";
import { regularUpdate } from "./regular-update.ts";
import { scoreDocuments, scoreDocumentsSum } from "./score-documents.ts";
import { scoreRanking } from "./score-ranking.ts";
import { scoreMax } from "./system.ts";

/** As many players for each score. */
const boardOf = (scores: number, playersEach: number) =>
  truthOf(Float64Array.from({ length: scores * playersEach }, (_, i) => i % scores));

test("writing the ranks of 30,000 players costs 0.072 dollars in nam5, and a rank is 1 read", () => {
  const truth = boardOf(1_000, 30);
  const bills = regularUpdate.bills(truth);
  const run = bills.run?.(truth);
  // One more write is the document of the best players.
  expect(run).toEqual({ reads: 30_000, writes: 30_001, deletes: 0, invocations: 1, commands: 0 });
  expect(cost({ ...run, writes: 30_000, invocations: 0 }, "nam5")).toBeCloseTo(0.072, 12);
  expect(bills.rank?.(truth, 500).reads).toBe(1);
});

test("to rank 1,000 scores costs as much as 4 views that read all better scores, so the run saves money from then on", () => {
  const truth = boardOf(1_000, 30);
  const { reads, writes } = scoreRanking.bills(truth).run?.(truth) ?? { reads: 0, writes: 0 };
  // Beside the scores, a run reads the 100 best players and writes their document.
  const run = cost({ reads: reads - 100, writes: writes - 1, deletes: 0 }, "nam5");
  const ownDocument = 1;
  const view = (scoreDocuments.bills(truth).rank?.(truth, 0).reads ?? 0) - ownDocument;
  expect(view).toBe(999);
  expect(run / cost({ reads: view, writes: 0, deletes: 0 }, "nam5")).toBeCloseTo(4, 1);
});

test("with 1,000 scores, half of them better, a rank reads about 500, or 1 with sum()", () => {
  const truth = boardOf(1_000, 30);
  expect(scoreDocuments.bills(truth).rank?.(truth, 499).reads).toBe(1 + 500);
  expect(scoreDocumentsSum.bills(truth).rank?.(truth, 499).reads).toBe(1 + 1);
  expect(scoreDocumentsSum.bills(boardOf(scoreMax + 1, 1)).rank?.(truth, 0).reads).toBe(1 + 10);
});
