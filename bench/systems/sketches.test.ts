import { expect, test, vi } from "vitest";
import { truthOf } from "../contest/truth.ts";
import { randomOf } from "../generators/random.ts";
import { drawScores, shapes } from "../generators/shapes.ts";
import { frugal1U, frugalQuantiles, lossyCounting } from "./sketch-kinds.ts";
import { sketchSystems } from "./sketches.ts";
import type { System } from "./system.ts";

const players = 10_000;
/** The largest error that a sketch may have on 10,000 players with uniform scores of 1,000–1,999, as a share of them. */
const bounds: Record<string, number> = {
  "sketches-lossy-counting": 0.001,
  "sketches-frugal-1u": 0.08,
  "sketches-frugal-2u": 0.12,
  "sketches-t-digest": 0.01,
  "sketches-ddsketch": 0.03,
};

test.each(sketchSystems.map((system): [string, System] => [system.id, system]))(
  "%s is within its bound when it is built from all players, and worse when it gets their new scores",
  (id, system) => {
    const before = drawScores(shapes.uniform999, players, 1);
    // Each player improves by a fifth of the range, five times: the scores before stay in a sketch that is not rebuilt.
    const stream = [before];
    for (let round = 1; round <= 5; round++) stream.push(before.map((score) => score + round * 200));
    const now = stream.at(-1) ?? before;
    const all = Float64Array.from(stream.flatMap((scores) => [...scores]));
    const rebuilt = worstError(system.estimate?.(now.slice().sort()), now);
    const fed = worstError(system.drift?.(all, players), now);
    expect(rebuilt).toBeLessThan(bounds[id] ?? 0);
    expect(fed).toBeGreaterThan(rebuilt);
    // Frugal streaming goes towards new scores; it lags behind. The others count what nobody has any more.
    if (!id.includes("frugal")) expect(fed).toBeGreaterThan(0.3);
  },
);

test("lossy counting forgets scores that are rare, and undercounts others by at most a ten-thousandth of the stream", () => {
  const random = randomOf(3);
  const stream = Array.from({ length: 20_000 }, (_, i) => (random() < 0.3 ? 7 : 1_000 + i));
  const { scores, counts, total } = lossyCounting.build(stream, random);
  const right = stream.filter((score) => score === 7).length;
  expect(total).toBe(20_000);
  expect(scores).toEqual([7]);
  expect(counts[scores.indexOf(7)]).toBeGreaterThanOrEqual(right - 2);
  expect(counts[scores.indexOf(7)]).toBeLessThanOrEqual(right);
});

test("a quantile of frugal streaming moves by one at each score, towards it", () => {
  const { quantiles } = frugal1U.build([50, 60, 60, 60], () => 0.999);
  expect(quantiles.slice(1)).toEqual(frugalQuantiles.slice(1).map(() => 53));
});

test("sketches come out the same each time, whatever Math.random gives", () => {
  const scores = drawScores(shapes.different, 30_000, 1).sort();
  const chance = vi.spyOn(Math, "random");
  for (const system of sketchSystems) {
    const [first, second] = [0.1, 0.9].map((value) => {
      chance.mockReturnValue(value);
      const rank = system.estimate?.(scores);
      return scores.filter((_, i) => i % 1_000 === 0).map((score) => rank?.(score) ?? NaN);
    });
    expect(first).toEqual(second);
  }
  expect(chance).not.toHaveBeenCalled();
  chance.mockRestore();
});

test("a sketch of an empty board ranks a new player first", () => {
  for (const system of sketchSystems) expect(system.estimate?.(new Float64Array())(500)).toBe(1);
});

/** The largest error of a rank, as a share of the players. */
function worstError(rank: ((score: number) => number) | undefined, scores: Float64Array): number {
  const truth = truthOf(scores);
  return (
    Math.max(...new Set(scores.map((score) => Math.abs((rank?.(score) ?? NaN) - 1 - truth.above(score))))) /
    players
  );
}
