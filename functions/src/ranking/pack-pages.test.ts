import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPage } from "../documents/page.ts";
import { pagePath } from "../documents/paths.ts";
import { documentSize } from "../model/document-size.ts";
import { documentBytesMax, rowsPerPageMax } from "../model/limits.ts";
import { bestPossible, type Order } from "../model/score.ts";
import { anyOrder } from "../../../test/support/arbitraries.ts";
import { generation, pagesOf } from "../../../test/support/pages.ts";
import { anyRows, exactRows, listOf, type Row, rowsHolding, rowsOf } from "../../../test/support/rows.ts";
import { packPages, unpackPages } from "./pack-pages.ts";
import { noRows, shownPlayers } from "./rows.ts";

const anyBoard = anyOrder.chain((order) =>
  fc.tuple(fc.constant(order), anyRows(order, { merged: true, lengthMax: 900 })),
);
/** As above, with more rows than fast-check generates by itself. */
const anyLongBoard = anyOrder.chain((order) =>
  fc
    .tuple(fc.constant(order), fc.integer({ min: 200, max: 1_100 }), anyRows(order, { merged: true }))
    .map(([kind, count, rows]): [Order, Row[]] => {
      const worst = rows.at(-1)?.low ?? 0;
      const step = kind === "descending" ? -1 : 1;
      const tail = Array.from({ length: count }, (_, i) => worst + step * (i + 1) * 1_024);
      const inRange = tail.filter((score) => Math.abs(score) < 2 ** 52);
      return [
        kind,
        [
          ...rows,
          ...inRange.map((score, i) => ({ score, low: score, players: i % 5 === 4 ? -1 : 1 + (i % 3) })),
        ],
      ];
    }),
);

const different = (count: number) =>
  exactRows(...Array.from({ length: count }, (_, i): [number, number] => [-i, 1]));

describe("pages", () => {
  test("return the rows that were packed, also negative and merged ones, after being stored and read", () => {
    fc.assert(
      fc.property(fc.oneof(anyBoard, anyLongBoard), ([order, list]) => {
        const stored = pagesOf(order, rowsOf(list)).map((page) => readPage(structuredCopy(page)));
        expect(listOf(unpackPages(order, stored))).toEqual(list);
      }),
      { numRuns: 150 },
    );
  });

  test("each begin where the one before ends, and know the rows and players above them", () => {
    fc.assert(
      fc.property(fc.oneof(anyBoard, anyLongBoard), ([order, list]) => {
        const rows = rowsOf(list);
        const shown = list.filter(({ players }) => players > 0);
        const pages = pagesOf(order, rows);
        expect(pages[0]?.from_score).toBe(bestPossible(order));
        expect(pages.at(-1)?.until_score).toBeNull();
        pages.forEach((page, index) => {
          const above = shown.slice(0, index * rowsPerPageMax);
          const own = shown.slice(index * rowsPerPageMax, (index + 1) * rowsPerPageMax);
          expect(page).toMatchObject({ ...generation, page: index, pages: pages.length });
          expect(page).toMatchObject({
            rows: shown.length,
            players: shownPlayers(rows),
            rows_above: above.length,
          });
          expect(page.players_above[0] ?? 0).toBe(sum(above));
          expect(page.players_until).toBe(sum(above) + sum(own));
          expect(page.scores).toEqual(own.map(({ score }) => score));
          const next = pages[index + 1];
          if (next !== undefined)
            expect([page.until_score, page.until_score]).toEqual([next.from_score, next.scores[0]]);
        });
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    [0, 1],
    [1, 1],
    [256, 1],
    [257, 2],
    [512, 2],
    [513, 3],
  ])("%i rows take %i", (rows, pages) => {
    const packed = pagesOf("descending", different(rows));
    expect(packed.length).toBe(pages);
    expect(packed.map(({ scores }) => scores.length).reduce((a, b) => a + b, 0)).toBe(rows);
    expect(packed.every((page) => page.pages === pages && page.rows === rows)).toBe(true);
  });

  test("of an empty ranking are one page, which covers every score", () => {
    expect(pagesOf("ascending", noRows)).toEqual([
      {
        ...generation,
        page: 0,
        pages: 1,
        players: 0,
        rows: 0,
        from_score: 1 - 2 ** 53,
        until_score: null,
        rows_above: 0,
        scores: [],
        players_above: [],
        players_until: 0,
      },
    ]);
  });

  test("begin at 2^53 - 1 on a descending board, and at 1 - 2^53 on an ascending one, whatever the best score", () => {
    expect(pagesOf("descending", exactRows([12, 1]))[0]?.from_score).toBe(2 ** 53 - 1);
    expect(pagesOf("ascending", exactRows([12, 1]))[0]?.from_score).toBe(1 - 2 ** 53);
    expect(pagesOf("descending", exactRows([2 ** 53 - 1, 1]))[0]?.from_score).toBe(2 ** 53 - 1);
  });

  test("of a last ranking say so on the first page alone, which every publication guards", () => {
    const rows = different(rowsPerPageMax + 1);
    const [first, second] = packPages("descending", rows, { ...generation, final: true });
    expect(first).toHaveProperty("final", true);
    expect(second).not.toHaveProperty("final");
    for (const page of packPages("descending", rows, generation)) expect(page).not.toHaveProperty("final");
  });

  test("have `lows` only where there are merged rows", () => {
    const [exact] = pagesOf("descending", exactRows([9, 1], [8, 2]));
    const [merged] = pagesOf(
      "descending",
      rowsOf([
        { score: 9, low: 9, players: 1 },
        { score: 8, low: 4, players: 2 },
      ]),
    );
    expect(exact).not.toHaveProperty("lows");
    expect(merged).toMatchObject({ scores: [9, 8], lows: [9, 4] });
  });

  test("keep negative rows on the first page, where no reader takes them for players", () => {
    const [page] = pagesOf("descending", exactRows([9, 1], [8, -2], [7, 3]));
    expect(page).toMatchObject({
      scores: [9, 7],
      players_above: [0, 1],
      players_until: 4,
      players: 4,
      rows: 2,
    });
    expect(page?.owed).toEqual([{ score: 8, low: 8, players: -2 }]);
  });

  test("of nothing but negative rows keep them and show nobody", () => {
    const rows = exactRows([8, -2]);
    const pages = pagesOf("descending", rows);
    expect(pages).toMatchObject([{ players: 0, rows: 0, scores: [] }]);
    expect(unpackPages("descending", pages)).toEqual(rows);
  });

  test("keep the check sums of merged rows, of owed ones too, and only where there are some", () => {
    const many = Array.from({ length: rowsPerPageMax }, (_, i) => [-i]);
    const rows = rowsHolding([30, 20], [15], [12, 11], [10, 8], ...many, [-900, -910]);
    rows.players.set([-1, -1, 0]);
    const pages = pagesOf("descending", rows);
    expect(
      unpackPages(
        "descending",
        pages.map((page) => readPage(structuredCopy(page))),
      ),
    ).toEqual(rows);
    expect(pages[0]?.owed?.map(({ check }) => check)).toEqual([
      rows.checks?.[0],
      undefined,
      rows.checks?.[2],
    ]);
    for (const page of pages) expect(page).toHaveProperty("checks");
    expect(pagesOf("descending", rowsHolding(...many))[0]).not.toHaveProperty("checks");
    const unknown = pagesOf("descending", rowsOf([{ score: 8, low: 4, players: 2 }]));
    expect(unknown[0]).not.toHaveProperty("checks");
    expect(unpackPages("descending", unknown).checks).toBeUndefined();
  });

  test("of only merged rows stay within ten kilobytes", () => {
    const list = Array.from({ length: rowsPerPageMax }, (_, i) => [-3 * i, -3 * i - 1]);
    const [page = {}] = packPages("descending", rowsHolding(...list), generation, noRows);
    const bytes = documentSize(pagePath({ leaderboard: "x".repeat(64), season: "all_time" }, 0), page);
    expect(bytes).toBeLessThan(10 * 1_024);
    expect(bytes).toBeLessThan(documentBytesMax);
  });
});

test("owed rows are on the page that covers them, and each page knows those above it", () => {
  const shown = Array.from({ length: rowsPerPageMax + 1 }, (_, i) => ({ score: -i, low: -i, players: 1 }));
  const rows = rowsOf([
    { score: 3, low: 3, players: -1 },
    { score: 2, low: 2, players: -2 },
    ...shown,
    { score: -900, low: -910, players: 0 },
  ]);
  const [first, second] = pagesOf("descending", rows);
  expect(first).toMatchObject({ rows: rowsPerPageMax + 1, owed_players: -3, owed_above: 0 });
  expect(first?.owed?.map(({ score }) => score)).toEqual([3, 2]);
  expect(second).toMatchObject({ scores: [-rowsPerPageMax], owed_players: -3, owed_above: -3 });
  expect(second?.owed).toEqual([{ score: -900, low: -910, players: 0 }]);
  expect(unpackPages("descending", pagesOf("descending", rows))).toEqual(rows);
});

test("a page without owed rows has only the number of players owed elsewhere", () => {
  const shown = Array.from({ length: rowsPerPageMax + 1 }, (_, i) => ({ score: -i, low: -i, players: 1 }));
  const rows = rowsOf([{ score: 3, low: 3, players: -1 }, ...shown]);
  const [, second] = pagesOf("descending", rows);
  expect(second).not.toHaveProperty("owed");
  expect(second).toMatchObject({ owed_players: -1, owed_above: -1 });
  expect(unpackPages("descending", pagesOf("descending", rows))).toEqual(rows);
});

test("a merged row knows what is pending and owed above it, and nothing of what is below", () => {
  const rows = rowsOf([
    { score: 95, low: 95, players: -1 },
    { score: 90, low: 80, players: 5 },
    { score: 70, low: 60, players: 5 },
  ]);
  const pending = exactRows([97, 2], [96, 1], [90, 8], [75, 16], [50, 32]);
  const [page] = packPages("descending", rows, generation, pending);
  expect(page?.pending_above).toEqual([2, 2 + 8 + 16]);
});

test("a document that is not a page is refused, whatever is missing", () => {
  const [page] = pagesOf("descending", exactRows([9, 1]));
  expect(() => readPage(undefined)).toThrow();
  for (const field of Object.keys(page ?? {})) {
    expect(() => readPage({ ...page, [field]: undefined }), field).toThrow();
    expect(() => readPage({ ...page, [field]: "text" }), field).toThrow();
  }
});

const sum = (rows: readonly Row[]) => rows.reduce((total, { players }) => total + players, 0);

/** A copy as if read from the database: new objects, except for timestamps. */
function structuredCopy(page: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(page).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) ? [...(value as unknown[])] : value,
    ]),
  );
}
