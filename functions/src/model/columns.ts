/**
 * Scores of several columns, packed into one integer.
 *
 * Each column is a digit of a mixed-radix number, the most important first; its base is the column's number of values.
 * A digit grows with its value where column and board have one order, and else falls. So on either kind of board the
 * better tuple is the better number.
 *
 * @example points 0..300 and goal_difference -500..500, both descending, on a descending board:
 * {points: 3, goal_difference: -2} is 3 × 1001 + 498 = 3501.
 */
import { columnsRangeMax } from "./limits.ts";
import type { Order } from "./score.ts";

/** One column: integers from `min` to `max`; `descending` where more is better. */
export interface Column {
  name: string;
  min: number;
  max: number;
  order: Order;
}

export type ColumnValues = Record<string, number>;

/** How many values a column can take. */
export function columnRange(column: Column): number {
  return column.max - column.min + 1;
}

/** How many tuples the columns can form; `Infinity` above 2^53, where one score can no longer tell them apart. */
export function columnsRange(columns: readonly Column[]): number {
  let range = 1n;
  for (const column of columns) range *= BigInt(column.max) - BigInt(column.min) + 1n;
  return range <= BigInt(columnsRangeMax) ? Number(range) : Infinity;
}

/** Packs values, each within its column's range, into an integer from 0 to {@link columnsRange} − 1. */
export function packColumns(order: Order, columns: readonly Column[], values: ColumnValues): number {
  let packed = 0;
  for (const column of columns) {
    const { name, min, max } = column;
    const value = values[name] ?? NaN;
    if (!Number.isInteger(value) || value < min || value > max)
      throw new RangeError(`${name} is ${String(values[name])}, not an integer from ${min} to ${max}`);
    const digit = column.order === order ? value - min : max - value;
    packed = packed * columnRange(column) + digit;
  }
  return packed;
}

/** The values of a packed score; undefined for a score that no values pack into, and on a board without columns. */
export function unpackColumns(order: Order, columns: readonly Column[] | undefined, packed: number) {
  if (columns === undefined) return undefined;
  if (!Number.isInteger(packed) || packed < 0 || packed >= columnsRange(columns)) return undefined;
  const values: [string, number][] = [];
  let rest = packed;
  for (const column of [...columns].reverse()) {
    const range = columnRange(column);
    const digit = rest % range;
    rest = (rest - digit) / range;
    values.push([column.name, column.order === order ? column.min + digit : column.max - digit]);
  }
  return Object.fromEntries(values.reverse());
}
