import fc from "fast-check";
import { expect, test } from "vitest";
import { anyOrder, anyScore } from "../../../test/support/arbitraries.ts";
import { pagesOf, probesOf, rowsOfScores } from "../../../test/support/pages.ts";
import { anyRows, rowsOf } from "../../../test/support/rows.ts";
import { rowsPerPageMax } from "../model/limits.ts";
import { bestPossible } from "../model/score.ts";
import { covers, emptyPage } from "./page-bounds.ts";

const reversed = { descending: "ascending", ascending: "descending" } as const;

test("a page of scores that run the other way covers at most its own first score", () => {
  const counts = fc.constantFrom(0, 1, 2, rowsPerPageMax, rowsPerPageMax + 1, 2 * rowsPerPageMax + 1);
  fc.assert(
    fc.property(anyOrder, counts, fc.array(anyScore), (order, count, some) => {
      const many = Array.from({ length: count }, (_, i) => i);
      const pages = pagesOf(order, rowsOfScores(order, [...some, ...many]));
      for (const page of pages)
        for (const score of probesOf(order, some, many.slice(0, 3)))
          if (covers(reversed[order], page, score)) expect([page.from_score]).toContain(score);
    }),
  );
});

test("so do pages of merged rows", () => {
  fc.assert(
    fc.property(
      anyOrder.chain((order) => fc.tuple(fc.constant(order), anyRows(order, { merged: true }))),
      ([order, rows]) => {
        const scores = rows.flatMap(({ score, low }) => [score, low]);
        for (const page of pagesOf(order, rowsOf(rows)))
          for (const score of probesOf(order, scores, []))
            if (covers(reversed[order], page, score)) expect([page.from_score]).toContain(score);
      },
    ),
  );
});

test("an empty page covers every score", () => {
  for (const order of ["descending", "ascending"] as const)
    for (const score of [bestPossible(order), 0, -bestPossible(order)])
      expect(covers(order, emptyPage(order, 0), score)).toBe(true);
});
