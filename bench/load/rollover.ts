/**
 * A model of a season's first minutes, when all players write to new collections.
 *
 * Firestore asks to begin a new collection with 500 operations a second at most, and to raise that by 50 % each 5
 * minutes (https://firebase.google.com/docs/firestore/best-practices#ramping_up_traffic). It does not say what happens
 * beyond that, so here the rule is a hard limit, which is the worst case: a collection is a queue that serves as many
 * operations as the rule allows, in the order of their arrival, and its age is the season's.
 *
 * What is assumed:
 * - A submission reads and writes one document of `players`; its trigger reads that once more, reads and writes one of
 *   `index_entries`, and writes one of the shards. Whether the rule means all of these or only writes, it does not say:
 *   {@link Counted} has both.
 * - Each submission changes a score, as the first of each player does in a new season, and goes to all of a board's spans at
 *   once. The seasons that begin together have the same queues, so that one of them stands for all.
 * - An attempt that would have to wait longer than 20 s fails after these 20 s and takes nothing. That is how long
 *   firerank-client waits for an answer. It sends a submission five times in all, with waits of 0.5, 1, 2 and 4 s at
 *   most; then the caller has an error, and here the submission is refused. Triggers try again as in model.ts.
 */
import FlatQueue from "flatqueue";
import { indexingAttemptsMax, lockDeadlineMs } from "../../functions/src/model/limits.ts";
import { quantile } from "./model.ts";

/** What the rule counts: all operations, as it says, or only those that change the collection. */
export type Counted = "operations" | "writes";

/** By collection: what a submission and its trigger take of it. */
const takes = {
  operations: { submission: 2, trigger: { players: 1, entries: 2, shards: 1 } },
  writes: { submission: 1, trigger: { players: 0, entries: 1, shards: 1 } },
} satisfies Record<Counted, object>;

const firstPerSecond = 500;
const growth = 1.5;
const growthSeconds = 300;
const deadlineSeconds = lockDeadlineMs / 1_000;
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
  /** All that were recorded, unless the model loses some. */
  indexed: number;
  /** From the first attempt to the record, of those that were recorded; in seconds. */
  waitP50: number;
  waitP99: number;
  /** From the record to the index, in seconds. */
  indexedP99: number;
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

/** Operations a second that come to the busiest of the new collections, without those of further attempts. */
export function operationsOf(submissionsPerSecond: number, counted: Counted): number {
  const { submission, trigger } = takes[counted];
  return submissionsPerSecond * Math.max(submission + trigger.players, trigger.entries, trigger.shards);
}

/**
 * Runs the model. Time: about a microsecond an attempt. It is one function, as submissions and their indexing wait for
 * the same collection of players, and in one queue.
 */
export function simulateRollover({
  submissionsPerSecond: rate,
  counted,
  seconds,
  random,
}: RolloverLoad): RolloverResult {
  const arrivals = arrivalsOf(rate, seconds, random);
  const size = arrivals.length;
  const recorded = new Float64Array(size).fill(NaN);
  const indexed = new Float64Array(size).fill(NaN);
  const attempts = new Uint8Array(size);
  const deliveries = new Uint8Array(size);
  const [players, entries, shards] = [collection(), collection(), collection()];
  const { submission: takesOfPlayers, trigger } = takes[counted];
  const queue = new FlatQueue();
  let atOnce = 0;
  let refused = 0;

  function send(submission: number, now: number): void {
    if (players.waitAt(now) <= deadlineSeconds) {
      const end = players.take(takesOfPlayers, now);
      recorded[submission] = end;
      if (attempts[submission] === 0) atOnce += 1;
      attempts[submission] = 0;
      queue.push(submission, end);
      return;
    }
    const sent = (attempts[submission] = (attempts[submission] ?? 0) + 1);
    if (sent === sendsMax) refused += 1;
    else queue.push(submission, now + deadlineSeconds + 0.5 * 2 ** (sent - 1) * (0.5 + random() / 2));
  }

  function index(submission: number, now: number): void {
    const longest = Math.max(players.waitAt(now), entries.waitAt(now), shards.waitAt(now));
    if (longest <= deadlineSeconds) {
      const ends = [
        players.take(trigger.players, now),
        entries.take(trigger.entries, now),
        shards.take(trigger.shards, now),
      ];
      indexed[submission] = Math.max(...ends);
      return;
    }
    const failed = (attempts[submission] = (attempts[submission] ?? 0) + 1);
    let pause = Math.min(60, 1.5 ** (failed - 1)) * (0.5 + random());
    if (failed === indexingAttemptsMax) {
      attempts[submission] = 0;
      pause = Math.min(600, 10 * 2 ** (deliveries[submission] ?? 0));
      deliveries[submission] = Math.min(255, (deliveries[submission] ?? 0) + 1);
    }
    queue.push(submission, now + deadlineSeconds + pause);
  }

  let arrived = 0;
  while (arrived < size || queue.length > 0) {
    const again = queue.peekValue() ?? Infinity;
    const arrival = arrivals[arrived] ?? Infinity;
    if (arrival <= again) {
      send(arrived, arrival);
      arrived += 1;
      continue;
    }
    const submission = queue.pop() ?? 0;
    if (Number.isNaN(recorded[submission])) send(submission, again);
    else index(submission, again);
  }
  const waits = recorded.map((end, i) => end - (arrivals[i] ?? NaN));
  const sorted = waits.filter((wait) => !Number.isNaN(wait)).sort();
  const toIndex = indexed
    .map((end, i) => end - (recorded[i] ?? NaN))
    .filter((wait) => !Number.isNaN(wait))
    .sort();
  const lastLong = waits.findLastIndex((wait) => Number.isNaN(wait) || wait > longSeconds);
  return {
    submissions: size,
    atOnce,
    recorded: sorted.length,
    refused,
    indexed: toIndex.length,
    waitP50: quantile(sorted, 0.5),
    waitP99: quantile(sorted, 0.99),
    indexedP99: quantile(toIndex, 0.99),
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
      if (operations === 0) return now;
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

export interface OpeningLoad {
  submissionsPerSecond: number;
  /** Instances of the function, each of which has to learn of the season. */
  instances: number;
  serviceSeconds: number;
  /** Who opens: each submission that finds no season by itself, or one for all that wait in its instance. */
  opens: "each" | "instance";
  random: () => number;
}

export interface OpeningResult {
  /** Transactions that found no season, of which one creates it. */
  transactions: number;
  /** Submissions that waited for the season, and how long. */
  waiting: number;
  waitP50: number;
  waitMax: number;
}

/** A read, there and back. */
const readSeconds = 0.02;

/**
 * Many submissions create a new season's document at once. Of the transactions that find none, the first one commits,
 * after the time of a commit; the others then fail, retry at once, and find it.
 */
export function simulateOpening(load: OpeningLoad): OpeningResult {
  const { submissionsPerSecond: rate, instances, serviceSeconds, opens, random } = load;
  /** When each instance's first transaction has ended: from then on it knows the season. */
  const knownAt = new Map<number, number>();
  const waits: number[] = [];
  let createdAt = Infinity;
  let transactions = 0;
  for (let now = -Math.log(1 - random()) / rate; knownAt.size < instances || now < createdAt + 1;) {
    const instance = Math.floor(random() * instances);
    const known = knownAt.get(instance);
    if (known === undefined || known > now) {
      // It first looks for the season outside a transaction, then in one.
      const begins = now + 2 * readSeconds;
      const isFirst = createdAt === Infinity;
      createdAt = Math.min(createdAt, begins + serviceSeconds);
      const findsNone = begins < createdAt;
      const end = isFirst ? createdAt : findsNone ? createdAt + readSeconds : begins;
      if (findsNone && (opens === "each" || known === undefined)) transactions += 1;
      if (known === undefined) knownAt.set(instance, end);
      waits.push((opens === "each" ? end : Math.min(end, known ?? end)) - now);
    }
    now -= Math.log(1 - random()) / rate;
  }
  const sorted = Float64Array.from(waits).sort();
  return {
    transactions,
    waiting: waits.length,
    waitP50: quantile(sorted, 0.5),
    waitMax: quantile(sorted, 1),
  };
}
