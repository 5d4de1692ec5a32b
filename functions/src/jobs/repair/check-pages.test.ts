import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Page } from "../../documents/page.ts";
import type { SegmentPage } from "../../documents/segment-page.ts";
import { noneRanked } from "../../ranking/ranked.ts";
import { packSegments } from "../../ranking/pack-pages.ts";
import { generation, pagesOf } from "../../../../test/support/pages.ts";
import { anyBoard, rowsOf, someRows } from "../../../../test/support/rows.ts";
import { checkPages, checkRanking } from "./check-pages.ts";

const found = (pages: readonly (Page | SegmentPage)[]) =>
  pages.map((page) => ({ id: String(page.page), data: () => ({ ...page }) }));
const problemsOf = (pages: readonly Page[]) =>
  checkPages("descending", found(pages), generation.generation).problems;

/** 1,010 scores, on four pages. */
const many = someRows(...Array.from({ length: 1_010 }, (_, i): [number, number] => [1_010 - i, 1]));
const pages = pagesOf("descending", many);
const changedAt = <Of>(index: number, all: readonly Of[], change: Partial<Of>) =>
  all.map((page, i) => (i === index ? { ...page, ...change } : page));
const changed = (index: number, change: Partial<Page>) => changedAt(index, pages, change);

test("freshly packed pages are valid, even with merged rows and owed players", () => {
  fc.assert(
    fc.property(anyBoard({ merged: true }), ([order, rows]) => {
      const packed = pagesOf(order, rowsOf(rows));
      expect(checkPages(order, found(packed), generation.generation).problems).toEqual([]);
    }),
  );
  expect(problemsOf(pages)).toEqual([]);
});

test("before the first publication there must be no page", () => {
  expect(checkPages("descending", [], 0)).toMatchObject({ pages: [], problems: [] });
  expect(checkPages("descending", [], 3).problems).toEqual(["no page of generation 3 is there"]);
});

describe("it is found that", () => {
  const [first, second, third, fourth] = pages as [Page, Page, Page, Page];
  const [merged] = pagesOf("descending", someRows([90, 3, 80], [70, 2, 60])) as [Page];
  const [exact] = pagesOf("descending", someRows([2, 1], [1, 1])) as [Page];

  test.each<[what: string, pages: Page[], problem: string]>([
    ["the first page is missing", [second, third, fourth], "page 0 of 4 is missing"],
    ["a page is missing", [first, third, fourth], "page 1 of 4 is missing"],
    ["a page is left over", [...pages, { ...fourth, page: 4 }], "page 4 is beyond the last of 4"],
    [
      "there are more pages than they say",
      pages.map((page) => ({ ...page, pages: 2 })),
      "page 2 is beyond the last of 2",
    ],
    [
      "they say more pages than the rows make",
      [...pages, { ...fourth, page: 5 }].map((page) => ({ ...page, pages: 6 })),
      "page 5 is beyond the last of 6",
    ],
    [
      "players were lost between pages",
      changed(1, { players_above: second.players_above.map((above) => above - 1) }),
      "page 1 does not fit the rows: ",
    ],
    ["a row has no players", [{ ...exact, players_above: [0, 0] }], "page 0 does not fit the rows"],
    ["a row has fewer than none", [{ ...merged, players_above: [0, -1] }], "page 0 does not fit the rows: "],
    [
      "lists differ in length",
      changed(2, { scores: third.scores.slice(1) }),
      "page 2 does not fit the rows: ",
    ],
    ["the ends of rows are missing", [{ ...merged, lows: [80] }], "page 0 does not fit the rows: lows"],
    ["rows are out of order", changed(0, { scores: first.scores.toReversed() }), "rows out of order"],
    ["a row ends before it begins", [{ ...merged, lows: [95, 60] }], "rows out of order"],
    ["a row begins where the one before ends", [{ ...merged, lows: [70, 60] }], "rows out of order"],
  ])("%s", (_what, wrong, problem) => {
    expect(problemsOf(wrong).join("\n")).toContain(problem);
  });

  test.each<[page: number, other: Partial<Page>]>([
    [2, { generation: 6 }],
    [1, { pages: 5 }],
    [1, { players: 1_011 }],
    [1, { rows: 4 }],
    [1, { from_score: 2_000 }],
    [1, { until_score: 0 }],
    [1, { rows_above: 0 }],
  ])("page %i has %o", (page, other) => {
    const problem = `page ${page} does not fit the rows: ${Object.keys(other).join()}`;
    expect(problemsOf(changed(page, other)).join("\n")).toContain(problem);
  });

  test("the season names another generation", () => {
    expect(checkPages("descending", found(pages), 9).problems).toEqual([
      "the pages are of generation 7, the season says 9",
    ]);
  });

  test("a document is not a page or has another page's id, without revealing its content", () => {
    const documents = [
      { id: "0", data: () => ({ ...first, scores: ["secret"] }) },
      { id: "5", data: () => ({ ...second }) },
    ];
    const { problems } = checkPages("descending", [...documents, ...found([third])], 7);
    expect(problems).toContain("page 0 cannot be read: scores.0");
    expect(problems).toContain("document 5 says it is page 1");
    expect(problems.join()).not.toContain("secret");
  });
});

test("pages in another order, as two-digit ids come, are still valid", () => {
  const { pages: sorted, problems } = checkPages(
    "descending",
    found(pages.toReversed()),
    generation.generation,
  );
  expect([sorted.map(({ page }) => page), problems]).toEqual([[0, 1, 2, 3], []]);
});

describe("with pages of segments", () => {
  const segments = new Map([
    ["country=AT", many],
    ["country=DE", someRows([5, 2], [3, 1, 2])],
  ]);
  const pending = new Map([["country=DE", someRows([4, 1])]]);
  const packed = packSegments("descending", segments, generation, pending);
  const [first, , , last] = packed as [SegmentPage, SegmentPage, SegmentPage, SegmentPage];
  const other = (index: number, change: Partial<SegmentPage>) => changedAt(index, packed, change);
  const check = (ofSegments: readonly SegmentPage[], more: Partial<Page> = {}) => {
    const all = changed(0, { segment_pages: packed.length, ...more });
    return checkRanking("descending", found(all), found(ofSegments), generation.generation);
  };

  test("freshly packed ones are valid, whatever is pending, and give their rows", () => {
    expect(check(packed)).toMatchObject({ problems: [], ranked: { segments, leftOut: new Map() } });
    const leftOut = { guild: { players: 1, check: 5 } };
    expect(check(packed, { left_out: leftOut }).ranked.leftOut).toEqual(new Map(Object.entries(leftOut)));
  });

  test("a board without any needs none, and before the first publication there is none", () => {
    expect(checkRanking("descending", found(pages), [], 7)).toMatchObject({ problems: [], pages });
    expect(checkRanking("descending", [], [], 0)).toMatchObject({ problems: [], ranked: noneRanked });
  });

  test.each<[what: string, pages: SegmentPage[], problem: string]>([
    ["one is missing", packed.toSpliced(1, 1), "page of segments 1 of 4 is missing"],
    ["one is left over", [...packed, { ...last, page: 4 }], "page of segments 4 is beyond the last of 4"],
    ["one is of another generation", other(1, { generation: 6 }), "1 does not fit the rows: gen"],
    ["its keys lead elsewhere", other(1, { from_key: "a" }), "1 does not fit the rows: from_key"],
    ["its end is wrong", other(0, { until_key: "a" }), "0 does not fit the rows: until_key"],
    ["its parts are in another order", other(3, { parts: last.parts.toReversed() }), ": parts"],
    ["one says more pages", other(2, { pages: 5 }), "2 does not fit the rows: pages"],
    [
      "rows of one segment are out of order",
      other(0, { parts: first.parts.map((part) => ({ ...part, scores: part.scores.toReversed() })) }),
      "the pages of segments have rows out of order",
    ],
  ])("it is found that %s", (_what, wrong, problem) => {
    expect(check(wrong).problems.join("\n")).toContain(problem);
  });

  test("it is found that some are there which the first page does not know", () => {
    const { problems } = checkRanking("descending", found(pages), found([first]), 7);
    expect(problems).toEqual(["page of segments 0 is beyond the last of 0"]);
  });
});
