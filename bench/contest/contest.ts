/** The contest of all systems: lets each play on an emulator, and computes what follows from formulas and models. */
import { version } from "../../functions/src/model/version.ts";
import { randomOf } from "../generators/random.ts";
import { shapes } from "../generators/shapes.ts";
import { leagueWeekOf } from "../league/ways.ts";
import { type Computed, type Counted, factsOf, type Played } from "../report/results.ts";
import { systems } from "../systems/index.ts";
import type { System } from "../systems/system.ts";
import { free, mapBill, sumOf } from "./bill.ts";
import { askEverything } from "./cases.ts";
import { countryDayOf } from "./countries.ts";
import { type Contestant, playOn, type Sample } from "./contestant.ts";
import { errorsOf } from "./errors.ts";
import { scaledOf } from "./scaled.ts";
import { largestRate } from "./waits.ts";
import { changesOf, drawWork, type Work } from "./work.ts";

const seed = 1;

/** Lets all systems play on the emulator that FIRESTORE_EMULATOR_HOST names. */
export async function playAll(
  emulator: string,
  { players, updates } = { players: 400, updates: 200 },
): Promise<Played> {
  const work = drawWork(shapes.chess, players, updates, seed);
  const counted: Counted[] = [];
  for (const system of systems) {
    const contestant = await playOn(system, seed, (one) => playInTurns(one, work));
    counted.push(countedOf(contestant));
    const { samples, problems } = contestant;
    console.log(`${system.name}: ${samples.length} operations, ${problems.length} problems`);
    for (const problem of problems.slice(0, 3)) console.error(`  ${problem}`);
  }
  return {
    version,
    date: new Date().toISOString().slice(0, 10),
    seed,
    work: `${work.title}, ${updates} updates`,
    emulator,
    node: process.versions.node,
    counted,
  };
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

/** Sums up what a contestant did. */
function countedOf({ system, samples, problems }: Contestant): Counted {
  const billed = [...Map.groupBy(samples, ({ operation }) => operation)].map(([operation, of]) => [
    operation,
    { times: of.length, mean: meanOf(of) },
  ]);
  return { id: system.id, billed: Object.fromEntries(billed) as Counted["billed"], problems };
}

function meanOf(samples: readonly Sample[]) {
  const sum = samples.reduce((bills, { bill }) => sumOf(bills, bill), free);
  return mapBill(sum, (amount) => amount / samples.length);
}

/** What follows from formulas and models. */
export function computeAll(): Computed {
  return {
    systems: systems.map(factsOf),
    scaled: scaledOf(systems, seed),
    countryDay: countryDayOf(seed),
    leagueWeek: leagueWeekOf(),
    rates: Object.fromEntries(systems.map((system) => [system.id, rateOf(system)])),
    errors: errorsOf(systems, { players: 1_000_000, seed }),
  };
}

function rateOf({ updatesPerSecondMax: max }: System): number | null {
  const rate =
    typeof max === "number" ? max : largestRate(max, changesOf(shapes.chess, 100_000, randomOf(1)), 100_000);
  return Number.isFinite(rate) ? rate : null;
}
