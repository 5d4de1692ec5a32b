/**
 * Mistakes that show only with small limits: with production's limits a small world's players are all read, and none
 * counted.
 */
import { expect, test, vi } from "vitest";
import { mutants } from "./mutants.ts";
import { stepsToFind } from "./steps-to-find.ts";

vi.mock("../functions/src/model/limits.ts", async (original) => {
  const { smallLimits, derivedLimits } = await import("./small-limits.ts");
  return { ...(await original<object>()), ...smallLimits, ...derivedLimits };
});

test.each([
  ["a ranking counted at several moments", 100_000],
  ["a split of counts that loses a part", 200_000],
] as const)("%s is found within %i steps", async (mistake, most) => {
  // The first seed that finds them: those before only take time.
  const found = await stepsToFind(mutants[mistake], most, 15);
  expect(found.steps).toBeLessThanOrEqual(most);
  expect(found.message).toMatch(/^conservation/);
});
