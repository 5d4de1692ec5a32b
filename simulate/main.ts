/**
 * `npm run simulate -- --seed S --steps N [--seeds K] [--limits small|real] [--mutant name]`: simulates the seeds S, S+1, …,
 * S+K−1, each for N steps, and reports the speed. A violation prints the last actions and how to reproduce it; the exit
 * code is then 1. With small limits, the default, small worlds have several pages, merging and backlogs too; see
 * small-limits.ts.
 */
import { parseArgs } from "node:util";
import { mutants } from "./mutants.ts";
import { make } from "./patch.ts";
import type { Report } from "./simulation.ts";

const { values } = parseArgs({
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
if (!areNumbers || !isKnown) {
  console.error(
    "Usage: npm run simulate -- [--seed S] [--steps N] [--seeds K] [--limits small|real] [--mutant name]",
  );
  process.exit(2);
}
if (mutant !== undefined) make(mutant);
if (values.limits === "small") await import("./small-limits.ts");
const { simulate } = await import("./simulation.ts");

const counts = ["steps", "rests", "generations", "opened", "closed", "deleted"] as const;
const begun = performance.now();
const total = { steps: 0, rests: 0, generations: 0, opened: 0, closed: 0, deleted: 0 };
for (let seed = first; seed < first + seeds; seed++) {
  const report = await simulate({ seed, steps, plan: mutant?.plan });
  for (const count of counts) total[count] += report[count];
  if (report.violation !== undefined) {
    console.error(`\nFound after ${format(total.steps)} steps.`);
    show(report, report.violation);
    process.exit(1);
  }
  if (process.stderr.isTTY) process.stderr.write(`\rseed ${seed}, ${format(total.steps)} steps`);
}
if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
const minutes = (performance.now() - begun) / 60_000;
console.log(
  `${seeds === 1 ? `Seed ${first}` : `Seeds ${first} to ${first + seeds - 1}`}: ${format(total.steps)} steps, ` +
    `${format(total.generations)} generations, ${format(total.rests)} rests, ` +
    `seasons ${format(total.opened)} opened, ${format(total.closed)} closed, ${format(total.deleted)} deleted, ` +
    "no violation; " +
    `${format(Math.round(total.steps / minutes))} steps a minute.`,
);

function show({ seed }: Report, { error, step, lastActions }: NonNullable<Report["violation"]>): void {
  console.error(`\nSeed ${seed}, step ${step}: ${error.message}\n`);
  console.error(`The last actions:\n  ${lastActions.join("\n  ")}\n`);
  if (error.cause instanceof Error) console.error(error.cause.stack);
  console.error(
    `To see it again: npm run simulate -- --seed ${seed} --steps ${steps} --limits ${values.limits}${values.mutant === undefined ? "" : ` --mutant "${values.mutant}"`}`,
  );
}

function format(count: number): string {
  return count.toLocaleString("en");
}
