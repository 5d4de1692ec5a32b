import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeRows } from "../ranking/merge.ts";
import { packPages } from "../ranking/pack-pages.ts";
import { noRows } from "../ranking/rows.ts";
import { anyOrder, anyScore } from "../../../test/support/arbitraries.ts";
import {
  generation,
  pagesOf,
  placeIn,
  placePlainly,
  probesOf,
  rowsOfScores,
} from "../../../test/support/pages.ts";
import { exactRows, rowsOf } from "../../../test/support/rows.ts";
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

  test("gives tied players the same rank: 1, 1, 3, and dense ranks 1, 1, 2", () => {
    const pages = pagesOf("descending", exactRows([50, 2], [40, 1]));
    expect(placeIn("descending", pages, 50)).toMatchObject({ rank: 1, dense_rank: 1 });
    expect(placeIn("descending", pages, 40)).toMatchObject({ rank: 3, dense_rank: 2 });
  });

  test("is the first in an empty ranking", () => {
    for (const score of [1 - 2 ** 53, 0, 2 ** 53 - 1]) {
      expect(placeIn("descending", pagesOf("descending", noRows), score)).toMatchObject({
        rank: 1,
        dense_rank: 1,
      });
    }
  });

  test.each([256, 257, 512, 513])("is right on both sides of the edge of a page, with %i rows", (count) => {
    const pages = pagesOf(
      "ascending",
      rowsOfScores(
        "ascending",
        Array.from({ length: count }, (_, i) => i),
      ),
    );
    for (const edge of [255, 256, 257, 511, 512, 513]) {
      for (const score of [edge - 0.5, edge, edge + 0.5]) {
        const rank = Math.min(count, Math.ceil(score)) + 1;
        expect(placeIn("ascending", pages, score), `score ${score}`).toMatchObject({
          rank,
          dense_rank: rank,
        });
      }
    }
  });

  test("is uncertain by the number of owed players, except for the first", () => {
    const pages = pagesOf("descending", exactRows([9, 1], [8, -2], [7, 3]));
    const without = pagesOf("descending", exactRows([9, 1], [7, 3]));
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
  test("lies between its bounds, which are equal only if it is exact", () => {
    fc.assert(
      fc.property(anyMerged, ({ order, players, more, pages }) => {
        for (const score of probesOf(order, players, more)) {
          const { rank } = placePlainly(order, players, score);
          const place = placeIn(order, pages, score);
          expect(place.rank_best, `score ${score}`).toBeLessThanOrEqual(rank);
          expect(place.rank_worst, `score ${score}`).toBeGreaterThanOrEqual(rank);
          expect(place.rank).toBeGreaterThanOrEqual(place.rank_best);
          expect(place.rank).toBeLessThanOrEqual(place.rank_worst);
          expect(place.exact).toBe(place.rank_best === place.rank_worst);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("never gets better as scores get worse", () => {
    fc.assert(
      fc.property(anyMerged, ({ order, players, more, pages }) => {
        let before = { rank: 1, dense_rank: 1, rank_best: 1, rank_worst: 1 };
        for (const score of probesOf(order, players, more)) {
          const place = placeIn(order, pages, score);
          for (const field of ["rank", "dense_rank", "rank_best", "rank_worst"] as const) {
            expect(place[field], `${field} of ${score}`).toBeGreaterThanOrEqual(before[field]);
          }
          before = place;
        }
      }),
      { numRuns: 60 },
    );
  });

  test("is certain at the best score of a merged row and below its worst, and a guess in between", () => {
    const pages = pagesOf(
      "descending",
      rowsOf([
        { score: 100, low: 100, players: 10 },
        { score: 90, low: 80, players: 4 },
        { score: 70, low: 70, players: 1 },
      ]),
    );
    const guess = { exact: false, dense_rank: 2, rank_best: 11, rank_worst: 15 };
    expect(placeIn("descending", pages, 90)).toMatchObject({ rank: 11, dense_rank: 2, exact: true });
    expect(placeIn("descending", pages, 85)).toEqual({ ...guess, rank: 13 });
    expect(placeIn("descending", pages, 80)).toEqual({ ...guess, rank: 15 });
    expect(placeIn("descending", pages, 75)).toMatchObject({ rank: 15, dense_rank: 3, exact: true });
    expect(placeIn("descending", pages, 70)).toMatchObject({ rank: 15, dense_rank: 3, exact: true });
  });
});

test("a score above all rows of a page stands behind those above the page", () => {
  const page = { scores: [5], players_above: [10], players_until: 12, rows_above: 3 };
  expect(placeInRows("descending", page, 7)).toMatchObject({ rank: 11, dense_rank: 4, exact: true });
  const none = { scores: [], players_above: [], players_until: 4, rows_above: 2 };
  expect(placeInRows("descending", none, 7)).toMatchObject({ rank: 5, dense_rank: 3, exact: true });
});

describe("the merged row that a score lies in", () => {
  const rows = rowsOf([
    { score: 100, low: 100, players: 10 },
    { score: 90, low: 80, players: 4 },
    { score: 70, low: 60, players: 1 },
  ]);

  test("comes with the players above it, and what was pending there", () => {
    const [page] = packPages("descending", rows, generation, exactRows([95, 3]));
    if (page === undefined) throw new Error("no page");
    expect(mergedRowOf("descending", page, 85)).toEqual({ score: 90, above: 10, pendingAbove: 3 });
    expect(mergedRowOf("descending", page, 60)).toEqual({ score: 70, above: 14, pendingAbove: 3 });
    const [other] = packPages("descending", rows, generation);
    if (other === undefined) throw new Error("no page");
    expect(mergedRowOf("descending", other, 85)).toEqual({ score: 90, above: 10, pendingAbove: undefined });
  });

  test("is none where the rank is certain", () => {
    const [page] = packPages("descending", rows, generation);
    if (page === undefined) throw new Error("no page");
    for (const score of [101, 100, 95, 90, 75, 70, 59])
      expect(mergedRowOf("descending", page, score)).toBeUndefined();
  });
});

test("the row of an offset holds its players and ends with the page", () => {
  const [page] = packPages(
    "descending",
    rowsOf([
      { score: 9, low: 7, players: 3 },
      { score: 5, low: 5, players: 2 },
    ]),
    generation,
  );
  if (page === undefined) throw new Error("no page");
  expect(rowOfOffset(page, 0)).toEqual({ score: 9, low: 7, above: 0, players: 3 });
  expect(rowOfOffset(page, 2)).toEqual({ score: 9, low: 7, above: 0, players: 3 });
  expect(rowOfOffset(page, 3)).toEqual({ score: 5, low: 5, above: 3, players: 2 });
  expect(rowOfOffset(page, 4)).toEqual({ score: 5, low: 5, above: 3, players: 2 });
  expect(rowOfOffset(page, 5)).toBeUndefined();
  const [later] = [{ ...page, players_above: [3, 6], players_until: 8 }];
  expect(rowOfOffset(later, 2)).toBeUndefined();
});

describe("the merged row with owed players that a score lies in", () => {
  const rows = {
    descending: exactRows([50, 2], [40, 3], [15, 4], [1, 1]),
    ascending: exactRows([-50, 2], [-40, 3], [-15, 4], [-1, 1]),
  };

  test.each(["descending", "ascending"] as const)(
    "begins after its best score and has its worst: %s",
    (order) => {
      const sign = order === "descending" ? 1 : -1;
      const [page] = pagesOf(order, rows[order]);
      if (page === undefined) expect.fail("there is no page");
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
});
