import { expect, test, vi } from "vitest";
import { errorOf } from "../contest/errors.ts";
import { drawScores, shapes } from "../generators/shapes.ts";
import { tDigest } from "./t-digest.ts";

const estimate = tDigest.estimate ?? expect.fail();

test("a sketch of all scores is wrong by less than 1 % of 10,000 players", () => {
  const rising = drawScores(shapes.uniform999, 10_000, 1).sort();
  expect(errorOf(estimate(rising), rising).worst).toBeLessThan(0.01);
});

test("it comes out the same each time, whatever Math.random gives", () => {
  const scores = drawScores(shapes.different, 30_000, 1).sort();
  const chance = vi.spyOn(Math, "random");
  const [first, second] = [estimate(scores), estimate(scores)].map((rank) => Array.from(scores, rank));
  expect(first).toEqual(second);
  expect(chance).not.toHaveBeenCalled();
  chance.mockRestore();
});

test("a sketch of an empty board ranks a new player first", () => {
  expect(estimate(new Float64Array())(500)).toBe(1);
});
