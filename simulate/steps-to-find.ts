/** How soon a mistake is found. */
import type { Mutant } from "./mutants.ts";
import type { Plan } from "./plan.ts";
import { simulate } from "./simulation.ts";

/**
 * Steps until a mistake is found, over seeds from the first one on of 2,000 steps each.
 * @param plan replaces parts of the plans that the seeds draw
 * @throws if it is not found within that many
 */
export async function stepsToFind(
  mutant: Mutant,
  stepsMax: number,
  firstSeed: number,
  plan?: Partial<Plan>,
): Promise<{ steps: number; message: string }> {
  let steps = 0;
  for (let seed = firstSeed; steps < stepsMax; seed++) {
    const report = await simulate({ seed, steps: 2_000, mutant, plan });
    steps += report.steps;
    if (report.violation !== undefined) return { steps, message: report.violation.error.message };
  }
  throw new Error(`nothing was found in ${steps} steps`);
}
