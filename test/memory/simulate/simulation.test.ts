import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const seed = process.env["FIRERANK_SEED"] ?? "";

async function simulated(options: Record<string, string>): Promise<string> {
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return (await promisify(execFile)(process.execPath, ["simulate/main.ts", ...given])).stdout;
}

test.each([
  { limits: "small", seeds: "6" },
  { limits: "real", seeds: "3" },
])(`nothing is lost, doubled or wrong from seed ${seed} on, with $limits limits`, async (options) => {
  expect(await simulated({ ...options, seed, steps: "3000" })).toContain("no violation");
});

test("seeds decide the whole history", async () => {
  const historyOf = async (first: string) =>
    /history: (\w+)/.exec(await simulated({ seed: first, seeds: "2", steps: "1500" }))?.[1];
  const [one, again, other] = await Promise.all(["7", "7", "8"].map(historyOf));
  expect(one).toMatch(/^\w{40}$/);
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});
