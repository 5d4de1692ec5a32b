/**
 * A model of the index under load: documents are queues, and nothing here is a measurement of Firestore.
 *
 * What is production's own: {@link chooseShard} (any shard, then any of a range eight times as wide with each
 * attempt), {@link nextShards} (the run's rule), the slots, the intervals and the limits.
 *
 * What is assumed:
 * - A shard document takes one commit at a time and `serviceSeconds` for it: 1 s is the rate that Firestore's
 *   documentation named for years as what one document sustains, 0.1 s a kinder one. Waiting commits are served in
 *   the order of their arrival, as Firestore grants locks. The player's own documents are never waited for, as a
 *   player writes at most once in 20 s.
 * - An attempt that would wait longer than 20 s, Firestore's lock deadline, fails after these 20 s and holds nothing
 *   meanwhile. It is tried again as the client library does: after a back-off of 1 s × 1.5^k, at most 60 s, varied by
 *   half of it either way, with the next wider range of shards. After the last attempt the trigger gives up, and its
 *   event comes again after 10 s × 2^k, at most 600 s, beginning with the narrow range.
 * - Submissions arrive as a Poisson stream, every one of them changes a score (the worst case), and players are
 *   unequally active: lognormal with sigma 1.5, none more than once in 20 s.
 * - Each writer remembers the number of shards for a minute: a new one reaches them evenly within that minute.
 * - A run starts 5 s after its interval's end and folds what was committed by then in the slots that ended; a commit
 *   of such a slot which comes later is folded by the next run. How long publishing takes is added by bill.ts.
 */
import FlatQueue from "flatqueue";
import {
  boardCacheMs,
  indexingAttemptsMax,
  lockDeadlineMs,
  shardChangeBytesMax,
  shardsMax,
  slotGraceSeconds,
  slotMs,
} from "../../functions/src/model/limits.ts";
import { chooseShard, nextShards } from "../../functions/src/model/shard.ts";
import type { Activity } from "./activity.ts";

const lockDeadlineSeconds = lockDeadlineMs / 1_000;

export interface Load {
  submissionsPerSecond: number;
  /** Who submits; see activity.ts. */
  activity: Activity;
  serviceSeconds: number;
  /** Shards at the start. */
  shards: number;
  intervalSeconds: number;
  /** Length of a slot; production's by default. */
  slotSeconds?: number;
  /** For how long submissions come. What is still under way then is finished. */
  seconds: number;
  /** Whether runs set the number of shards, as production's do. */
  resize: boolean;
  random: () => number;
  /** Another choice of shards than production's, to compare with. */
  choose?: (shards: number, attempt: number, drawn: number, player: string) => number;
}

/** One stretch of time, by when submissions came. */
export interface Stretch {
  fromSecond: number;
  /** From submission to committed index, in seconds. */
  waitP50: number;
  waitP99: number;
}

export interface LoadResult {
  submissions: number;
  /** Submissions whose index change was committed in the end; all of them, unless the model loses some. */
  committed: number;
  waitP50: number;
  waitP99: number;
  waitMax: number;
  /** Attempts that failed at the lock deadline. */
  retries: number;
  /** Events that came again as all attempts had failed. */
  redeliveries: number;
  /** The number of shards in force after each run. */
  shards: number[];
  /** Shard documents folded by each run. */
  shardDocuments: number[];
  /** Bytes of the largest shard document, if every change has two scores of its own and of the longest text. */
  shardBytesMax: number;
  /** From the last submission's to the last commit's time: near 0 unless work piled up. */
  backlogSeconds: number;
  /** Submissions that were not committed yet when the last one came. */
  late: number;
  /** From submission to the start of the run that folds it, in seconds. */
  foldedP50: number;
  foldedP99: number;
  stretches: Stretch[];
}

/**
 * Runs the model. Time: about a microsecond an attempt; memory: about 20 bytes a submission. It is one function, as
 * attempts fill the slots that runs fold, and runs set the shards that attempts choose from.
 */
export function simulate(load: Load): LoadResult {
  const {
    submissionsPerSecond: rate,
    activity,
    serviceSeconds,
    intervalSeconds,
    slotSeconds = slotMs / 1_000,
    seconds,
    random,
    choose = chooseShard,
  } = load;
  const size = Math.ceil(rate * seconds);
  const arrivals = new Float64Array(size);
  const waits = new Float64Array(size);
  const players = new Uint32Array(size);
  const folded = new Float64Array(size);
  const attempts = new Uint8Array(size);
  const deliveries = new Uint8Array(size);
  const queue = new FlatQueue();
  const slots = new Map<number, Slot>();
  const result = { retries: 0, redeliveries: 0, committed: 0, lastCommit: 0, writesMax: 0 };
  const shards: number[] = [];
  const shardDocuments: number[] = [];
  const known = { before: load.shards, now: load.shards, since: -Infinity };

  function attempt(submission: number, now: number): void {
    const slotNumber = Math.floor(now / slotSeconds);
    const slot = slotAt(slots, slotNumber);
    const isNews = random() * (boardCacheMs / 1_000) < now - known.since;
    const number = attempts[submission] ?? 0;
    const shard = choose(isNews ? known.now : known.before, number, random(), `p${players[submission]}`);
    const start = Math.max(now, slot.busyUntil[shard] ?? 0);
    if (start - now > lockDeadlineSeconds) {
      tryAgain(submission, now + lockDeadlineSeconds);
      return;
    }
    const end = start + serviceSeconds;
    if (slot.writes[shard] === 0) slot.documents += 1;
    const writes = (slot.writes[shard] = (slot.writes[shard] ?? 0) + 1);
    result.writesMax = Math.max(result.writesMax, writes);
    slot.busyUntil[shard] = end;
    slot.total += 1;
    waits[submission] = end - (arrivals[submission] ?? NaN);
    folded[submission] =
      foldedAt((slotNumber + 1) * slotSeconds, end, intervalSeconds) - (arrivals[submission] ?? NaN);
    result.committed += 1;
    result.lastCommit = Math.max(result.lastCommit, end);
  }

  function tryAgain(submission: number, now: number): void {
    result.retries += 1;
    const failed = (attempts[submission] = (attempts[submission] ?? 0) + 1);
    let pause = Math.min(60, 1.5 ** (failed - 1)) * (0.5 + random());
    if (failed === indexingAttemptsMax) {
      attempts[submission] = 0;
      result.redeliveries += 1;
      pause = Math.min(600, 10 * 2 ** (deliveries[submission] ?? 0));
      deliveries[submission] = Math.min(255, (deliveries[submission] ?? 0) + 1);
    }
    queue.push(submission, now + pause);
  }

  function run(interval: number, now: number): void {
    const endSecond = (interval + 1) * intervalSeconds;
    const ended = [...slots].filter(([slot]) => (slot + 1) * slotSeconds <= endSecond);
    let documents = 0;
    let peak = 0;
    for (const [slot, { documents: count, total, isFolded }] of ended) {
      // One interval longer, for commits that come late.
      if ((slot + 1) * slotSeconds <= endSecond - intervalSeconds) slots.delete(slot);
      if (isFolded) continue;
      documents += count;
      peak = Math.max(peak, total / slotSeconds);
      slots.set(slot, { ...slotAt(slots, slot), isFolded: true });
    }
    shardDocuments.push(documents);
    if (load.resize && peak > 0) {
      Object.assign(known, {
        before: known.now,
        now: nextShards(known.now, peak),
        since: now,
      });
    }
    shards.push(known.now);
  }

  let arrived = 0;
  let nextArrival = exponential(rate, random);
  let nextRun = 0;
  while (arrived < size || queue.length > 0) {
    const retryAt = queue.peekValue() ?? Infinity;
    const arrivalAt = arrived < size ? nextArrival : Infinity;
    const now = Math.min(retryAt, arrivalAt);
    for (; now > runTime(nextRun, intervalSeconds); nextRun++)
      run(nextRun, runTime(nextRun, intervalSeconds));
    if (arrivalAt <= retryAt) {
      arrivals[arrived] = now;
      players[arrived] = activity(random);
      arrived += 1;
      nextArrival = now + exponential(rate, random);
      attempt(arrived - 1, now);
    } else attempt(queue.pop() ?? 0, now);
  }
  run(nextRun, runTime(nextRun, intervalSeconds));
  const last = arrivals[size - 1] ?? 0;
  const late = waits.reduce((count, wait, i) => count + Number((arrivals[i] ?? 0) + wait > last), 0);
  const sorted = waits.slice().sort();
  folded.sort();
  return {
    submissions: size,
    committed: result.committed,
    waitP50: quantile(sorted, 0.5),
    waitP99: quantile(sorted, 0.99),
    waitMax: quantile(sorted, 1),
    retries: result.retries,
    redeliveries: result.redeliveries,
    shards,
    shardDocuments,
    shardBytesMax: result.writesMax * 2 * shardChangeBytesMax,
    backlogSeconds: result.lastCommit - last,
    late,
    foldedP50: quantile(folded, 0.5),
    foldedP99: quantile(folded, 0.99),
    stretches: stretchesOf(arrivals, waits, seconds),
  };
}

interface Slot {
  busyUntil: Float64Array;
  writes: Uint32Array;
  documents: number;
  total: number;
  isFolded: boolean;
}

function slotAt(slots: Map<number, Slot>, number: number): Slot {
  const found = slots.get(number);
  if (found !== undefined) return found;
  const most = 2 * shardsMax;
  const slot = {
    busyUntil: new Float64Array(most),
    writes: new Uint32Array(most),
    documents: 0,
    total: 0,
    isFolded: false,
  };
  slots.set(number, slot);
  return slot;
}

function runTime(interval: number, intervalSeconds: number): number {
  return (interval + 1) * intervalSeconds + slotGraceSeconds;
}

/** When a commit at `end` to a document of a slot is folded: by the run that the slot belongs to, or by a later one. */
function foldedAt(slotEnd: number, end: number, intervalSeconds: number): number {
  const own = runTime(Math.ceil(slotEnd / intervalSeconds) - 1, intervalSeconds);
  return own + Math.max(0, Math.ceil((end - own) / intervalSeconds)) * intervalSeconds;
}

function exponential(rate: number, random: () => number): number {
  return -Math.log(1 - random()) / rate;
}

/** The value that a share of some sorted ones does not exceed. */
export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** Thirty stretches of the same length. */
function stretchesOf(arrivals: Float64Array, waits: Float64Array, seconds: number): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  for (let i = 0; i < 30; i++) {
    const until = arrivals.findIndex((time, at) => at >= from && time >= (seconds * (i + 1)) / 30);
    const end = until < 0 ? arrivals.length : until;
    const sorted = waits.slice(from, end).sort();
    if (sorted.length > 0) {
      const [waitP50, waitP99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
      stretches.push({ fromSecond: (seconds * i) / 30, waitP50, waitP99 });
    }
    from = end;
  }
  return stretches;
}
