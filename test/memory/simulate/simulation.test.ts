import { expect, test } from "vitest";
import { simulate } from "../../../simulate/simulation.ts";

const seed = Number(process.env["FIRERANK_SEED"]);
const seeds = Array.from({ length: 5 }, (_, i) => seed + i);

test.each(seeds)("nothing is lost, doubled or wrong in 4,000 steps of seed %i", async (each) => {
  const { violation, rests, generations } = await simulate({ seed: each, steps: 4_000 });
  if (violation !== undefined) console.error(violation.lastActions.join("\n"));
  expect(violation?.error).toBeUndefined();
  expect(rests).toBeGreaterThan(0);
  expect(generations).toBeGreaterThan(0);
});

test.each([true, false])("a seed decides the whole history, with seasons that end: %s", async (ends) => {
  const run = async () => {
    const history: string[] = [];
    const watch = (action: string) => history.push(action);
    const report = await simulate({ seed: 7, steps: 1_500, plan: { ends }, watch });
    return { report, history };
  };
  expect(await run()).toEqual(await run());
});

test("different seeds have different histories", async () => {
  const [one, other] = [await simulate({ seed: 1, steps: 500 }), await simulate({ seed: 2, steps: 500 })];
  expect(one.generations === other.generations && one.steps === other.steps).toBe(false);
});
