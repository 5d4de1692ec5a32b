/**
 * A process that plays mistakes of the simulation, one for each message, until a violation; it answers with that. It loads
 * the modules once, with small limits, which no process can load that has the usual ones.
 */
import { mutants } from "../../simulate/mutants.ts";
import { prepareSources } from "../../simulate/sources.ts";

/** What is to be played: a mistake, in so many seeds from this one on, until it is found. */
export interface Mistaken {
  mutant: string;
  seed: number;
  seeds: number;
  steps: number;
}

prepareSources(true);
const { simulate } = await import("../../simulate/simulation.ts");

process.on("message", (asked: Mistaken) => void found(asked).then((answer) => process.send?.(answer)));

async function found({ mutant: name, seed: first, seeds, steps }: Mistaken): Promise<string> {
  const mutant = mutants[name];
  if (mutant === undefined) throw new Error(`there is no mistake ${name}`);
  for (let seed = first; seed < first + seeds; seed++) {
    const { violation } = await simulate({ seed, steps, mutant });
    if (violation !== undefined) return `Seed ${seed}, step ${violation.step}: ${violation.error.message}`;
  }
  return "no violation";
}
