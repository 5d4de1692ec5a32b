/**
 * Waits under load, from a model of documents as queues; nothing here is a measurement of Firestore.
 *
 * - A document takes one commit at a time, and each takes `serviceSeconds`: 1 s is the rate that Firestore's documentation
 *   named for years as what one document sustains, 0.1 s a kinder one. A commit holds all its documents, from when the
 *   last of them is free. So commits of two documents hold up each other.
 * - Commits are served in the order of their arrival. Several commits of one update are independent; the update is done
 *   when the last is. A player's own document is never waited for.
 * - Where workers take updates from a queue, each takes what is there, at most a batch, and stores it with one commit.
 * - Updates arrive as a Poisson stream.
 */
import FlatQueue from "flatqueue";
import { quantile } from "../load/model.ts";
import type { Load } from "../systems/system.ts";
import type { Change } from "./truth.ts";

export interface Arrivals {
  load: Load;
  updatesPerSecond: number;
  serviceSeconds: number;
  /** For how long updates come; the first half only warms the model up. */
  seconds: number;
  /** Draws an update. */
  change: () => Change;
  random: () => number;
}

/** From an update to its last commit, in seconds; NaN if no update came. */
export interface Waits {
  waitP50: number;
  waitP99: number;
}

/** Runs the model. Time: about a microsecond a commit. */
export function simulateWaits(arrivals: Arrivals): Waits {
  const { load, updatesPerSecond: rate, serviceSeconds, seconds, change, random } = arrivals;
  const times: number[] = [];
  const stored: number[] = [];
  const documents = createDocuments(serviceSeconds);
  for (let now = nextAfter(0, rate, random); now <= seconds; now = nextAfter(now, rate, random)) {
    times.push(now);
    if (load.kind !== "documents") continue;
    const commits = load.commits(change(), random, rate);
    stored.push(commits.reduce((end, held) => Math.max(end, documents.commit(now, held)), now));
  }
  const ends = load.kind === "queue" ? endsInBatches(times, load, serviceSeconds) : stored;
  const waits = times.flatMap((time, i) => {
    if (time <= seconds / 2) return [];
    // The player's own document takes as long as any.
    return [Math.max(serviceSeconds, (ends[i] ?? time) - time)];
  });
  const sorted = Float64Array.from(waits).sort();
  return { waitP50: quantile(sorted, 0.5), waitP99: quantile(sorted, 0.99) };
}

/** Updates for each document, so that chance is worth some per cent of the result. */
const updatesPerDocumentMin = 200;

/**
 * The largest rate of updates at which no work piles up, or Infinity if only the players' own documents are written.
 *
 * If n updates come at once, and the last is stored after t seconds, the rate is n ÷ t for a large n: the saturation rule
 * (F. Baccelli, S. Foss: On the saturation rule for the stability of queues, 1995). Chance makes some document the
 * busiest, which adds to t as the square root of n does; a quarter of the updates shows how much.
 * @param count how many updates come at once, at least.
 * @param perDocument how many come for each document, at least.
 */
export function largestRate(
  { load, serviceSeconds, change, random }: Omit<Arrivals, "updatesPerSecond" | "seconds">,
  count = 200_000,
  perDocument = updatesPerDocumentMin,
): number {
  if (load.kind === "queue")
    return Math.min((load.workers * load.batch) / serviceSeconds, load.ratePerSecondMax ?? Infinity);
  if (load.kind !== "documents") return Infinity;
  let rate = 1;
  // A layout may widen with the rate; the others give the same in the second round.
  for (let round = 0; round < 20; round++) {
    const documents = createDocuments(serviceSeconds);
    /** When the first, the first two, … are stored. */
    const stored: number[] = [];
    while (stored.length < Math.max(count, perDocument * documents.size())) {
      const commits = load.commits(change(), random, rate);
      stored.push(
        commits.reduce((end, held) => Math.max(end, documents.commit(0, held)), stored.at(-1) ?? 0),
      );
    }
    const updates = stored.length - (stored.length % 4);
    const [last = NaN, quarter = NaN] = [stored[updates - 1], stored[updates / 4 - 1]];
    if (last === 0) return Infinity;
    // last = updates/rate + c√updates, and quarter = updates/4/rate + c√updates/2
    const carried = updates / (2 * last - 4 * quarter);
    if (Math.abs(carried - rate) < 0.03 * rate) return carried;
    rate = carried;
  }
  return rate;
}

/**
 * The share of updates that fail, if transactions don't wait but are tried again when another has changed one of their
 * documents meanwhile, as in Datastore at the time of “Fast and Reliable Ranking in Datastore”.
 * @param attempts that a transaction has; four in its client library, one after the other.
 */
export function failedShare(arrivals: Arrivals, attempts = 4): number {
  const { load, updatesPerSecond: rate, serviceSeconds, seconds, change, random } = arrivals;
  if (load.kind !== "documents") return 0;
  const tries: { update: number; held: string[]; begunAt: number; left: number }[] = [];
  const due = new FlatQueue();
  const changedAt = new Map<string, number>();
  const failed = new Set<number>();
  let updates = 0;
  let arrivesAt = nextAfter(0, rate, random);
  while (arrivesAt <= seconds || due.length > 0) {
    const endsAt = due.peekValue() ?? Infinity;
    if (arrivesAt <= seconds && arrivesAt < endsAt) {
      for (const held of load.commits(change(), random, rate)) {
        due.push(
          tries.push({ update: updates, held, begunAt: arrivesAt, left: attempts }) - 1,
          arrivesAt + serviceSeconds,
        );
      }
      updates += 1;
      arrivesAt = nextAfter(arrivesAt, rate, random);
      continue;
    }
    const one = tries[due.peek() ?? 0];
    const id = due.pop();
    if (one === undefined || id === undefined) break;
    if (!one.held.some((document) => (changedAt.get(document) ?? -1) > one.begunAt)) {
      for (const document of one.held) changedAt.set(document, endsAt);
    } else if (--one.left === 0) failed.add(one.update);
    else {
      one.begunAt = endsAt;
      due.push(id, endsAt + serviceSeconds);
    }
  }
  return updates === 0 ? 0 : failed.size / updates;
}

/** Documents, each of which takes one commit at a time. */
function createDocuments(serviceSeconds: number) {
  const busyUntil = new Map<string, number>();
  return {
    size: () => busyUntil.size,
    /** When a commit that comes at a time is stored. */
    commit(now: number, held: readonly string[]): number {
      let end = now;
      for (const document of held) end = Math.max(end, busyUntil.get(document) ?? 0);
      end += serviceSeconds;
      for (const document of held) busyUntil.set(document, end);
      return end;
    },
  };
}

/** When each of the updates that come at some rising times is stored. */
function endsInBatches(
  times: readonly number[],
  { workers, batch }: { workers: number; batch: number },
  serviceSeconds: number,
): number[] {
  const ends: number[] = [];
  const free = new FlatQueue();
  for (let worker = 0; worker < workers; worker++) free.push(worker, 0);
  while (ends.length < times.length) {
    const freeAt = free.peekValue() ?? 0;
    const worker = free.pop() ?? 0;
    const begins = Math.max(freeAt, times[ends.length] ?? 0);
    free.push(worker, begins + serviceSeconds);
    for (let taken = 0; taken < batch && (times[ends.length] ?? Infinity) <= begins; taken++) {
      ends.push(begins + serviceSeconds);
    }
  }
  return ends;
}

function nextAfter(now: number, rate: number, random: () => number): number {
  return now - Math.log(1 - random()) / rate;
}
