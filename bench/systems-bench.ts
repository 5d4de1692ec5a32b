/** The contest of all systems: lets each play on an emulator, computes what follows from formulas, and writes the report. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { version } from "../functions/src/model/version.ts";
import { root, workFolder } from "../scripts/project.ts";
import { startSuite } from "../scripts/suite.ts";
import { askEverything } from "./contest/cases.ts";
import type { Contestant } from "./contest/contestant.ts";
import { type Counted, countedOf, playOn } from "./contest/counted.ts";
import { driftOf } from "./contest/drift.ts";
import { errorsOf } from "./contest/errors.ts";
import { canBeWrong, type Faults, playFaults } from "./contest/faults.ts";
import { scaledOf } from "./contest/scaled.ts";
import { waitsOf } from "./contest/system-waits.ts";
import { drawWork, type Work } from "./contest/work.ts";
import { shapes } from "./generators/shapes.ts";
import { documentOf } from "./report/document.ts";
import { factsOf, type Results } from "./report/results.ts";
import { waitsChart } from "./report/model-tables.ts";
import { dollarsChart, rankReadsChart } from "./report/scale-tables.ts";
import { formulaSystems, systems } from "./systems/index.ts";

/** How much the model of waits simulates. */
const effort = { players: 100_000, updates: 100_000 };
const tinyEffort = { players: 1_000, updates: 1_000 };

/** Work with doubled, reordered and lost events. */
const faultWork = { players: 60, updates: 300 };
const tinyFaults = { players: 6, updates: 12 };

export interface BenchOptions {
  players: number;
  updates: number;
  seed: number;
  smoke: boolean;
  /** Ids of the systems to play; all if left out. */
  only: string[] | undefined;
}

/** Runs it all. Returns the number of problems. */
export async function benchSystems(options: BenchOptions): Promise<number> {
  const suite = await startSuite({ ports: "tests" });
  try {
    process.env["FIRESTORE_EMULATOR_HOST"] = suite.env["FIRESTORE_EMULATOR_HOST"];
    const results = await contestOf(options, suite.emulator.name);
    // README is compared with what is in docs, so a part of the systems, or a tiny run, goes elsewhere.
    const isWhole = !options.smoke && options.only === undefined;
    await writeReport(results, isWhole ? join(root, "docs") : workFolder("bench"));
    return results.counted.reduce((sum, { problems }) => sum + problems.length, 0);
  } finally {
    await suite.stop();
  }
}

/** The contest itself, on the emulator that FIRESTORE_EMULATOR_HOST names. */
export async function contestOf(options: BenchOptions, emulator: string): Promise<Results> {
  const { players, updates, seed, only, smoke } = options;
  const work = drawWork(shapes.chess, players, updates, seed);
  const unknown = (only ?? []).filter((id) => !systems.some((system) => system.id === id));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(", ")}. The ids: ${idsOf(systems)}.`);
  const asked = systems.filter(({ id }) => only === undefined || only.includes(id));
  const leftOut = asked.flatMap(({ name, available }) => {
    const why = available?.();
    return why === undefined ? [] : [{ name, why }];
  });
  for (const { name, why } of leftOut) console.log(`${name} is left out: ${why}`);
  const chosen = asked.filter(({ name }) => !leftOut.some((one) => one.name === name));
  const counted: Counted[] = [];
  for (const [index, system] of chosen.entries()) {
    const contestant = await playOn(system, seed, (one) => playInTurns(one, work));
    counted.push(countedOf(contestant));
    const { samples, problems } = contestant;
    console.log(
      `${index + 1}/${chosen.length} ${system.name}: ${samples.length} operations, ${problems.length} problems`,
    );
    for (const problem of problems.slice(0, 3)) console.error(`  ${problem}`);
  }
  const faults: Faults[] = [];
  for (const system of chosen.filter(canBeWrong)) {
    console.log(`Faults: ${system.name}`);
    faults.push(await playFaults(system, { ...(smoke ? tinyFaults : faultWork), seed }));
  }
  console.log("Waits, errors, bills and dollars at larger sizes …");
  return {
    version,
    seed,
    work: `${work.title}, ${updates} updates`,
    emulator,
    systems: [...chosen, ...formulaSystems].map(factsOf),
    leftOut,
    counted,
    scaled: scaledOf([...chosen, ...formulaSystems], seed, smoke),
    waits: chosen.flatMap((system) => waitsOf(system, shapes.chess, smoke ? tinyEffort : effort)),
    faults,
    drift: driftOf(chosen, shapes.uniform9999, smoke ? 500 : 10_000, seed),
    errors: await errorsOf(chosen, { players: smoke ? 20_000 : 1_000_000, seed }),
  };
}

function idsOf(list: readonly { id: string }[]): string {
  return list.map(({ id }) => id).join(", ");
}

/** The arrivals and a run, uncounted; then the updates in ten parts, with a run and every question after each. */
async function playInTurns(contestant: Contestant, { arrivals, updates }: Work): Promise<void> {
  for (const submission of arrivals) await contestant.update(submission);
  await contestant.run();
  contestant.samples.length = 0;
  const turns = Math.min(10, updates.length);
  const size = Math.ceil(updates.length / turns);
  for (let turn = 0; turn < turns; turn++) {
    for (const submission of updates.slice(turn * size, (turn + 1) * size)) {
      await contestant.update(submission);
    }
    await contestant.run();
    await askEverything(contestant, 5);
  }
}

async function writeReport(results: Results, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of [
    ["benchmark.json", JSON.stringify(results)],
    ["benchmark.md", documentOf(results)],
  ] as const) {
    const style = await resolveConfig(join(root, name));
    writeFileSync(join(folder, name), await format(text, { ...style, filepath: name }));
  }
  writeFileSync(join(folder, "benchmark-rank-reads.svg"), rankReadsChart(results.systems, results.scaled));
  writeFileSync(join(folder, "benchmark-dollars.svg"), dollarsChart(results.systems, results.scaled));
  writeFileSync(join(folder, "benchmark-waits.svg"), waitsChart(results.systems, results.waits));
  console.log(`Wrote benchmark.md, benchmark.json and pictures to ${folder}.`);
}
