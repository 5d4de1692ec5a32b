/**
 * Group commit: changes that wait in a process for the same target share a transaction, and so one shard document.
 *
 * - **Nobody waits for company.** What arrives while a commit is on its way goes with the next one. A second lane begins
 *   only when a full batch waits.
 * - **A player is in one commit at a time**, with a few changes, in the order in which they came.
 * - **No shared fate.** A batch has one attempt and a few seconds. If it fails, its players go alone, at once and side
 *   by side, with the time that the request has. A player who failed alone, was slow or had to begin again goes alone
 *   for a minute. So does a player whose last two batches failed, such as one who floods several instances. If most of a
 *   batch were slow or failed, the cause is the database, and they go together again, to spare it the load.
 *
 * What a change has to remember from the batch to the attempt alone, such as the id that shows whether it was recorded,
 * is its own to keep: a batch that seemed to fail may have been committed.
 */
import { LRUCache } from "lru-cache";
import { documentsPerCommitMax, waitingPerPlayerMax } from "../model/limits.ts";
import type { Deadline } from "../world/services.ts";

/** A change of a player that waits for a commit. */
export interface PlayerJob {
  player: string;
}

export interface Attempt {
  /** Whether the players share it: then it has one attempt, and must write nothing once `isOver` says so. */
  isShared: boolean;
  /** Has to be called whenever the transaction begins, as one that was beaten begins again. */
  begins(): void;
  isOver(): boolean;
}

interface LanesOptions<Target, Job, Result> {
  now: () => number;
  /** Rejects after a time; tests and the simulation have clocks of their own. */
  deadline: (ms: number) => Deadline;
  /** Targets with the same key share commits. */
  keyOf: (target: Target) => string;
  /** Documents that a player's changes concern: one for each season. */
  documentsOf: (target: Target) => number;
  perPlayerMax: number;
  /** One transaction for some players. Changes without a result wait for the next commit. */
  commit: (target: Target, jobs: readonly Job[], attempt: Attempt) => Promise<Map<Job, Result>>;
  /** Why a change is not taken, as too many of its player wait. */
  tooMany: (job: Job) => Error;
}

interface Waiting<Job, Result> {
  job: Job;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** The changes that wait for a target, by player: whoever came first is the first. */
interface Queue<Target, Job, Result> {
  key: string;
  target: Target;
  waiting: Map<string, Waiting<Job, Result>[]>;
  busy: Set<string>;
  lanes: number;
}

/** How long a player goes alone whose own commit failed, was slow or had to begin again. */
export const aloneMs = 60_000;

/** A commit of a player alone that took so long was slow. */
export const slowAloneMs = 2_500;

/** Far more than fail within a minute. Memory for all is reserved at the start of a process, so more would slow it. */
const aloneKeptMax = 1_000;

/** Commits of one target under way in a process. Each further one begins only with a full batch. */
export const lanesMax = 10;

/** How long the changes that share a commit wait for it. Then each player's go alone. */
export const batchMsMax = 4_000;

// eslint-disable-next-line max-lines-per-function -- short functions over the same queues
export function createLanes<Target, Job extends PlayerJob, Result>(parts: LanesOptions<Target, Job, Result>) {
  const { now, deadline, keyOf, documentsOf, perPlayerMax, commit, tooMany } = parts;
  type WaitingJob = Waiting<Job, Result>;
  type TargetQueue = Queue<Target, Job, Result>;
  const queues = new Map<string, TargetQueue>();
  /** Until when a player goes alone. */
  const alone = new LRUCache<string, number>({ max: aloneKeptMax });
  /** Players whose last shared batch failed. */
  const suspects = new LRUCache<string, true>({ max: aloneKeptMax });

  function queueOf(target: Target): TargetQueue {
    const key = keyOf(target);
    const queue = queues.get(key) ?? { key, target, waiting: new Map(), busy: new Set(), lanes: 0 };
    // Keep the latest target: it has the freshest view of which seasons are dormant.
    queue.target = target;
    queues.set(key, queue);
    return queue;
  }

  const nameOf = ({ key }: TargetQueue, player: string) => `${key} ${player}`;
  const goesAlone = (queue: TargetQueue, player: string) => (alone.get(nameOf(queue, player)) ?? 0) > now();

  /** Takes the first changes of a player out of the queue; the player is busy until they are done. */
  function take(queue: TargetQueue, player: string): WaitingJob[] {
    const all = queue.waiting.get(player) ?? [];
    const taken = all.splice(0, perPlayerMax);
    if (all.length === 0) queue.waiting.delete(player);
    queue.busy.add(player);
    return taken;
  }

  function pump(queue: TargetQueue): void {
    const free = [...queue.waiting.keys()].filter((player) => !queue.busy.has(player));
    const shared: string[] = [];
    for (const player of free) {
      if (goesAlone(queue, player)) void goAlone(queue, player);
      else shared.push(player);
    }
    const size = Math.max(1, Math.floor(documentsPerCommitMax / documentsOf(queue.target)));
    while (shared.length > 0 && (queue.lanes === 0 || (shared.length >= size && queue.lanes < lanesMax))) {
      const players = shared.splice(0, size);
      void commitShared(queue, new Map(players.map((player) => [player, take(queue, player)])));
    }
    if (queue.waiting.size === 0 && queue.busy.size === 0) queues.delete(queue.key);
  }

  async function commitShared(queue: TargetQueue, players: Map<string, WaitingJob[]>): Promise<void> {
    queue.lanes += 1;
    const all = [...players.values()].flat();
    let isOver = false;
    const limit = deadline(batchMsMax);
    try {
      const attempt = { isShared: true, begins: () => undefined, isOver: () => isOver };
      const work = commit(queue.target, jobsOf(all), attempt);
      settle(queue, players, await Promise.race([work, limit.passed]));
      for (const player of players.keys()) suspects.delete(nameOf(queue, player));
    } catch {
      void commitEachAlone(queue, players);
    } finally {
      isOver = true;
      limit.cancel();
      queue.lanes -= 1;
      pump(queue);
    }
  }

  async function commitEachAlone(
    queue: TargetQueue,
    players: ReadonlyMap<string, WaitingJob[]>,
  ): Promise<void> {
    const again = [...players.keys()].filter((player) => suspects.has(nameOf(queue, player)));
    for (const player of players.keys()) suspects.set(nameOf(queue, player), true);
    const each = await Promise.all(
      [...players].map(async ([player, jobs]) => ((await commitAlone(queue, player, jobs)) ? [] : [player])),
    );
    const troubled = each.flat();
    if (players.size > 1 && troubled.length > players.size / 2) return;
    for (const player of [...troubled, ...again]) alone.set(nameOf(queue, player), now() + aloneMs);
  }

  /** Commits a player alone, who stays alone while that fails or is slow. */
  async function goAlone(queue: TargetQueue, player: string): Promise<void> {
    if (!(await commitAlone(queue, player, take(queue, player))))
      alone.set(nameOf(queue, player), now() + aloneMs);
  }

  /** @returns whether it went well, soon and at once. */
  async function commitAlone(queue: TargetQueue, player: string, jobs: WaitingJob[]): Promise<boolean> {
    const beganMs = now();
    let begun = 0;
    let hasFailed = false;
    try {
      const attempt = { isShared: false, begins: () => void (begun += 1), isOver: () => false };
      settle(queue, new Map([[player, jobs]]), await commit(queue.target, jobsOf(jobs), attempt));
    } catch (error) {
      hasFailed = true;
      for (const { reject } of jobs) reject(error);
      queue.busy.delete(player);
    }
    pump(queue);
    return !hasFailed && begun <= 1 && now() - beganMs < slowAloneMs;
  }

  /** Hands out results. A player with changes that have no result goes to the front of the queue. */
  function settle(
    queue: TargetQueue,
    players: ReadonlyMap<string, WaitingJob[]>,
    results: ReadonlyMap<Job, Result>,
  ): void {
    const left = new Map<string, WaitingJob[]>();
    for (const [player, jobs] of players) {
      queue.busy.delete(player);
      const undone = jobs.filter(({ job }) => !results.has(job));
      for (const { job, resolve } of jobs) if (results.has(job)) resolve(results.get(job) as Result);
      if (undone.length > 0) left.set(player, [...undone, ...(queue.waiting.get(player) ?? [])]);
    }
    if (left.size === 0) return;
    for (const [player, jobs] of queue.waiting) if (!left.has(player)) left.set(player, jobs);
    queue.waiting = left;
  }

  return {
    /**
     * Commits changes of a target, those of one player in their order, and resolves to their results, in order.
     * @throws for each change what its commit throws; as `PromiseSettledResult`, as one says nothing of the others.
     */
    add(target: Target, jobs: readonly Job[]): Promise<PromiseSettledResult<Result>[]> {
      const queue = queueOf(target);
      const results = jobs.map((job) => {
        const { promise, resolve, reject } = Promise.withResolvers<Result>();
        const own = queue.waiting.get(job.player) ?? [];
        if (own.length < waitingPerPlayerMax)
          queue.waiting.set(job.player, [...own, { job, resolve, reject }]);
        else reject(tooMany(job));
        return promise;
      });
      pump(queue);
      return Promise.allSettled(results);
    },
  };
}

const jobsOf = <Job>(all: readonly { job: Job }[]) => all.map(({ job }) => job);
