import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Page } from "../documents/page.ts";
import { mergeRows } from "../ranking/merge.ts";
import { packPages } from "../ranking/pack-pages.ts";
import type { Rows } from "../ranking/rows.ts";
import { anyOrder, anyScore } from "../../../test/support/arbitraries.ts";
import {
  generation,
  pagesOf,
  placeIn,
  placePlainly,
  probesOf,
  rowsOfScores,
} from "../../../test/support/pages.ts";
import { someRows } from "../../../test/support/rows.ts";
import { mergedRowOf, owedRowOf, placeInRows, rowOfOffset } from "./lookup.ts";

/** Players: few, whose scores often meet, or enough for several pages. */
const anyPlayers = fc.oneof(
  fc.array(anyScore, { maxLength: 60 }),
  fc
    .tuple(
      fc.array(anyScore, { maxLength: 30 }),
      fc.integer({ min: 250, max: 800 }),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(([few, count, ties]) => [
      ...few,
      ...Array.from({ length: count }, (_, i) => 30 - Math.floor(i / ties) * 1.5),
    ]),
);

describe("the place of a score in an exact ranking", () => {
  test("equals the count of better players, for every score, held or not, and comes from exactly one page", () => {
    fc.assert(
      fc.property(anyOrder, anyPlayers, fc.array(anyScore), (order, players, more) => {
        const pages = pagesOf(order, rowsOfScores(order, players));
        for (const score of probesOf(order, players, more)) {
          const { rank, dense_rank } = placePlainly(order, players, score);
          const place = { rank, dense_rank, exact: true, rank_best: rank, rank_worst: rank };
          expect(placeIn(order, pages, score), `score ${score}`).toEqual(place);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("is uncertain by the number of owed players, except for the first", () => {
    const pages = pagesOf("descending", someRows([9, 1], [8, -2], [7, 3]));
    const without = pagesOf("descending", someRows([9, 1], [7, 3]));
    for (const score of [10, 9]) {
      expect(placeIn("descending", pages, score)).toEqual(placeIn("descending", without, score));
      expect(placeIn("descending", pages, score)).toMatchObject({ rank: 1, exact: true });
    }
    for (const score of [8.5, 8, 7.5, 7, 6]) {
      const shown = placeIn("descending", without, score);
      const best = Math.max(1, shown.rank - 2);
      expect(placeIn("descending", pages, score)).toEqual({ ...shown, exact: false, rank_best: best });
    }
  });
});

/** A ranking whose rows are merged, with the scores of its players and some more. */
const anyMerged = fc
  .tuple(anyOrder, anyPlayers, fc.array(anyScore), fc.integer({ min: 3, max: 300 }))
  .map(([order, players, more, rowsMax]) => {
    return { order, players, more, pages: pagesOf(order, mergeRows(rowsOfScores(order, players), rowsMax)) };
  });

describe("the place of a score in a merged ranking", () => {
  test("lies between its bounds, which are equal only if it is exact, and never gets better as scores get worse", () => {
    fc.assert(
      fc.property(anyMerged, ({ order, players, more, pages }) => {
        let before = { rank: 1, dense_rank: 1, rank_best: 1, rank_worst: 1 };
        for (const score of probesOf(order, players, more)) {
          const { rank } = placePlainly(order, players, score);
          const place = placeIn(order, pages, score);
          for (const one of [rank, place.rank]) {
            expect(one, `score ${score}`).toBeGreaterThanOrEqual(place.rank_best);
            expect(one, `score ${score}`).toBeLessThanOrEqual(place.rank_worst);
          }
          expect(place.exact).toBe(place.rank_best === place.rank_worst);
          for (const field of ["rank", "dense_rank", "rank_best", "rank_worst"] as const)
            expect(place[field], `${field} of ${score}`).toBeGreaterThanOrEqual(before[field]);
          before = place;
        }
      }),
      { numRuns: 60 },
    );
  });

  test("is certain at the best score of a merged row and below its worst, and a guess in between", () => {
    const pages = pagesOf("descending", someRows([100, 10], [90, 4, 80], [70, 1]));
    const guess = { exact: false, dense_rank: 2, rank_best: 11, rank_worst: 15 };
    expect(placeIn("descending", pages, 90)).toMatchObject({ rank: 11, dense_rank: 2, exact: true });
    expect(placeIn("descending", pages, 85)).toEqual({ ...guess, rank: 13 });
    expect(placeIn("descending", pages, 80)).toEqual({ ...guess, rank: 15 });
    for (const score of [75, 70])
      expect(placeIn("descending", pages, score)).toMatchObject({ rank: 15, dense_rank: 3, exact: true });
  });
});

test("a score above all rows of a page stands behind those above the page", () => {
  const page = { scores: [5], players_above: [10], players_until: 12, rows_above: 3 };
  expect(placeInRows("descending", page, 7)).toMatchObject({ rank: 11, dense_rank: 4, exact: true });
  const none = { scores: [], players_above: [], players_until: 4, rows_above: 2 };
  expect(placeInRows("descending", none, 7)).toMatchObject({ rank: 5, dense_rank: 3, exact: true });
});

/** The one page of some rows. */
function pageOf(rows: Rows, pending?: Rows): Page {
  return packPages("descending", rows, generation, pending)[0] ?? expect.fail("there is no page");
}

test("the merged row that a score lies in comes with the players above it, and what was pending there", () => {
  const rows = someRows([100, 10], [90, 4, 80], [70, 1, 60]);
  const page = pageOf(rows, someRows([95, 3]));
  expect(mergedRowOf("descending", page, 85)).toEqual({ score: 90, above: 10, pendingAbove: 3 });
  expect(mergedRowOf("descending", page, 60)).toEqual({ score: 70, above: 14, pendingAbove: 3 });
  expect(mergedRowOf("descending", pageOf(rows), 85)).toEqual({
    score: 90,
    above: 10,
    pendingAbove: undefined,
  });
  // It is none where the rank is certain.
  for (const score of [101, 100, 95, 90, 75, 70, 59])
    expect(mergedRowOf("descending", page, score)).toBeUndefined();
});

test("the row of an offset holds its players and ends with the page", () => {
  const page = pageOf(someRows([9, 3, 7], [5, 2]));
  const merged = { score: 9, low: 7, above: 0, players: 3 };
  const exact = { score: 5, low: 5, above: 3, players: 2 };
  const found = [0, 2, 3, 4, 5].map((offset) => rowOfOffset(page, offset));
  expect(found).toEqual([merged, merged, exact, exact, undefined]);
  expect(rowOfOffset({ ...page, players_above: [3, 6], players_until: 8 }, 2)).toBeUndefined();
});

test.each(["descending", "ascending"] as const)(
  "the merged row with owed players that a score lies in begins after its best score and has its worst: %s",
  (order) => {
    const sign = order === "descending" ? 1 : -1;
    const lines = [50, 40, 15, 1].map((score, i): [number, number] => [score * sign, i + 2]);
    const [page = expect.fail("there is no page")] = pagesOf(order, someRows(...lines));
    const owed = [
      { score: 30 * sign, low: 20 * sign, players: -1 },
      { score: 10 * sign, low: 5 * sign, players: -2 },
    ];
    const found = (score: number) => owedRowOf(order, { ...page, owed }, score * sign);
    expect([29, 20].map(found)).toEqual(Array(2).fill({ score: 30 * sign, above: 5 }));
    expect([9, 5].map(found)).toEqual(Array(2).fill({ score: 10 * sign, above: 9 }));
    expect([60, 40, 30, 19, 15, 10, 4, 1].map(found)).toEqual(Array(8).fill(undefined));
    expect(owedRowOf(order, page, 25 * sign)).toBeUndefined();
  },
);
