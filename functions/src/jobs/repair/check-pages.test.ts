import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Page } from "../../documents/page.ts";
import { anyOrder } from "../../../../test/support/arbitraries.ts";
import { generation, pagesOf, rowsOfScores } from "../../../../test/support/pages.ts";
import { anyRows, rowsOf } from "../../../../test/support/rows.ts";
import { checkPages } from "./check-pages.ts";

const found = (pages: readonly Page[]) =>
  pages.map((page) => ({ id: String(page.page), data: () => ({ ...page }) }));
const problemsOf = (pages: readonly Page[]) =>
  checkPages("descending", found(pages), generation.generation).problems;

/** Three pages of 600 scores. */
const pages = pagesOf(
  "descending",
  rowsOfScores(
    "descending",
    Array.from({ length: 600 }, (_, i) => i),
  ),
);
const changed = (index: number, change: Partial<Page>) =>
  pages.map((page, i) => (i === index ? { ...page, ...change } : page));

test("freshly packed pages are valid, even with merged rows and owed players", () => {
  fc.assert(
    fc.property(
      anyOrder.chain((order) =>
        fc.record({ order: fc.constant(order), rows: anyRows(order, { merged: true }) }),
      ),
      ({ order, rows }) => {
        const packed = pagesOf(order, rowsOf(rows));
        expect(checkPages(order, found(packed), generation.generation).problems).toEqual([]);
      },
    ),
  );
  expect(problemsOf(pages)).toEqual([]);
});

test("before the first publication there must be no page", () => {
  expect(checkPages("descending", [], 0)).toMatchObject({ pages: [], problems: [] });
  expect(checkPages("descending", [], 3).problems).toEqual(["no page of generation 3 is there"]);
});

describe("it is found that", () => {
  const [first, second, third] = pages as [Page, Page, Page];
  const cases: Record<string, [pages: Page[], problem: string]> = {
    "the first page is missing": [[second, third], "page 0 of 3 is missing"],
    "a page is missing": [[first, third], "page 1 of 3 is missing"],
    "a page is left over": [[...pages, { ...third, page: 3 }], "page 3 is beyond the last of 3"],
    "a page is of another generation": [
      changed(2, { generation: 6 }),
      "page 2 does not fit the rows: generation",
    ],
    "pages disagree about the totals": [
      changed(1, { players: 601 }),
      "page 1 does not fit the rows: players",
    ],
    "the totals are not those of the rows": [
      pages.map((page) => ({ ...page, rows: 599 })),
      "page 2 does not fit the rows: rows",
    ],
    "players were lost between pages": [
      changed(1, { players_above: second.players_above.map((above) => above - 1) }),
      "page 1 does not fit the rows: ",
    ],
    "a row has no players": [
      changed(0, { players_above: first.players_above.with(5, 4) }),
      "page 0 does not fit the rows: ",
    ],
    "rows are out of order": [
      changed(0, { scores: first.scores.toReversed() }),
      "the pages have rows out of order",
    ],
    "lists differ in length": [
      changed(2, { scores: third.scores.slice(0, -1) }),
      "page 2 does not fit the rows: ",
    ],
    "a page does not begin where the one before ends": [
      changed(1, { from_score: 1_000 }),
      "page 1 does not fit the rows: from_score",
    ],
    "a page says a wrong number of rows above": [
      changed(1, { rows_above: 0 }),
      "page 1 does not fit the rows: rows_above",
    ],
  };
  test.each(Object.entries(cases))("%s", (_name, [damaged, problem]) => {
    expect(problemsOf(damaged).join("\n")).toContain(problem);
  });

  test("the season names another generation", () => {
    expect(checkPages("descending", found(pages), 9).problems).toEqual([
      "the pages are of generation 7, the season says 9",
    ]);
  });

  test("a document is not a page, without revealing its content", () => {
    const { problems } = checkPages(
      "descending",
      [{ id: "0", data: () => ({ ...first, scores: ["secret"] }) }, ...found([second, third])],
      7,
    );
    expect(problems).toContain("page 0 cannot be read: scores.0");
    expect(problems.join()).not.toContain("secret");
  });

  test("a document has another page's id", () => {
    const { problems } = checkPages("descending", [{ id: "5", data: () => ({ ...first }) }], 7);
    expect(problems).toContain("document 5 says it is page 0");
  });
});

describe("it is also found that", () => {
  const merged = pagesOf(
    "descending",
    rowsOf([
      { score: 90, low: 80, players: 3 },
      { score: 70, low: 60, players: 2 },
    ]),
  );
  const [page] = merged as [Page];

  test.each<[what: string, pages: Page[], problem: string]>([
    [
      "the totals are not those of the players",
      pages.map((one) => ({ ...one, players: 601 })),
      "page 0 does not fit the rows: players",
    ],
    ["pages disagree about their number", changed(1, { pages: 4 }), "page 1 does not fit the rows: pages"],
    ["pages disagree about the rows", changed(1, { rows: 4 }), "page 1 does not fit the rows: rows"],
    ["a page ends too late", changed(1, { until_score: 0 }), "page 1 does not fit the rows: until_score"],
    ["the ends of rows are missing", [{ ...page, lows: [80] }], "page 0 does not fit the rows: lows"],
    ["a row ends before it begins", [{ ...page, lows: [95, 60] }], "the pages have rows out of order"],
    [
      "a row begins where the one before ends",
      [{ ...page, lows: [70, 60] }],
      "the pages have rows out of order",
    ],
    [
      "a row has fewer players than none",
      [{ ...page, players_above: [0, -1] }],
      "page 0 does not fit the rows: ",
    ],
  ])("%s", (_what, wrong, problem) => {
    expect(problemsOf(wrong).join("\n")).toContain(problem);
  });

  test("an exact row has players", () => {
    const exact = pagesOf("descending", rowsOfScores("descending", [2, 1])).map((one) => ({
      ...one,
      players_above: [0, 0],
    }));
    expect(problemsOf(exact).join()).toContain("page 0 does not fit the rows");
  });

  test("pages in another order, as two-digit ids come, are still valid", () => {
    expect(problemsOf(pages.toReversed())).toEqual([]);
    expect(
      checkPages("descending", found(pages.toReversed()), generation.generation).pages.map((one) => one.page),
    ).toEqual([0, 1, 2]);
  });
});
