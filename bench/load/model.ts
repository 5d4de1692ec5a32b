/**
 * A model of submissions under load, in a time of its own; nothing here is a measurement of Firestore.
 *
 * What is production's own: the lanes in which submissions share commits (counting/lanes.ts), the shard documents of each
 * instance (counting/own-shards.ts), the slots and the limits.
 *
 * What is assumed:
 * - A commit takes `serviceSeconds`, its reads included, whatever is in it: 1 s is the rate that Firestore's documentation
 *   named for years as what one document sustains, 0.1 s a kinder one. No commit waits for another's documents: shards
 *   belong to one instance, and no player submits twice in that time.
 * - Submissions arrive as a Poisson stream, and every one of them changes a score (the worst case). Each goes to any of the
 *   instances.
 * - An instance first learns of a season: it reads it twice, and the first one creates a season that is not there yet.
 *   What comes meanwhile waits.
 * - If the season sleeps, the first commit wakes it. All others under way fail when it ends, as each of them has read the
 *   season's document and would write it too.
 */
import FlatQueue from "flatqueue";
import { createLanes, batchMsMax } from "../../functions/src/counting/lanes.ts";
import { createOwnShards, type OwnShards } from "../../functions/src/counting/own-shards.ts";
import {
  shardBytesMax,
  shardCommitsApartMs,
  slotMs,
  submissionsPerPlayerMax,
} from "../../functions/src/model/limits.ts";
import { slotEnd } from "../../functions/src/model/slot.ts";
import { quantile } from "../quantile.ts";
import type { Slot } from "./bill.ts";
import { changeBytes, shardOf } from "./stored.ts";

export interface Load {
  submissionsPerSecond: number;
  serviceSeconds: number;
  instances: number;
  /** Seasons that a submission goes to at once. */
  spans: number;
  /** What instances know when submissions begin: the season; one that sleeps; or none, as it is about to begin. */
  begins: "known" | "asleep" | "new";
  /** For how long submissions come. What is still under way then is finished. */
  seconds: number;
  random: () => number;
}

export interface LoadResult {
  submissions: number;
  /** All of them, unless the model loses some. */
  committed: number;
  commits: number;
  /** From submission to commit, in seconds. */
  waitP50: number;
  waitP99: number;
  waitMax: number;
  /** The 99th percentile of the submissions of the first ten seconds. */
  firstP99: number;
  /** Submissions that one instance had at once, at most. */
  atOnceMax: number;
  /** For each slot in which submissions came all the time, of one season: its shard documents, and their bytes. */
  slots: Slot[];
}

/** A read, there and back. */
const readSeconds = 0.02;
const firstSeconds = 10;
const key = { leaderboard: "model", season: "all_time" };

interface Job {
  player: string;
  /** When it arrived. */
  at: number;
  index: number;
}

interface Server {
  lanes: ReturnType<typeof createLanes<number, Job, true>>;
  shards: OwnShards;
  /** When it knows the season; undefined before its first submission. */
  knownAt: number | undefined;
  atOnce: number;
}

/**
 * Runs the model. Time: some ten microseconds a submission; memory: a few hundred bytes each.
 * It is one function, as arrivals, commits and the clock move each other.
 */
export async function simulate(load: Load): Promise<LoadResult> {
  const { submissionsPerSecond: rate, serviceSeconds, spans, begins, seconds, random } = load;
  if (serviceSeconds * 1_000 >= batchMsMax) throw new Error("here no batch takes longer than it may");
  const waits: number[] = [];
  const slots = new Map<number, Map<string, number>>();
  const result = { commits: 0, atOnceMax: 0, submissions: 0 };
  /** What happens at which second. */
  const events: (() => void)[] = [];
  const queue = new FlatQueue();
  let now = 0;
  let createdAt = begins === "new" ? Infinity : -Infinity;
  let awakeAt = begins === "asleep" ? Infinity : -Infinity;
  const nowMs = () => now * 1_000;
  const at = (second: number, what: () => void) => {
    queue.push(events.push(what) - 1, second);
  };

  function createServer(n: number): Server {
    const shards = createOwnShards({
      now: nowMs,
      process: `instance-${n}`,
      apartMs: shardCommitsApartMs,
      bytesMax: shardBytesMax,
    });
    const lanes = createLanes<number, Job, true>({
      now: nowMs,
      deadline: () => ({ passed: new Promise(() => undefined), cancel: () => undefined }),
      keyOf: String,
      documentsOf: () => spans,
      perPlayerMax: submissionsPerPlayerMax,
      commit: (_, jobs) => commit(shards, jobs),
      tooMany: () => new Error("the model has no such player"),
    });
    return { lanes, shards, knownAt: undefined, atOnce: 0 };
  }

  function commit(shards: OwnShards, jobs: readonly Job[]): Promise<Map<Job, true>> {
    const { promise, resolve, reject } = Promise.withResolvers<Map<Job, true>>();
    if (awakeAt < Infinity && now < awakeAt) {
      at(awakeAt, () => {
        reject(new Error("another commit woke the season"));
      });
      return promise;
    }
    if (awakeAt === Infinity) awakeAt = now + serviceSeconds;
    result.commits += 1;
    const changes = 2 * jobs.length;
    const slotEndsAtMs = slotEnd(nowMs(), slotMs);
    const shard = shards.take(key, slotEndsAtMs, changes * changeBytes);
    const documents = slots.get(slotEndsAtMs) ?? new Map<string, number>();
    slots.set(slotEndsAtMs, documents.set(shard.name, (documents.get(shard.name) ?? 0) + changes));
    at(now + serviceSeconds, () => {
      shard.giveBack();
      resolve(new Map(jobs.map((job) => [job, true])));
    });
    return promise;
  }

  /** When an instance that asks now knows the season. */
  function learn(): number {
    if (begins === "known") return now;
    const looked = now + 2 * readSeconds;
    if (looked >= createdAt) return looked;
    if (createdAt === Infinity) return (createdAt = looked + serviceSeconds);
    return createdAt + readSeconds;
  }

  function submit(server: Server, job: Job): void {
    server.atOnce += 1;
    result.atOnceMax = Math.max(result.atOnceMax, server.atOnce);
    server.knownAt ??= learn();
    const add = () => {
      void server.lanes.add(0, [job]).then(() => {
        server.atOnce -= 1;
        waits[job.index] = now - job.at;
      });
    };
    if (server.knownAt <= now) add();
    else at(server.knownAt, add);
  }

  const servers = Array.from({ length: load.instances }, (_, n) => createServer(n));
  let arrival = exponential(rate, random);
  for (;;) {
    const next = queue.peekValue() ?? Infinity;
    if (arrival < Math.min(next, seconds)) {
      now = arrival;
      const server = servers[Math.floor(random() * servers.length)];
      const index = result.submissions++;
      if (server !== undefined) submit(server, { player: `p${index}`, at: now, index });
      arrival = now + exponential(rate, random);
      continue;
    }
    if (next === Infinity) break;
    now = next;
    events[queue.pop() ?? 0]?.();
    // What has ended goes on before the clock does.
    if (queue.peekValue() !== now) await new Promise(setImmediate);
  }

  const first = waits.slice(0, Math.ceil(rate * Math.min(firstSeconds, seconds)));
  return {
    ...result,
    committed: waits.filter((wait) => wait >= 0).length,
    waitP50: quantile(waits, 0.5),
    waitP99: quantile(waits, 0.99),
    waitMax: quantile(waits, 1),
    firstP99: quantile(first, 0.99),
    slots: [...slots].filter(([endMs]) => endMs <= seconds * 1_000).map(([, documents]) => slotOf(documents)),
  };
}

function slotOf(documents: ReadonlyMap<string, number>): Slot {
  let bytes = 0;
  for (const scores of documents.values()) bytes += shardOf(scores).bytes;
  return { documents: documents.size, bytes };
}

function exponential(rate: number, random: () => number): number {
  return -Math.log(1 - random()) / rate;
}
