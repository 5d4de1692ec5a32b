import { expect, test } from "vitest";
import { changesInTree, type Counts, pathTo, playersAbove, shapeFor } from "./ranking-tree.ts";

const repeated = (score: number, times: number) => Array.from({ length: times }, () => score);

test("with 3 children, 0 to 80 take 4 levels, and 22 players above 30 make rank 23", () => {
  const shape = shapeFor(3, 81);
  expect(shape).toEqual({ branching: 3, levels: 4 });
  expect(pathTo(shape, 30).map(({ child }) => child)).toEqual([1, 0, 1, 0]);
  const better = [...repeated(80, 5), ...repeated(54, 4), 53, 53, 40, ...repeated(33, 6), 32, 31, 31, 31];
  const scores = [...better, 30, 30, 29, 27, 26, 0];
  const nodes = changesInTree(
    shape,
    scores.map((after) => ({ before: null, after })),
  );
  const countsOf = (node: string): Counts => Object.fromEntries(nodes.get(node) ?? []);
  expect(better).toHaveLength(22);
  expect(1 + playersAbove(pathTo(shape, 30), countsOf)).toBe(23);
});

test("with 100 children, 10,000 scores take 2 nodes, and a million takes 3", () => {
  expect(shapeFor(100, 10_000).levels).toBe(2);
  expect(shapeFor(100, 1_000_000).levels).toBe(3);
});

test("changes that cancel out change no node", () => {
  const shape = shapeFor(100, 10_000);
  const there = { before: 7, after: 9_000 };
  expect(changesInTree(shape, [there, { before: 9_000, after: 7 }])).toEqual(new Map());
  // Both scores are below the root's first child, so the root stays as it is.
  expect([...changesInTree(shape, [{ before: 7, after: 8 }]).keys()]).toEqual(["1-0"]);
  expect(changesInTree(shape, [there]).size).toBe(3);
});
