import { expect, test } from "vitest";
import { randomOf } from "../generators/random.ts";
import {
  changesInTree,
  type Counts,
  pathTo,
  playersAbove,
  scoreAt,
  shapeFor,
  type TreeShape,
} from "./ranking-tree.ts";

/** A tree in memory. */
function plant(shape: TreeShape, scores: number[] = []) {
  const nodes = new Map<string, Record<number, number>>();
  function change(changes: { before: number | null; after: number }[]): void {
    for (const [node, children] of changesInTree(shape, changes)) {
      const counts = nodes.get(node) ?? {};
      for (const [child, by] of children) counts[child] = (counts[child] ?? 0) + by;
      nodes.set(node, counts);
    }
  }
  change(scores.map((after) => ({ before: null, after })));
  const countsOf = (node: string): Counts => nodes.get(node) ?? {};
  return {
    change,
    countsOf,
    above: (score: number) => playersAbove(pathTo(shape, score), countsOf),
    at: (index: number) => scoreAt(shape, index, (node) => Promise.resolve(countsOf(node))),
  };
}

const repeated = (score: number, times: number) => Array.from({ length: times }, () => score);

test("with 3 children, 0 to 80 take 4 levels, and 22 players above 30 make rank 23", () => {
  const shape = shapeFor(3, 81);
  expect(shape).toEqual({ branching: 3, levels: 4 });
  expect(pathTo(shape, 30).map(({ child }) => child)).toEqual([1, 0, 1, 0]);
  const better = [...repeated(80, 5), ...repeated(54, 4), 53, 53, 40, ...repeated(33, 6), 32, 31, 31, 31];
  const tree = plant(shape, [...better, 30, 30, 29, 27, 26, 0]);
  expect(better).toHaveLength(22);
  expect(1 + tree.above(30)).toBe(23);
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

test("after random changes, the tree ranks and finds as a sorted list does", async () => {
  for (const [branching, scores] of [
    [3, 81],
    [10, 100],
    [100, 10_000],
  ] as const) {
    const random = randomOf(branching);
    const tree = plant(shapeFor(branching, scores));
    const players: (number | null)[] = repeated(0, 50).map(() => null);
    for (let i = 0; i < 400; i++) {
      const player = Math.floor(random() * players.length);
      const after = Math.floor(random() * scores);
      tree.change([{ before: players[player] ?? null, after }]);
      players[player] = after;
    }
    const falling = players.filter((score) => score !== null).sort((a, b) => b - a);
    for (const [index, score] of falling.entries()) {
      const above = falling.filter((other) => other > score).length;
      expect(tree.above(score)).toBe(above);
      expect(await tree.at(index)).toEqual({ score, index: index - above });
    }
    expect(await tree.at(falling.length)).toBeUndefined();
  }
});
