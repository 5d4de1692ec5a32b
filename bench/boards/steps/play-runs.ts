/**
 * `node --expose-gc play-runs.ts <source tree> <boards> <rounds> <latency in ms>`: lets the schedule find so many small
 * boards due at once, does what it requests, and prints what that took as JSON. A process of its own, as it loads the
 * functions of any source tree: of this one, or of an earlier commit.
 *
 * Each board has 300 players with different scores. In each round one of them has changed the score, so that the season is
 * due, and its run publishes it. Queues deliver in the order of requests, each to one instance, one after the other.
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
  /** Seconds that calls of tasks are billed, each rounded up to a tenth. */
  billedSeconds: number;
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
const store = createStore(() => nowMs);
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
    return (latencyMs > 0 ? port : soon).request(kind, what, perform);
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

async function playRound({ scheduler, stepper }: NonNullable<typeof instances>): Promise<Taken> {
  const beganMs = processorMs();
  await schedule.enqueueDue(scheduler);
  const scheduledMs = processorMs();
  const tasks = requested.splice(0);
  nowMs += 5_000;
  let [spentMs, billedSeconds, taskBytes] = [scheduledMs - beganMs, 0, 0];
  for (const [at, task] of tasks.entries()) {
    if (at === Math.floor(tasks.length / 2)) {
      const before = memory();
      look = () => void (taskBytes = memory() - before);
    }
    const [begun, begunMs] = [performance.now(), processorMs()];
    await doTask(stepper, task);
    // The task that is looked at spends most of its time on that.
    if (at !== Math.floor(tasks.length / 2)) {
      spentMs += processorMs() - begunMs;
      billedSeconds += Math.ceil((performance.now() - begun) / 100) / 10;
    }
  }
  const share = tasks.length / Math.max(1, tasks.length - 1);
  const isPublished = (number: number) => {
    const { ranking } = store.get(paths.seasonPath(keyOf(number)))?.data as { ranking: Ranking };
    return ranking.published_at?.toMillis() === nowMs;
  };
  const runs = Array.from({ length: boards }, (_, number) => number).filter(isPublished).length;
  return {
    boards,
    runs,
    tasks: tasks.length,
    processorMs: (share * spentMs) / runs,
    scheduleMs: (scheduledMs - beganMs) / runs,
    billedSeconds: share * billedSeconds,
    keptBytes: 0,
    taskBytes,
  };
}

await fill();
let taken = await playRound(instances);
for (let round = 1; round <= rounds; round++) {
  change(round);
  taken = await playRound(instances);
  if (taken.runs !== boards) throw new Error(`${taken.runs} of ${boards} boards were published`);
}
const withInstances = memory();
instances = undefined;
console.log(JSON.stringify({ ...taken, keptBytes: (withInstances - memory()) / boards } satisfies Taken));
