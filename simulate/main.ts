/**
 * `npm run simulate -- --seed S --steps N [--seeds K] [--limits small|real] [--mutant name]`: simulates the seeds S, S+1, …,
 * S+K−1, each for N steps, and reports the speed. A violation prints the last actions and how to reproduce it; the exit
 * code is then 1. With small limits, the default, small worlds have several pages, merging and backlogs too; see
 * sources.ts.
 */
import { hash } from "node:crypto";
import { optionsOf, refuse } from "../scripts/options.ts";
import { mutants } from "./mutants.ts";
import { prepareSources } from "./sources.ts";

const usage = "npm run simulate -- [--seed S] [--steps N] [--seeds K] [--limits small|real] [--mutant name]";
const { values } = optionsOf(usage, {
  options: {
    seed: { type: "string" },
    steps: { type: "string", default: "100000" },
    seeds: { type: "string", default: "1" },
    limits: { type: "string", default: "small" },
    mutant: { type: "string" },
  },
});
const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const steps = Number(values.steps);
const seeds = Number(values.seeds);
const areNumbers = [first, steps, seeds].every((number) => Number.isSafeInteger(number) && number >= 0);
const mutant = values.mutant === undefined ? undefined : mutants[values.mutant];
const isKnown =
  ["small", "real"].includes(values.limits) && (values.mutant === undefined || mutant !== undefined);
if (!areNumbers || !isKnown) refuse(`Usage: ${usage}`);
prepareSources(values.limits === "small");
const { simulate } = await import("./simulation.ts");

const begun = performance.now();
let total = 0;
const histories: string[] = [];
const told = () => total.toLocaleString("en");
let seed = first;
// In production it ends the process.
process.on("unhandledRejection", (error) => {
  console.error(`Seed ${seed}: an error that nobody handles:`, error);
  process.exit(1);
});
for (; seed < first + seeds; seed++) {
  const { violation, steps: taken, history } = await simulate({ seed, steps, mutant });
  histories.push(history);
  total += taken;
  if (violation !== undefined) {
    const { error, step, lastActions } = violation;
    console.error(`\nFound after ${told()} steps.\n\nSeed ${seed}, step ${step}: ${error.message}\n`);
    console.error(`The last actions:\n  ${lastActions.join("\n  ")}\n`);
    if (error.cause instanceof Error) console.error(error.cause.stack);
    const named = values.mutant === undefined ? "" : ` --mutant "${values.mutant}"`;
    const options = `--seed ${seed} --steps ${steps} --limits ${values.limits}${named}`;
    console.error(`To see it again: npm run simulate -- ${options}`);
    process.exit(1);
  }
  if (process.stderr.isTTY) process.stderr.write(`\rseed ${seed}, ${told()} steps`);
}
const perMinute = Math.round((total / (performance.now() - begun)) * 60_000);
console.log(`\n${seeds} seeds from ${first} on: ${told()} steps, no violation; ${perMinute} a minute.`);
console.log(`The same code and seeds give the same history: ${hash("sha1", histories.join())}.`);
