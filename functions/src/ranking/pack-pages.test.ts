import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Page, readPage } from "../documents/page.ts";
import { pagePath } from "../documents/paths.ts";
import { keyInSegment } from "../documents/segment-page.ts";
import { documentSize } from "../model/document-size.ts";
import { onePageRowsMax, rowsPerPageMax } from "../model/limits.ts";
import { bestPossible, type Order, sortKey } from "../model/score.ts";
import { anyOrder } from "../../../test/support/arbitraries.ts";
import { generation, pagesOf } from "../../../test/support/pages.ts";
import { anyRows, someRows, listOf, type Row, rowsHolding, rowsOf } from "../../../test/support/rows.ts";
import { packPages, packSegments, rowsPerPage, unpackPages, unpackSegments } from "./pack-pages.ts";
import { noRows, type Rows } from "./rows.ts";

/** Rows of a board: few, or more than fast-check generates by itself. */
const anyBoard = anyOrder.chain((order) =>
  fc
    .tuple(anyRows(order, { merged: true }), fc.oneof(fc.constant(0), fc.integer({ min: 990, max: 2_000 })))
    .map(([rows, more]): [Order, Row[]] => {
      const worst = rows.at(-1)?.low ?? 0;
      const step = order === "descending" ? -1_024 : 1_024;
      const tail = Array.from({ length: more }, (_, i) => worst + step * (i + 1))
        .filter((score) => Math.abs(score) < 2 ** 52)
        .map((score, i) => ({ score, low: score, players: i % 5 === 4 ? -1 : 1 + (i % 3) }));
      return [order, [...rows, ...tail]];
    }),
);

const different = (count: number) => Array.from({ length: count }, (_, i): [number, number] => [-i, 1]);
/** Pages as they are after they were stored and read. */
const stored = (pages: readonly Page[]) => pages.map((page) => readPage({ ...page }));

describe("pages", () => {
  test("return the rows that were packed; each begins where the one before ends, and knows what is above it", () => {
    fc.assert(
      fc.property(anyBoard, ([order, list]) => {
        const rows = rowsOf(list);
        const pages = pagesOf(order, rows);
        expect(listOf(unpackPages(order, stored(pages)))).toEqual(list);
        const shown = list.filter(({ players }) => players > 0);
        const common = { ...generation, pages: pages.length, rows: shown.length, players: sum(shown) };
        expect(pages[0]?.from_score).toBe(bestPossible(order));
        expect(pages.at(-1)?.until_score).toBeNull();
        // The last of several pages has two rows at least.
        const size = rowsPerPage(list.length);
        const hasLone = shown.length > size && shown.length % size === 1;
        const startOf = (index: number) => index * size - (hasLone && index === pages.length - 1 ? 1 : 0);
        pages.forEach((page, index) => {
          const isLast = index === pages.length - 1;
          const above = shown.slice(0, startOf(index));
          const own = shown.slice(startOf(index), isLast ? undefined : startOf(index + 1));
          expect(page).toMatchObject({ ...common, page: index, rows_above: above.length });
          expect(page.players_above[0] ?? 0).toBe(sum(above));
          expect(page.players_until).toBe(sum(above) + sum(own));
          expect(page.scores).toEqual(own.map(({ score }) => score));
          expect(own.length).toBeLessThanOrEqual(size);
          expect(page.lows === undefined).toBe(own.every(({ score, low }) => score === low));
          const next = pages[index + 1];
          if (next !== undefined)
            expect([page.until_score, page.until_score]).toEqual([next.from_score, next.scores[0]]);
        });
      }),
      { numRuns: 150 },
    );
  });

  test("are one up to 1,000 rows, and have up to 256 rows each if there are more", () => {
    const counts = [0, 1, 1_000, 1_001, 1_024, 1_025].map((rows) =>
      pagesOf("descending", someRows(...different(rows))),
    );
    expect(counts.map(({ length }) => length)).toEqual([1, 1, 1, 4, 4, 5]);
    const sizes = counts.slice(2, 4).map((pages) => pages.map(({ scores }) => scores.length));
    expect(sizes).toEqual([[1_000], [256, 256, 256, 233]]);
  });

  test("have owed rows where their scores lie, apart from those that readers see, and know those above them", () => {
    const count = 4 * rowsPerPageMax + 1;
    const many = different(count);
    const rows = someRows([3, -1], [2, -2], ...many, [-9_000, 0, -9_010]);
    const [first, ...others] = pagesOf("descending", rows);
    expect(first).toMatchObject({ rows: count, owed_players: -3, owed_above: 0 });
    expect(first?.scores[0]).toBe(-0);
    expect(first?.owed).toEqual(listOf(someRows([3, -1], [2, -2])));
    const last = others.at(-1);
    expect(last).toMatchObject({ scores: [2 - count, 1 - count], owed_players: -3, owed_above: -3 });
    expect(last?.owed).toEqual([{ score: -9_000, low: -9_010, players: 0 }]);
    const [, without] = pagesOf("descending", someRows([3, -1], ...many));
    expect(without).not.toHaveProperty("owed");
    expect(without).toMatchObject({ owed_players: -1, owed_above: -1 });
  });

  test("keep the check sums of merged rows, of owed ones too, and only where there are some", () => {
    const many = Array.from({ length: 4 * rowsPerPageMax }, (_, i) => [-i]);
    const rows = rowsHolding([30, 20], [15], [12, 11], [10, 8], ...many, [-9_000, -9_010]);
    rows.players.set([-1, -1, 0]);
    const pages = pagesOf("descending", rows);
    expect(unpackPages("descending", stored(pages))).toEqual(rows);
    const checks = [rows.checks?.[0], undefined, rows.checks?.[2]];
    expect(pages[0]?.owed?.map(({ check }) => check)).toEqual(checks);
    for (const page of [pages[0], pages.at(-1)]) expect(page).toHaveProperty("checks");
    expect(pagesOf("descending", rowsHolding(...many))[0]).not.toHaveProperty("checks");
    const unknown = pagesOf("descending", someRows([8, 2, 4]));
    expect(unknown[0]).not.toHaveProperty("checks");
    expect(unpackPages("descending", unknown).checks).toBeUndefined();
  });

  test("stay small: the only page within 16 kilobytes, and 40 if all its rows are merged, others within a quarter", () => {
    const sizeOf = (rows: Rows, pending?: Rows) => {
      const pages = packPages("descending", rows, generation, pending);
      const path = pagePath({ leaderboard: "x".repeat(64), season: "all_time" }, 0);
      return Math.max(...pages.map((page) => documentSize(path, page))) / 1_024;
    };
    const merged = (count: number) =>
      rowsHolding(...Array.from({ length: count }, (_, i) => [-3 * i, -3 * i - 1]));
    expect(sizeOf(someRows(...different(onePageRowsMax)))).toBeLessThan(16.5);
    expect(sizeOf(merged(onePageRowsMax), noRows)).toBeLessThan(40);
    expect(sizeOf(someRows(...different(onePageRowsMax + 1)))).toBeLessThan(4.5);
    expect(sizeOf(merged(onePageRowsMax + 1), noRows)).toBeLessThan(10);
  });
});

test("a merged row knows what is pending and owed above it, and nothing of what is below", () => {
  const pending = someRows([97, 2], [96, 1], [90, 8], [75, 16], [50, 32]);
  const [page] = packPages("descending", someRows([95, -1], [90, 5, 80], [70, 5, 60]), generation, pending);
  expect(page?.pending_above).toEqual([2, 2 + 8 + 16]);
});

test("a document that is not a page is refused, whatever is missing", () => {
  const [page] = pagesOf("descending", someRows([9, 1]));
  expect(() => readPage(undefined)).toThrow();
  for (const field of Object.keys(page ?? {})) {
    expect(() => readPage({ ...page, [field]: undefined }), field).toThrow();
    expect(() => readPage({ ...page, [field]: "text" }), field).toThrow();
  }
});

const sum = (rows: readonly Row[]) => rows.reduce((total, { players }) => total + players, 0);

test("pages of segments are undone by unpackSegments, and each number is on the page that its keys lead to", () => {
  const names = ["a=1", "a=1-", "a=10", "country=AT"];
  const anySegments = fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 0, max: 600 })), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(anySegments, fc.constantFrom("descending" as const, "ascending" as const), (sizes, order) => {
      const scoresOf = (size: number) =>
        Array.from({ length: size }, (_, i) => (order === "ascending" ? i : -i));
      const segments = new Map(
        [...new Map(sizes)]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, size]) => [
            name,
            someRows(...scoresOf(size).map((score): [number, number] => [score, 2])),
          ]),
      );
      const pages = packSegments(order, segments, generation);
      expect(unpackSegments(order, pages)).toEqual(segments);
      const pageOf = (key: string) => pages.findLast(({ from_key: from }) => from <= key);
      const pageAt = (key: string) => pages.find(({ until_key: until }) => until > key);
      for (const [name, { scores }] of segments)
        for (const [i, score] of scores.entries()) {
          const parts = [
            pageOf(keyInSegment(name, sortKey(order, score))),
            pageAt(keyInSegment(name, 2 * i)),
            pageAt(keyInSegment(name, 2 * i + 1)),
          ].map((page) => page?.parts.find(({ segment }) => segment === name));
          for (const part of parts) expect(part?.players_above[part.scores.indexOf(score)]).toBe(2 * i);
        }
    }),
    { numRuns: 30 },
  );
});

test("a segment behind a full page begins a page, and fills it; few rows of all segments share one page", () => {
  const sizesOf = (values: readonly string[]) => {
    const rows = someRows(...different(rowsPerPageMax));
    const segments = new Map(values.map((value) => [`country=${value}`, rows]));
    const pages = packSegments("descending", segments, generation);
    return pages.map(({ parts }) => parts.map(({ scores }) => scores.length));
  };
  const full = rowsPerPageMax;
  expect(sizesOf(["A", "B", "C", "D"])).toEqual([[full], [full], [full], [full]]);
  expect(sizesOf(["A", "B", "C"])).toEqual([[full, full, full]]);
});
