/**
 * `npm run simulate -- [--world season|seasons] --seed S --steps N [--seeds K] [--limits small|real] [--mutant name]`: simulates the
 * seeds S, S+1, …, S+K−1, each for N steps, of a world of one season or of seasons that end, and reports the speed. A
 * violation prints the last actions and how to reproduce it; the exit code is then 1. With small limits, the default,
 * small worlds have several pages, merging and backlogs too; see small-limits.ts.
 */
import { parseArgs } from "node:util";
import { mutants } from "./mutants.ts";
import { make } from "./patch.ts";
import type { SeasonsReport } from "./seasons/simulation.ts";
import type { Report } from "./play.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    steps: { type: "string", default: "100000" },
    seeds: { type: "string", default: "1" },
    limits: { type: "string", default: "small" },
    world: { type: "string" },
    mutant: { type: "string" },
  },
});
const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const steps = Number(values.steps);
const seeds = Number(values.seeds);
const areNumbers = [first, steps, seeds].every((number) => Number.isSafeInteger(number) && number >= 0);
const mutant = values.mutant === undefined ? undefined : mutants[values.mutant];
const name = values.world ?? mutant?.world ?? "season";
const isKnown =
  ["small", "real"].includes(values.limits) &&
  ["season", "seasons"].includes(name) &&
  (values.mutant === undefined || mutant !== undefined);
if (!areNumbers || !isKnown) {
  console.error(
    "Usage: npm run simulate -- [--world season|seasons] [--seed S] [--steps N] [--seeds K] [--limits small|real] [--mutant name]",
  );
  process.exit(2);
}
if (mutant !== undefined) make(mutant);
if (values.limits === "small") await import("./small-limits.ts");
const simulate =
  name === "seasons"
    ? (await import("./seasons/simulation.ts")).simulateSeasons
    : (await import("./simulation.ts")).simulate;
const plan = mutant?.plan as object | undefined;

const counts = ["steps", "rests", "generations", "opened", "closed", "deleted"] as const;
const begun = performance.now();
const total = { steps: 0, rests: 0, generations: 0, opened: 0, closed: 0, deleted: 0 };
for (let seed = first; seed < first + seeds; seed++) {
  const report: Partial<SeasonsReport> & Report = await simulate({ seed, steps, plan });
  for (const count of counts) total[count] += report[count] ?? 0;
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
    (total.opened === 0
      ? ""
      : `seasons ${format(total.opened)} opened, ${format(total.closed)} closed, ${format(total.deleted)} deleted, `) +
    "no violation; " +
    `${format(Math.round(total.steps / minutes))} steps a minute.`,
);

function show({ seed }: Report, { error, step, lastActions }: NonNullable<Report["violation"]>): void {
  console.error(`\nSeed ${seed}, step ${step}: ${error.message}\n`);
  console.error(`The last actions:\n  ${lastActions.join("\n  ")}\n`);
  if (error.cause instanceof Error) console.error(error.cause.stack);
  console.error(
    `To see it again: npm run simulate -- --world ${name} --seed ${seed} --steps ${steps} --limits ${values.limits}${values.mutant === undefined ? "" : ` --mutant "${values.mutant}"`}`,
  );
}

function format(count: number): string {
  return count.toLocaleString("en");
}
