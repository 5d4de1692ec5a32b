/** The simulation finds each mistake of mutants.ts, within the number of steps given here. */
import { describe, expect, test } from "vitest";
import { mutants } from "./mutants.ts";
import { stepsToFind } from "./steps-to-find.ts";

describe.each([
  ["a trigger that believes its event", 500, /^conservation/],
  ["an index entry written apart from its shard", 500, /^conservation/],
  ["a publication without preconditions", 30_000, /^(conservation|whole generations|top)/],
  ["a publication that guards its pages and not the shards", 30_000, /^conservation/],
  ["a publication that does not guard the top", 30_000, /^top/],
  ["a slot that is published in parts", 30_000, /^whole generations/],
  ["a slot by the clock of the indexing instance", 100_000, /^whole generations/],
  ["a slot as long as the ranking interval", 100_000, /^(whole generations|at rest)/],
  ["a run that leaves no shard document in place", 300_000, /^progress/],
  ["a page in memory that is older than the caller saw", 100_000, /^min_generation/],
  ["submissions sent again without their id", 100_000, /^nothing lost/],
] as const)("%s", (name, stepsMax, message) => {
  test(`is found within ${stepsMax} steps`, async () => {
    const found = await stepsToFind(mutants[name], stepsMax);
    expect(found.steps).toBeLessThanOrEqual(stepsMax);
    expect(found.message).toMatch(message);
  });
});
