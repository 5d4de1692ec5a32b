/**
 * A model of a season's first minutes, when all players write to new collections.
 *
 * Firestore asks to begin a new collection with 500 operations a second at most, and to raise that by 50 % each 5
 * minutes (https://firebase.google.com/docs/firestore/best-practices#ramping_up_traffic). It does not say what happens
 * beyond that, so here the rule is a hard limit, which is the worst case: a collection is a queue that serves as many
 * operations as the rule allows, in the order of their arrival, and its age is the season's.
 *
 * What is assumed:
 * - A submission reads and writes one document of `players`. The shards that its commit writes are fewer, and so is what
 *   is read of them. Whether the rule means reads too or only writes, it does not say: {@link Counted} has both.
 * - Each submission changes a score, as the first of each player does in a new season, and goes to all of a board's spans at
 *   once. The seasons that begin together have the same queues, so that one of them stands for all.
 * - An attempt that would have to wait longer than 20 s, Firestore's deadline for a lock, fails after these 20 s and takes
 *   nothing. So long firerank-client waits for an answer. It sends a submission five times in all, with waits of 0.5,
 *   1, 2 and 4 s at most; then the caller has an error, and here the submission is refused.
 */
import FlatQueue from "flatqueue";
import { quantile } from "./model.ts";

/** What the rule counts: all operations, as it says, or only those that change the collection. */
export type Counted = "operations" | "writes";

const takes = { operations: 2, writes: 1 } satisfies Record<Counted, number>;

const firstPerSecond = 500;
const growth = 1.5;
const growthSeconds = 300;
const deadlineSeconds = 20;
/** Of firerank-client. */
const sendsMax = 5;
/** Longer waits are visible to players. */
export const longSeconds = 5;

export interface RolloverLoad {
  /** By seconds after midnight. */
  submissionsPerSecond: (second: number) => number;
  counted: Counted;
  /** For how long after midnight submissions come. What is still under way then is finished. */
  seconds: number;
  random: () => number;
}

export interface RolloverResult {
  submissions: number;
  /** Recorded when they were sent for the first time. */
  atOnce: number;
  /** Recorded at last. */
  recorded: number;
  /** Whose callers got an error after five attempts. */
  refused: number;
  /** From the first attempt to the record, of those that were recorded; in seconds. */
  waitP50: number;
  waitP99: number;
  /** Seconds after midnight from which on nobody waits longer than 5 s or is refused. */
  calmAfter: number;
  /** By when submissions came. */
  stretches: { fromSecond: number; waitP99: number; refused: number }[];
}

/** Operations a second that the rule allows a collection of so many seconds. */
export function allowedPerSecond(age: number): number {
  return firstPerSecond * growth ** Math.floor(age / growthSeconds);
}

/** Seconds until the rule allows so many. */
export function allowedAfter(operationsPerSecond: number): number {
  const steps = Math.log(operationsPerSecond / firstPerSecond) / Math.log(growth);
  return Math.max(0, Math.ceil(steps)) * growthSeconds;
}

/** Operations a second that come to the new collection, without those of further attempts. */
export function operationsOf(submissionsPerSecond: number, counted: Counted): number {
  return submissionsPerSecond * takes[counted];
}

/** Runs the model. Time: about a microsecond an attempt. */
export function simulateRollover({
  submissionsPerSecond: rate,
  counted,
  seconds,
  random,
}: RolloverLoad): RolloverResult {
  const arrivals = arrivalsOf(rate, seconds, random);
  const size = arrivals.length;
  const recorded = new Float64Array(size).fill(NaN);
  const attempts = new Uint8Array(size);
  const players = collection();
  const queue = new FlatQueue();
  let atOnce = 0;
  let refused = 0;

  function send(submission: number, now: number): void {
    if (players.waitAt(now) <= deadlineSeconds) {
      recorded[submission] = players.take(takes[counted], now);
      if (attempts[submission] === 0) atOnce += 1;
      return;
    }
    const sent = (attempts[submission] = (attempts[submission] ?? 0) + 1);
    if (sent === sendsMax) refused += 1;
    else queue.push(submission, now + deadlineSeconds + 0.5 * 2 ** (sent - 1) * (0.5 + random() / 2));
  }

  let arrived = 0;
  while (arrived < size || queue.length > 0) {
    const again = queue.peekValue() ?? Infinity;
    const arrival = arrivals[arrived] ?? Infinity;
    if (arrival <= again) send(arrived++, arrival);
    else send(queue.pop() ?? 0, again);
  }
  const waits = recorded.map((end, i) => end - (arrivals[i] ?? NaN));
  const sorted = waits.filter((wait) => !Number.isNaN(wait)).sort();
  const lastLong = waits.findLastIndex((wait) => Number.isNaN(wait) || wait > longSeconds);
  return {
    submissions: size,
    atOnce,
    recorded: sorted.length,
    refused,
    waitP50: quantile(sorted, 0.5),
    waitP99: quantile(sorted, 0.99),
    calmAfter: lastLong < 0 ? 0 : (arrivals[lastLong] ?? NaN),
    stretches: stretchesOf(arrivals, waits, seconds),
  };
}

/** A Poisson stream whose rate follows the time. */
function arrivalsOf(rate: (second: number) => number, seconds: number, random: () => number): Float64Array {
  const times: number[] = [];
  for (let now = 0; ;) {
    now -= Math.log(1 - random()) / rate(now);
    if (now >= seconds) return Float64Array.from(times);
    times.push(now);
  }
}

/** A collection as old as the season: when an operation that comes now is served, and taking some. */
function collection() {
  let freeAt = 0;
  return {
    waitAt: (now: number) => Math.max(0, freeAt - now),
    take(operations: number, now: number): number {
      const start = Math.max(now, freeAt);
      freeAt = start + operations / allowedPerSecond(start);
      return freeAt;
    },
  };
}

function stretchesOf(arrivals: Float64Array, waits: Float64Array, seconds: number) {
  const stretches: RolloverResult["stretches"] = [];
  const many = 40;
  let from = 0;
  for (let i = 0; i < many; i++) {
    const until = arrivals.findIndex((time, at) => at >= from && time >= (seconds * (i + 1)) / many);
    const end = until < 0 ? arrivals.length : until;
    const come = waits.subarray(from, end);
    const recorded = come.filter((wait) => !Number.isNaN(wait)).sort();
    const refused = come.length - recorded.length;
    stretches.push({ fromSecond: (seconds * i) / many, waitP99: quantile(recorded, 0.99), refused });
    from = end;
  }
  return stretches;
}
