/** The world of seasons with small limits: it has no violation. */
import { expect, test, vi } from "vitest";
import { simulateSeasons } from "../../../simulate/seasons/simulation.ts";

vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const { smallLimits, derivedLimits } = await import("../../../simulate/small-limits.ts");
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
