/** The loads that the model is run with. */
import { randomOf } from "../generators/random.ts";
import { type Load, type LoadResult, simulate } from "./model.ts";

/** What the model shows to be carried and published. */
export const ratePerSecondMax = 7_000;
export const rates = [1, 10, 100, 1_000, ratePerSecondMax];
export const serviceTimes = [1, 0.1];
export const intervalSeconds = 300;
/** What an instance is given at most: with a commit of a second and three spans its ten lanes take 330. */
const perInstance = 250;

/** Instances of `submitScore` that a load is given. */
export function instancesOf(rate: number): number {
  return Math.ceil(rate / perInstance);
}

export const starts = {
  rest: { begins: "known", spans: 1 },
  /** The season sleeps, and no instance knows it. */
  cold: { begins: "asleep", spans: 1 },
  /** The seasons of three spans begin. */
  midnight: { begins: "new", spans: 3 },
} satisfies Record<string, Pick<Load, "begins" | "spans">>;

export type Start = keyof typeof starts;

export interface Scenario {
  rate: number;
  serviceSeconds: number;
  start: Start;
  instances: number;
  result: LoadResult;
}

/** Runs one scenario for some time, the same for the same seed. */
export async function runScenario(
  rate: number,
  serviceSeconds: number,
  start: Start,
  seed: number,
  seconds = rate < 1_000 ? 600 : 60,
): Promise<Scenario> {
  const instances = instancesOf(rate);
  const result = await simulate({
    ...starts[start],
    submissionsPerSecond: rate,
    serviceSeconds,
    instances,
    seconds,
    random: randomOf(seed),
  });
  return { rate, serviceSeconds, start, instances, result };
}
