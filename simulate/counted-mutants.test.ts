/** Mistakes that only small limits show: with those of production a small world's players are all read, and none counted. */
import { expect, test, vi } from "vitest";
import { mutants } from "./mutants.ts";
import { stepsToFind } from "./steps-to-find.ts";

vi.mock("../functions/src/model/limits.ts", async (original) => {
  const { smallLimits, derivedLimits } = await import("./small-limits.ts");
  return { ...(await original<object>()), ...smallLimits, ...derivedLimits };
});

test("a ranking counted at several moments is found within 100000 steps", { timeout: 60_000 }, async () => {
  const found = await stepsToFind(mutants["a ranking counted at several moments"], 100_000);
  expect(found.steps).toBeLessThanOrEqual(100_000);
  expect(found.message).toMatch(/^conservation/);
});
