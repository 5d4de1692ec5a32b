import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Order } from "../model/score.ts";
import { anyScore, seededRandom } from "../../../test/support/arbitraries.ts";
import {
  anyBoard,
  type Change,
  checkRows,
  fold,
  listOf,
  type Row,
  rowsOf,
  someRows,
} from "../../../test/support/rows.ts";
import { noRows } from "./rows.ts";

const anyChanges = fc.array(fc.tuple(anyScore, fc.integer({ min: -3, max: 3 })), {
  maxLength: 96,
  size: "max",
});

/** The twin: a plain map from score to count, sorted at the end. */
function foldPlainly(order: Order, rows: readonly Row[], changes: readonly Change[]): Row[] {
  const counts = new Map<number, number>(rows.map(({ score, players }) => [score, players]));
  for (const [score, delta] of changes) counts.set(score, (counts.get(score) ?? 0) + delta); // a Map takes −0 for 0
  return [...counts]
    .filter(([, players]) => players !== 0)
    .sort(([a], [b]) => (order === "descending" ? (a < b ? 1 : -1) : a < b ? -1 : 1))
    .map(([score, players]) => ({ score, low: score, players }));
}

describe("a fold of exact rows", () => {
  test("turns the published ranking of the worked example into the next one", () => {
    const published = someRows([90, 1], [80, 2], [70, 1]);
    const moved: Change[] = [
      [80, -1],
      [95, 1],
      [70, -1],
      [60, 1],
      [95, 1],
    ];
    expect(fold("descending", published, moved)).toEqual(someRows([95, 2], [90, 1], [80, 1], [60, 1]));
  });

  test("gives what adding every change to a plain map gives, on both kinds of board", () => {
    fc.assert(
      fc.property(anyBoard(), anyChanges, ([order, list], changes) => {
        const rows = rowsOf(list);
        const folded = fold(order, rows, changes);
        checkRows(order, folded);
        expect(listOf(folded)).toEqual(foldPlainly(order, list, changes));
        expect(listOf(rows)).toEqual(list);
      }),
      { numRuns: 400 },
    );
  });
});

test("a fold of merged rows gives what searching for the row of each change gives", () => {
  fc.assert(
    fc.property(anyBoard({ merged: true }), anyChanges, ([order, rows], changes) => {
      const inside = new Map(rows.map((row) => [row, row.players]));
      const outside: Change[] = [];
      for (const [score, delta] of changes) {
        const holder = rows.find(
          (row) => Math.min(row.score, row.low) <= score && score <= Math.max(row.score, row.low),
        );
        if (holder === undefined) outside.push([score, delta]);
        else inside.set(holder, (inside.get(holder) ?? 0) + delta);
      }
      const expected = [...inside]
        .map(([row, players]) => ({ ...row, players }))
        .filter(({ players, score, low }) => players !== 0 || score !== low)
        .concat(foldPlainly(order, [], outside))
        .sort((a, b) => (order === "descending" ? b.score - a.score : a.score - b.score));
      const folded = fold(order, rowsOf(rows), changes);
      checkRows(order, folded);
      expect(listOf(folded)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test("a large fold adds up repeated scores as it goes, grows with the others, and has no rows of those taken back", () => {
  const random = seededRandom(1);
  const repeated = Array.from({ length: 100_000 }, (): Change => {
    return [Math.floor(random() * 700) / 4 - 50, random() < 0.5 ? 1 : -1];
  });
  const there = Array.from({ length: 20_000 }, (): Change => [random() * 2 ** 40 - 2 ** 39, 1]);
  const back = there.slice(0, 10_000).map(([score]): Change => [score, -1]);
  const changes = [...repeated, ...there, ...back];
  expect(listOf(fold("ascending", noRows, changes))).toEqual(foldPlainly("ascending", [], changes));
});
