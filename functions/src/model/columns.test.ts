import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyOrder } from "../../../test/support/arbitraries.ts";
import {
  type Column,
  columnRange,
  columnsRange,
  type ColumnValues,
  packColumns,
  unpackColumns,
} from "./columns.ts";
import { isBetter } from "./score.ts";

const points: Column = { name: "points", min: 0, max: 300, order: "descending" };
const goalDifference: Column = { name: "goal_difference", min: -500, max: 500, order: "descending" };
const seconds: Column = { name: "seconds", min: 0, max: 86_399, order: "ascending" };

/** Columns whose ranges multiply to at most 2^53, often to just that, with bases from −2^52 up. */
const anyColumns = fc
  .array(
    fc.tuple(
      anyOrder,
      fc.integer({ min: 1, max: 52 }),
      fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
      fc.integer({ min: -(2 ** 52), max: 2 ** 52 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) => {
    let bitsLeft = 53;
    const columns: Column[] = [];
    for (const [order, wanted, share, min] of list) {
      const bits = Math.min(wanted, bitsLeft);
      bitsLeft -= bits;
      const range = Math.max(2, Math.floor(2 ** bits * (1 - share / 2)));
      if (bits > 0) columns.push({ name: `column${columns.length}`, min, max: min + range - 1, order });
    }
    return columns;
  });

const anyValues = (columns: readonly Column[]): fc.Arbitrary<ColumnValues> => {
  const valueOf = ({ min, max }: Column) => fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
  return fc.record(Object.fromEntries(columns.map((column) => [column.name, valueOf(column)])));
};

const anyPair = fc
  .tuple(anyOrder, anyColumns)
  .chain(([order, columns]) =>
    fc.tuple(fc.constant(order), fc.constant(columns), anyValues(columns), anyValues(columns)),
  );

/** The twin: whether tuple `a` is better than `b`. It compares column by column; the first that differs decides. */
function isBetterTuple(columns: readonly Column[], a: ColumnValues, b: ColumnValues): boolean {
  for (const { name, order } of columns) {
    const [one = NaN, other = NaN] = [a[name], b[name]];
    if (one !== other) return order === "descending" ? one > other : one < other;
  }
  return false;
}

describe("packed columns", () => {
  test("compare as the tuples do, on either kind of board, and unpack to the same values", () => {
    fc.assert(
      fc.property(anyPair, ([order, columns, a, b]) => {
        const [one, other] = [packColumns(order, columns, a), packColumns(order, columns, b)];
        expect(isBetter(order, one, other)).toBe(isBetterTuple(columns, a, b));
        expect(isBetter(order, other, one)).toBe(isBetterTuple(columns, b, a));
        expect(Math.min(one, other)).toBeGreaterThanOrEqual(0);
        expect(Math.max(one, other)).toBeLessThan(columnsRange(columns));
        const unpacked = unpackColumns(order, columns, one) ?? {};
        expect(unpacked).toEqual(a);
        expect(Object.keys(unpacked)).toEqual(columns.map(({ name }) => name));
      }),
      { numRuns: 500 },
    );
  });

  test("use all of 2^53, also in one column", () => {
    const only: Column = { name: "only", min: -(2 ** 53 - 1), max: 0, order: "descending" };
    expect(columnRange(only)).toBe(2 ** 53);
    expect(packColumns("descending", [only], { only: -1 })).toBe(2 ** 53 - 2);
  });

  test.each([
    ["is missing", { seconds: 1 }, "points is undefined, not an integer from 0 to 300"],
    ["is below its range", { points: -1, seconds: 1 }, "points is -1, not an integer"],
    ["is above its range", { points: 0, seconds: 86_400 }, "seconds is 86400, not an integer"],
    ["is no integer", { points: 1.5, seconds: 1 }, "points is 1.5, not an integer"],
  ])("refuse a value that %s", (_what, values, message) => {
    expect(() => packColumns("descending", [points, seconds], values)).toThrow(message);
  });

  test("are never minus zero, nor a number that no tuple packs into", () => {
    expect(packColumns("descending", [points, seconds], { points: -0, seconds: 86_399 })).toBe(0);
    for (const packed of [-1, 0.5, NaN, Infinity, 301 * 86_400])
      expect(unpackColumns("descending", [points, seconds], packed)).toBeUndefined();
  });
});

test("the number of tuples is exact up to 2^53, and infinite above", () => {
  const column = (name: string, range: number): Column => ({ name, min: 1, max: range, order: "descending" });
  expect(columnsRange([points, goalDifference])).toBe(301 * 1_001);
  expect(columnsRange([column("a", 2 ** 26), column("b", 2 ** 27)])).toBe(2 ** 53);
  expect(columnsRange([column("a", 6_361), column("b", 69_431), column("c", 20_394_401)])).toBe(2 ** 53 - 1);
  expect(columnsRange([column("a", 2 ** 26), column("b", 2 ** 27 + 1)])).toBe(Infinity);
  expect(columnsRange([{ ...points, min: -(2 ** 53 - 1), max: 1 }])).toBe(Infinity);
});
