/** The contest of all systems: lets each play on an emulator, computes what follows from formulas, and writes the report. */
import { join } from "node:path";
import { version } from "../functions/src/model/version.ts";
import { workFolder } from "../scripts/project.ts";
import { startSuite } from "../scripts/suite.ts";
import { askEverything } from "./contest/cases.ts";
import type { Contestant } from "./contest/contestant.ts";
import { type Counted, countedOf, playOn } from "./contest/counted.ts";
import { driftOf } from "./contest/drift.ts";
import { errorsOf } from "./contest/errors.ts";
import { canBeWrong, type Faults, playFaults } from "./contest/faults.ts";
import { publishedOf } from "./contest/published.ts";
import { scaledOf } from "./contest/scaled.ts";
import { waitsOf } from "./contest/system-waits.ts";
import { drawWork, type Work } from "./contest/work.ts";
import { shapes } from "./generators/shapes.ts";
import { reportFolder, storedResults, writeReport } from "./report/files.ts";
import { type Computed, factsOf, type Played, type Results } from "./report/results.ts";
import { postgresVersion } from "./servers/postgres.ts";
import { redisVersion } from "./servers/redis.ts";
import { formulaSystems, systems } from "./systems/index.ts";

/** How much the model of waits simulates. */
const effort = { players: 100_000, updates: 100_000 };
const tinyEffort = { players: 1_000, updates: 1_000, updatesPerDocument: 5 };

/** Work with doubled, reordered and lost events: so many players that some get no later score. */
const faultWork = { players: 200, updates: 200 };
const tinyFaults = { players: 6, updates: 12 };

export interface ContestOptions {
  players: number;
  updates: number;
  seed: number;
  smoke: boolean;
  /** Ids of the systems to play; all if left out. */
  only: string[] | undefined;
}

export interface BenchOptions extends ContestOptions {
  /** Whether it is what docs/benchmark.md shows; other results go elsewhere, as README is compared with that. */
  isWhole: boolean;
}

/** Runs it all. Returns the number of problems. */
export async function benchSystems(options: BenchOptions): Promise<number> {
  assertKnown(options.only);
  const suite = await startSuite({ ports: "tests" });
  try {
    process.env["FIRESTORE_EMULATOR_HOST"] = suite.env["FIRESTORE_EMULATOR_HOST"];
    const results = await contestOf(options, suite.emulator.name);
    await writeReport(results, options.isWhole ? reportFolder : workFolder("bench"));
    return results.counted.reduce((sum, { problems }) => sum + problems.length, 0);
  } finally {
    await suite.stop();
  }
}

/** Keeps what was counted in docs/benchmark.json, computes everything else again, and writes the report. */
export async function computeAgain(): Promise<void> {
  const stored = storedResults(join(reportFolder, "benchmark.json"));
  const ids = systems.map(({ id }) => id).filter((id) => stored.counted.some((one) => one.id === id));
  const results = { ...stored, ...(await computedOf(ids, { seed: stored.seed, smoke: false })) };
  await writeReport(results, reportFolder);
}

/** The contest itself, on the emulator that FIRESTORE_EMULATOR_HOST names. */
export async function contestOf(options: ContestOptions, emulator: string): Promise<Results> {
  const played = await playAll(options, emulator);
  console.log("Waits, errors, bills and dollars at larger sizes …");
  const computed = await computedOf(
    played.counted.map(({ id }) => id),
    options,
  );
  return { ...played, ...computed };
}

/** What an emulator is needed for. */
async function playAll(options: ContestOptions, emulator: string): Promise<Played> {
  const { players, updates, seed, only, smoke } = options;
  const work = drawWork(shapes.chess, players, updates, seed);
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
  return {
    version,
    date: new Date().toISOString().slice(0, 10),
    seed,
    work: `${work.title}, ${updates} updates`,
    emulator,
    versions: versions(),
    leftOut,
    counted,
    faults,
  };
}

function versions(): Record<string, string> {
  const found = { Node: process.versions.node, Redis: redisVersion(), PostgreSQL: postgresVersion() };
  return Object.fromEntries(Object.entries(found).filter(([, of]) => of !== undefined)) as Record<
    string,
    string
  >;
}

/** What follows from formulas and models, of the systems with some ids and of those that are formulas alone. */
async function computedOf(
  ids: readonly string[],
  { seed, smoke }: Pick<ContestOptions, "seed" | "smoke">,
): Promise<Computed> {
  const chosen = systems.filter(({ id }) => ids.includes(id));
  return {
    systems: [...chosen, ...formulaSystems].map(factsOf),
    scaled: scaledOf([...chosen, ...formulaSystems], seed, smoke ? 10_000 : undefined),
    waits: chosen.flatMap((system) => waitsOf(system, shapes.chess, smoke ? tinyEffort : effort)),
    published: publishedOf(),
    drift: driftOf(chosen, shapes.uniform9999, smoke ? 500 : 10_000, seed),
    errors: errorsOf(chosen, { players: smoke ? 20_000 : 1_000_000, seed }),
  };
}

/** @throws naming the ids that there are. */
function assertKnown(only: readonly string[] | undefined): void {
  const ids = systems.map(({ id }) => id);
  const unknown = (only ?? []).filter((id) => !ids.includes(id));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(", ")}. The ids: ${ids.join(", ")}.`);
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
