/**
 * `node --expose-gc play-runs.ts <source tree> <boards> <rounds> <latency in ms>`: lets the schedule find so many small
 * boards due at once, does what it requests, and prints what that took as JSON. A process of its own, as it loads the
 * functions of any source tree: of this one, or of an earlier commit.
 *
 * Each board has 300 players with different scores. In each round one of them has changed the score, so that the season is
 * due, and its run publishes it. Queues deliver in the order of requests, each to one instance, one after the other.
 *
 * Waiting takes hours where there are many boards: so only some tasks have the latency, which tell what calls are billed.
 * Of a build without shared tasks some tasks are played: each is a run by itself, and they take the same.
 */
import { join } from "node:path";
import type * as Schedule from "../../../functions/src/jobs/schedule/schedule.ts";
import type * as Step from "../../../functions/src/jobs/schedule/step.ts";
import type * as Paths from "../../../functions/src/documents/paths.ts";
import type * as FirestoreModule from "../../../functions/src/documents/firestore.ts";
import type * as Seasons from "../../../functions/src/documents/season.ts";
import type * as ServicesModule from "../../../functions/src/operations/shared/services.ts";
import type * as Saving from "../../../functions/src/operations/save-leaderboard.ts";
import type * as Spec from "../../../functions/src/operations/shared/spec.ts";
import type { JobRequest } from "../../../functions/src/world/tasks.ts";
import { silent, type Services } from "../../../functions/src/world/services.ts";
import type * as Locks from "../../../simulate/memory/locks.ts";
import type * as StoreModule from "../../../simulate/memory/store.ts";
import type * as Connect from "../../../simulate/memory/wire/connect.ts";
import type { Port } from "../../../simulate/memory/wire/server.ts";

/** What the last round took. The first, in which each board is ranked, warms up. */
export interface Taken {
  boards: number;
  runs: number;
  tasks: number;
  /** Milliseconds of processor time a run, in all and of the schedule alone. */
  processorMs: number;
  scheduleMs: number;
  /** Milliseconds a run that calls of tasks are billed, each call rounded up to a tenth of a second. */
  billedMs: number;
  /**
   * Bytes a board that the instances keep in memory after the round; and bytes that a task under way needs beside them.
   */
  keptBytes: number;
  taskBytes: number;
}

const [root = "", boardsText = "", roundsText = "", latencyText = ""] = process.argv.slice(2);
const [boards, rounds, latencyMs] = [Number(boardsText), Number(roundsText), Number(latencyText)];
const load = async <Module>(path: string) => (await import(join(root, path))) as Module;

const { createStore } = await load<typeof StoreModule>("simulate/memory/store.ts");
const locks = await load<typeof Locks>("simulate/memory/locks.ts");
const { createClient, soon } = await load<typeof Connect>("simulate/memory/wire/connect.ts");
const { createServices } = await load<typeof ServicesModule>("functions/src/operations/shared/services.ts");
const { saveLeaderboardSpec } = await load<typeof Saving>("functions/src/operations/save-leaderboard.ts");
const { answer } = await load<typeof Spec>("functions/src/operations/shared/spec.ts");
const { Timestamp } = await load<typeof FirestoreModule>("functions/src/documents/firestore.ts");
const { newSeason } = await load<typeof Seasons>("functions/src/documents/season.ts");
const paths = await load<typeof Paths>("functions/src/documents/paths.ts");
const schedule = await load<typeof Schedule & Partial<typeof Step>>(
  "functions/src/jobs/schedule/schedule.ts",
);
// An earlier tree has no steps that share a task.
const step = await load<typeof Step>("functions/src/jobs/schedule/step.ts").catch(() => undefined);

interface Ranking {
  published_at: { toMillis(): number } | null;
}

const intervalMs = 300_000;
const [players, listed, topSize] = [300, 12, 10];
let nowMs = Date.parse("2026-03-01T12:00:00Z");
let ids = 0;
/** What can be read of the past. An earlier tree looks for what to forget among all documents, and forgets nothing here. */
const keptMs = step === undefined ? Infinity : 600_000;
const store = createStore(() => nowMs, keptMs);
let isSlow = false;
/** Each request takes some time on its way, which an instance may use for others. */
const port: Port = {
  async request(kind, what, perform) {
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    const result = perform();
    return result === locks.waiting ? soon.request(kind, what, perform) : result;
  },
};
/** Called once, in the midst of a task. */
let look: (() => void) | undefined;
const looking: Port = {
  request(kind, what, perform) {
    if (kind === "commit") {
      look?.();
      look = undefined;
    }
    return (isSlow ? port : soon).request(kind, what, perform);
  },
};
const { db } = createClient({ store, locks: locks.createLocks(locks.patient) }, looking);
const requested: JobRequest[] = [];
const instance = (): Services =>
  createServices({
    db,
    now: () => nowMs,
    random: () => 0.5,
    newId: () => `id-${++ids}`,
    sleep: () => Promise.resolve(),
    log: silent,
    enqueueJob: (request) => Promise.resolve(void requested.push(request)),
    enqueueTopRefresh: () => Promise.resolve(),
    intervalMinutesMin: 1,
  });
let instances: { scheduler: Services; stepper: Services } | undefined = {
  scheduler: instance(),
  stepper: instance(),
};

const keyOf = (board: number) => ({ leaderboard: `board-${board}`, season: "all_time" });
const put = (path: string, data: object) => ({ path, guard: {}, apply: () => ({ ...data }) });

async function fill(): Promise<void> {
  const definition = { aggregation: "latest" as const, top_size: topSize };
  const admin = { uid: "bench", role: "admin" } as const;
  await answer(saveLeaderboardSpec, instance(), { leaderboard: "board-0", definition }, admin);
  const board = store.get(paths.leaderboardPath("board-0"))?.data ?? {};
  const at = Timestamp.fromMillis(nowMs - 60_000);
  const times = { opens_at: at, closes_at: null, interval_ms: intervalMs, next_run_at: at };
  const season = newSeason({ span: "all_time", ...times });
  const counts = Object.fromEntries(Array.from({ length: players }, (_, score) => [String(score), 1]));
  for (let number = 0; number < boards; number++) {
    const key = keyOf(number);
    const best = Array.from({ length: listed }, (_, place) => {
      const score = players - 1 - place;
      const counted = { score, of: "the bench" };
      return put(paths.playerPath(key, `p${place}`), {
        score,
        achieved_at: at,
        status: "active",
        attempts: 1,
        counted,
      });
    });
    store.commit([
      put(paths.leaderboardPath(key.leaderboard), board),
      put(paths.seasonPath(key), season),
      put(paths.shardPath(key, 0, at.toMillis()), { slot_ends_at: at, player_count: counts, marks: players }),
      ...best,
    ]);
  }
}

/** A player of each board changes the score, far from the top. */
function change(round: number): void {
  const endsAt = Timestamp.fromMillis(nowMs + 10_000);
  nowMs = Math.ceil((nowMs + 60_000) / intervalMs) * intervalMs + 1_000;
  const player_count = { [String(round)]: -1, [String(round + 0.5)]: 1 };
  for (let number = 0; number < boards; number++) {
    const key = keyOf(number);
    const isDue = { next_run_at: Timestamp.fromMillis(nowMs - 1_000), dormant_at: null };
    store.commit([
      put(paths.shardPath(key, 0, endsAt.toMillis()), { slot_ends_at: endsAt, player_count, marks: 1 }),
      { path: paths.seasonPath(key), guard: {}, apply: (season) => ({ ...season, ...isDue }) },
    ]);
  }
}

/** Bytes of what is in use. */
function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

async function doTask(stepper: Services, request: JobRequest): Promise<void> {
  if (request.job === "shared") return step?.stepTogether(stepper, request.steps);
  return (step ?? schedule).stepJob(stepper, request);
}

/** The most runs of a round with a latency, and of a build whose tasks are one run each, at all. */
const [slowRunsMost, loneRunsMost] = [400, 2_000];

/** Each board is a run. */
const runsIn = (request: JobRequest) => (request.job === "shared" ? request.steps.length : 1);

const isPublished = (number: number) => {
  const { ranking } = store.get(paths.seasonPath(keyOf(number)))?.data as { ranking: Ranking };
  return ranking.published_at?.toMillis() === nowMs;
};

async function playRound({ scheduler, stepper }: NonNullable<typeof instances>): Promise<Taken> {
  const beganMs = processorMs();
  await schedule.enqueueDue(scheduler);
  const scheduleMs = (processorMs() - beganMs) / boards;
  const tasks = requested.splice(0);
  const each = step === undefined ? Math.ceil(tasks.length / loneRunsMost) : 1;
  const played = tasks.filter((_, at) => at % each === 0);
  nowMs += 5_000;
  const slowEach = Math.ceil(boards / each / slowRunsMost);
  const [looked, begun] = [Math.floor(played.length / 2), { quick: 0, slow: 0 }];
  let [taskMs, taskRuns, billedMs, billedRuns, taskBytes] = [0, 0, 0, 0, 0];
  for (const [at, task] of played.entries()) {
    if (at === looked) {
      const before = memory();
      look = () => void (taskBytes = memory() - before);
      await doTask(stepper, task);
      continue;
    }
    const runs = runsIn(task);
    isSlow = latencyMs > 0 && begun.slow * slowEach <= begun.quick;
    begun[isSlow ? "slow" : "quick"] += runs;
    const [sinceMs, spentMs] = [performance.now(), processorMs()];
    await doTask(stepper, task);
    taskMs += processorMs() - spentMs;
    taskRuns += runs;
    if (!isSlow) continue;
    billedMs += Math.ceil((performance.now() - sinceMs) / 100) * 100;
    billedRuns += runs;
    isSlow = false;
  }
  const wanted = played.reduce((sum, task) => sum + runsIn(task), 0);
  const runs = Array.from({ length: boards }, (_, number) => number).filter(isPublished).length;
  if (runs !== wanted) throw new Error(`${runs} of ${wanted} boards were published`);
  const taken = { boards, runs, tasks: tasks.length, keptBytes: 0, taskBytes };
  return {
    ...taken,
    processorMs: scheduleMs + taskMs / Math.max(1, taskRuns),
    scheduleMs,
    billedMs: billedMs / Math.max(1, billedRuns),
  };
}

await fill();
let taken = await playRound(instances);
for (let round = 1; round <= rounds; round++) {
  change(round);
  taken = await playRound(instances);
}
const withInstances = memory();
instances = undefined;
console.log(JSON.stringify({ ...taken, keptBytes: (withInstances - memory()) / taken.runs } satisfies Taken));
