/** The loads that the model is run with: each rate at rest and from a cold start, for both service times. */
import { shardsDefault, shardsMax } from "../../functions/src/model/limits.ts";
import { initialShards } from "../../functions/src/model/shard.ts";
import { simulateWaits, type Waits } from "../contest/waits.ts";
import { randomOf } from "../generators/random.ts";
import { lognormalActivity } from "./activity.ts";
import { type LoadResult, simulate } from "./model.ts";
import {
  type Counted,
  type OpeningLoad,
  type OpeningResult,
  type RolloverResult,
  simulateOpening,
  simulateRollover,
} from "./rollover.ts";

export const rates = [1, 10, 100, 1_000, 10_000, 100_000];
export const serviceTimes = [1, 0.1];
export const intervalSeconds = 300;

/** Players of a board with so many submissions a second: each submits once in 100 s on average. */
export function playersOf(rate: number): number {
  return Math.max(1_000, 100 * rate);
}

/** `rest`: as many shards as the board's `expected_writes_per_second` asks for. `cold`: the default number, at a rush. */
export type Start = "rest" | "cold";

export interface Scenario {
  rate: number;
  serviceSeconds: number;
  start: Start;
  /** Nothing where no number of shards carries the rate. */
  result: LoadResult | undefined;
}

/** Whether the widest choice of shards takes commits as fast as they come. */
export function canCarry(rate: number, serviceSeconds: number): boolean {
  return rate * serviceSeconds < shardsMax;
}

/** Runs one scenario, the same for the same seed. */
export function runScenario(rate: number, serviceSeconds: number, start: Start, seed: number): Scenario {
  if (!canCarry(rate, serviceSeconds)) return { rate, serviceSeconds, start, result: undefined };
  const random = randomOf(seed);
  const result = simulate({
    submissionsPerSecond: rate,
    activity: lognormalActivity(playersOf(rate), rate, random),
    serviceSeconds,
    shards: start === "cold" ? shardsDefault : initialShards(rate),
    intervalSeconds,
    seconds: secondsOf(rate),
    resize: true,
    random,
  });
  return { rate, serviceSeconds, start, result };
}

/** Four intervals, so that a cold start is seen to heal; six for rates with few submissions; two where there are millions. */
function secondsOf(rate: number): number {
  if (rate <= 10) return 20 * intervalSeconds;
  return (rate <= 1_000 ? 4 : 2) * intervalSeconds;
}

/** Of a document for each score. `growing`: the hottest one cannot keep up, and work piles up without end. */
export interface ScoreWaits extends Waits {
  growing: boolean;
}

export interface ScoreLoad {
  submissionsPerSecond: number;
  serviceSeconds: number;
  seconds: number;
  /** Draws a score, as the index of its document. */
  draw: (random: () => number) => number;
  /** The share of the writes that go to the most frequent score. */
  hottestShare: number;
  random: () => number;
}

/**
 * The layout that Firerank is compared with: a change writes the old score's document and the new one's; here separately,
 * which is more favourable than one atomic commit.
 */
export function simulateDocumentPerScore(load: ScoreLoad): ScoreWaits {
  const { submissionsPerSecond, serviceSeconds, seconds, draw, hottestShare, random } = load;
  const waits = simulateWaits({
    load: { kind: "documents", commits: () => [[String(draw(random))], [String(draw(random))]] },
    updatesPerSecond: submissionsPerSecond,
    serviceSeconds,
    seconds,
    change: () => ({ player: "", before: 0, after: 0 }), // the documents are drawn instead
    random,
  });
  return { ...waits, growing: 2 * submissionsPerSecond * hottestShare * serviceSeconds >= 1 };
}

/** A document for each of 1,000 scores, taken evenly, or with 30 % of the players on one of them. */
export function runDocumentPerScore(
  rate: number,
  serviceSeconds: number,
  scores: "even" | "hot",
  seed: number,
): ScoreWaits {
  const documents = 1_000;
  const even = (random: () => number) => Math.floor(random() * documents);
  return simulateDocumentPerScore({
    submissionsPerSecond: rate,
    serviceSeconds,
    seconds: Math.max(60, Math.min(20_000, 600_000 / rate)),
    hottestShare: scores === "even" ? 1 / documents : 0.3,
    draw: scores === "even" ? even : (random) => (random() < 0.3 ? 0 : even(random)),
    random: randomOf(seed),
  });
}

/** What a day's edge is modelled with. */
const rolloverRate = 1_000;
/** So that each has 25 submissions a second. */
const instances = 40;
const rolloverSeconds = 2_400;

export interface Rollover {
  /** Submissions a second at midnight. */
  rate: number;
  /** In a quiet hour the rate doubles each half hour, up to that of a busy one. */
  hour: "busy" | "quiet";
  counted: Counted;
  result: RolloverResult;
}

/** A day's edge at several rates, and in an hour at which few play. */
export function runRollovers(seed: number, seconds = rolloverSeconds): Rollover[] {
  const loads = (["operations", "writes"] as const).flatMap((counted) => [
    ...[150, 300, 500, rolloverRate].map((rate) => ({ rate, hour: "busy" as const, counted })),
    { rate: 150, hour: "quiet" as const, counted },
  ]);
  return loads.map((load) => {
    const { rate, hour, counted } = load;
    const rising = (second: number) => Math.min(rolloverRate, rate * 2 ** (second / 1_800));
    const result = simulateRollover({
      submissionsPerSecond: hour === "busy" ? () => rate : rising,
      counted,
      // A quiet hour is seen until it is a busy one.
      seconds: hour === "busy" ? seconds : 2.5 * seconds,
      random: randomOf(seed),
    });
    return { ...load, result };
  });
}

export interface Opening {
  serviceSeconds: number;
  opens: OpeningLoad["opens"];
  result: OpeningResult;
}

/** The opening of one season by all who play. */
export function runOpenings(seed: number): Opening[] {
  return serviceTimes.flatMap((serviceSeconds) =>
    (["each", "instance"] as const).map((opens) => ({
      serviceSeconds,
      opens,
      result: simulateOpening({
        submissionsPerSecond: rolloverRate,
        instances,
        serviceSeconds,
        opens,
        random: randomOf(seed),
      }),
    })),
  );
}
