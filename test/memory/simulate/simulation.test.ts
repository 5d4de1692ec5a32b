import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { simulate } from "../../../simulate/simulation.ts";

const seed = process.env["FIRERANK_SEED"] ?? "";

test.each([
  { limits: "small", seeds: "10" },
  { limits: "real", seeds: "5" },
])(`nothing is lost, doubled or wrong from seed ${seed} on, with $limits limits`, async (options) => {
  const given = Object.entries({ ...options, seed, steps: "3000" }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ]);
  const { stdout } = await promisify(execFile)(process.execPath, ["simulate/main.ts", ...given]);
  expect(stdout).toContain("no violation");
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
