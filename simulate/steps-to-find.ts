/** How soon a mistake is found. */
import type { Mutant } from "./mutants.ts";
import { simulate } from "./simulation.ts";

/**
 * Steps until a mistake is found, over seeds from the first one on of 2,000 steps each.
 * @throws if it is not found within that many
 */
export async function stepsToFind(
  mutant: Mutant,
  stepsMax: number,
  firstSeed: number,
): Promise<{ steps: number; message: string }> {
  let steps = 0;
  for (let seed = firstSeed; steps < stepsMax; seed++) {
    const report = await simulate({ seed, steps: 2_000, mutant });
    steps += report.steps;
    if (report.violation !== undefined) return { steps, message: report.violation.error.message };
  }
  throw new Error(`nothing was found in ${steps} steps`);
}
