import { expect, test } from "vitest";
import { cost } from "../../cli/prices.ts";
import { truthOf } from "../contest/truth.ts";
import { pipelineSystems } from "./pipelines.ts";

const million = truthOf(Float64Array.from({ length: 1_000_001 }, (_, i) => i));
const [counting, window] = pipelineSystems;

/** Units of a question by the player with so many better ones, without the 1 for the player's own document. */
const countUnits = (above: number) =>
  (counting?.bills(million).rank(million, 1_000_000 - above).reads ?? NaN) - 1;

test.each([
  [0, 1],
  [1_000, 8],
  [100_000, 782],
  [1_000_000, 7_813],
])("a count of %i better players reads %i units", (above, units) => {
  expect(countUnits(above)).toBe(units);
});

test.each([
  [1_000, 32],
  [100_000, 3_125],
  [1_000_000, 31_250],
])("rank() over %i players reads %i units, whoever asks", (players, units) => {
  const truth = truthOf(new Float64Array(players));
  expect(window?.bills(truth).rank(truth, 0).reads).toBe(units);
});

test("a million ranks on a board of a million players cost $1,560 by rank() and $195 by count", () => {
  const truth = truthOf(new Float64Array(1_000_000));
  const dollars = (reads: number) => 1e6 * cost({ reads, writes: 0, deletes: 0 }, "us-central1, Enterprise");
  expect(dollars(window?.bills(truth).rank(truth, 0).reads ?? NaN)).toBeCloseTo(1_562.5, 1);
  expect(dollars(countUnits(500_000))).toBeCloseTo(195.4, 0);
});
