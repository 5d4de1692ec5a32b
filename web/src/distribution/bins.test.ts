import fc from "fast-check";
import { expect, test } from "vitest";
import { histogramOf, linearEdges, placeAmong } from "./bins.ts";
import { playersIn } from "./pieces.ts";

const at = (score: number, players = 1) => ({ best: score, worst: score, players });

test("edges are round numbers around all scores, whole ones for whole scores", () => {
  expect(linearEdges(3, 7, true)).toEqual([3, 4, 5, 6, 7, 8]);
  const edges = linearEdges(0, 1_000, true);
  expect(edges.slice(0, 3)).toEqual([0, 25, 50]);
  expect(edges.at(-1)).toBe(1_025);
  expect(linearEdges(0.1, 0.7, false)[3]).toBe(0.16);
});

test("the edges of whole scores are exact, however large these are", () => {
  const startMs = 1_763_720_000_123;
  const edges = linearEdges(startMs, startMs + 90, true);
  expect(edges[0]).toBe(startMs - 1);
  expect(edges.slice(1).every((edge, i) => edge - (edges[i] ?? 0) === 2)).toBe(true);
  for (const [lowest, highest] of [
    [2 ** 53 - 3, 2 ** 53],
    [2 ** 53, 2 ** 53],
    [-(2 ** 53), 2 ** 53],
  ] as const) {
    const { bins = [] } = histogramOf([at(lowest), at(highest)]) ?? {};
    expect(bins.every(({ from, to }) => from < to)).toBe(true);
    expect(bins[0]?.from).toBeLessThanOrEqual(lowest);
    expect(bins.at(-1)?.to).toBeGreaterThan(highest);
    expect(bins.reduce((sum, { players }) => sum + players, 0)).toBe(2);
  }
});

test("scores as small as 1e-7 and 2e-7 have bins of their own", () => {
  const { bins = [] } = histogramOf([at(1e-7), at(2e-7)]) ?? {};
  expect(bins.filter(({ players }) => players > 0)).toHaveLength(2);
  const { bins: least = [] } = histogramOf([at(5e-324)]) ?? {};
  expect(least.reduce((sum, { players }) => sum + players, 0)).toBe(1);
});

test("players with zero points have their own bin beside bins that grow", () => {
  const scores = [at(100_000), ...Array.from({ length: 50 }, (_, i) => at(50 - i, 2))];
  const { bins = [], isScoreLog } = histogramOf([...scores, at(0, 7)]) ?? {};
  expect(isScoreLog).toBe(true);
  expect(bins[0]).toEqual({ from: 0, to: 1, players: 7 });
  expect(bins[1]?.from).toBe(1);
  expect(bins.at(-1)?.players).toBe(1);
  expect(histogramOf([at(0, 7)])?.isScoreLog).toBe(false);
  expect(histogramOf([at(9), at(0, 7)])?.isScoreLog).toBe(false);
});

test("a single score has its own bin", () => {
  expect(histogramOf([at(5, 3)])?.bins.filter(({ players }) => players > 0)).toEqual([
    { from: 5, to: 6, players: 3 },
  ]);
  expect(histogramOf([at(61.25)])?.bins.reduce((sum, { players }) => sum + players, 0)).toBe(1);
  expect(histogramOf([])).toBeUndefined();
});

test("every player is in a bin, whatever the pieces", () => {
  const score = fc.oneof(
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  );
  const piece = fc.record({ best: score, worst: score, players: fc.integer({ min: 1, max: 1_000 }) });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), (pieces) => {
      const { bins = [] } = histogramOf(pieces) ?? {};
      expect(bins.length).toBeLessThanOrEqual(60);
      expect(bins.reduce((sum, { players }) => sum + players, 0)).toBeCloseTo(playersIn(pieces), 3);
      expect(bins.every(({ from, to }, i) => from < to && (i === 0 || bins[i - 1]?.to === from))).toBe(true);
    }),
  );
});

test("scores over orders of magnitude get growing bins, and widely different counts get a logarithmic axis", () => {
  const spread = histogramOf([at(100_000), ...Array.from({ length: 50 }, (_, i) => at(50 - i, 2))]);
  expect(spread?.isScoreLog).toBe(true);
  const even = histogramOf(Array.from({ length: 50 }, (_, i) => at(50 - i, 2)));
  expect(even).toMatchObject({ isScoreLog: false, isCountLog: false });
  const crowded = histogramOf([...Array.from({ length: 50 }, (_, i) => at(50 - i, 2)), at(0, 5_000)]);
  expect(crowded).toMatchObject({ isScoreLog: false, isCountLog: true });
});

test("a score has a place among the bins, even if nobody has it", () => {
  const bins = [
    { from: 0, to: 10, players: 1 },
    { from: 10, to: 30, players: 1 },
  ];
  expect([-5, 0, 5, 10, 20, 30, 99].map((score) => placeAmong(bins, score))).toEqual([
    0, 0, 0.5, 1, 1.5, 2, 2,
  ]);
});
