/** The world of seasons with small limits: it has no violation, and deliberate mistakes are found. */
import { describe, expect, test, vi } from "vitest";
import { seasonsMutants } from "./mutants.ts";
import { simulateSeasons } from "./simulation.ts";

vi.mock("../../functions/src/model/limits.ts", async (original) => {
  const { smallLimits, derivedLimits } = await import("../small-limits.ts");
  return { ...(await original<object>()), ...smallLimits, ...derivedLimits };
});

const seed = Number(process.env["FIRERANK_SEED"]);
const seeds = Array.from({ length: 5 }, (_, i) => seed + i);

test.each(seeds)("nothing is lost, doubled or wrong in 3,000 steps of seasons of seed %i", async (each) => {
  const { violation, rests } = await simulateSeasons({ seed: each, steps: 3_000 });
  if (violation !== undefined) console.error(violation.lastActions.join("\n"));
  expect(violation?.error).toBeUndefined();
  expect(rests).toBeGreaterThan(0);
});

test("a seed decides the whole history", async () => {
  const run = async () => {
    const history: string[] = [];
    const report = await simulateSeasons({ seed: 7, steps: 1_500, watch: (action) => history.push(action) });
    return { report, history };
  };
  expect(await run()).toEqual(await run());
});

// Each begins at the seed that found it: those before find nothing, and take most of the time.
describe.each([
  ["a late event that recreates a deleted season", 100_000, 5],
  ["standings written before the last change", 100_000, 2],
  ["a submission that counts after the end, by an old memory", 60_000, 2],
  ["a retry that counts again after midnight", 60_000, 10],
  ["steps that do not mind each other", 60_000, 3],
  ["one season too few that is kept", 60_000, 4],
  ["a revision that does not rank the others again", 30_000, 1],
  ["a reward paid twice", 60_000, 10],
  ["an end whose event is written apart from it", 10_000, 1],
  ["an erased player whom events still name", 10_000, 1],
  ["an export without events", 10_000, 1],
  ["a ban that a new season forgets", 10_000, 1],
  ["a merge that can count again", 10_000, 1],
  ["a merge that loses a part of a sum", 20_000, 1],
] as const)("%s", (name, stepsMax, firstSeed) => {
  test(`is found within ${stepsMax} steps`, async () => {
    let steps = 0;
    let found: string | undefined;
    for (let each = firstSeed; found === undefined && steps < stepsMax; each++) {
      const report = await simulateSeasons({ seed: each, steps: 3_000, mutant: seasonsMutants[name] });
      steps += report.steps;
      found = report.violation?.error.message;
    }
    expect(found).toBeDefined();
    expect(steps).toBeLessThanOrEqual(stepsMax);
  });
});
