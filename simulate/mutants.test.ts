/** The simulation finds each mistake of mutants.ts, within the number of steps given here. */
import { describe, expect, test } from "vitest";
import { mutants } from "./mutants.ts";
import { stepsToFind } from "./steps-to-find.ts";

// Each begins at the seed that found it: those before find nothing, and take most of the time.
describe.each([
  ["a trigger that believes its event", 500, /^conservation/, 1],
  ["an index entry written apart from its shard", 500, /^conservation/, 1],
  ["a publication without preconditions", 30_000, /^(conservation|whole generations|top)/, 1],
  ["a publication that guards its pages and not the shards", 30_000, /^conservation/, 1],
  ["a publication that does not guard the top", 30_000, /^top/, 1],
  ["a slot that is published in parts", 30_000, /^whole generations/, 1],
  ["a slot by the clock of the indexing instance", 100_000, /^whole generations/, 1],
  ["a slot as long as the ranking interval", 100_000, /^(whole generations|at rest)/, 1],
  ["a run that leaves no shard document in place", 300_000, /^progress/, 57],
  ["a publication dated by the clock of its instance", 100_000, /^whole generations/, 1],
  ["a page in memory that is older than the caller saw", 100_000, /^min_generation/, 7],
  ["a run that folds an index that was left to counts", 30_000, /^convergence/, 7],
  ["a rebuild from an index that was left to counts", 30_000, /^convergence/, 15],
  ["a live rank of an index that was left to counts", 30_000, /^honest ranks/, 5],
  ["submissions sent again without their id", 100_000, /^nothing lost/, 24],
] as const)("%s", (name, stepsMax, message, seed) => {
  test(`is found within ${stepsMax} steps`, async () => {
    const found = await stepsToFind(mutants[name], stepsMax, seed);
    expect(found.steps).toBeLessThanOrEqual(stepsMax);
    expect(found.message).toMatch(message);
  });
});

test("a rebuild that searches where the ranking before ended is found within 30,000 steps", async () => {
  const mistake = mutants["a rebuild that searches where the ranking before ended"];
  const found = await stepsToFind(mistake, 30_000, 1, { strays: 0.5 });
  expect(found.steps).toBeLessThanOrEqual(30_000);
  expect(found.message).toMatch(/^at rest: changes wait/);
});
