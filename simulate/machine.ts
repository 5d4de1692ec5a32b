/**
 * The base of every simulated world: a database, instances of the functions with their own clocks and caches, and
 * invocations on them, one operation at a time.
 */
import { readTimeKeptMs } from "../functions/src/model/limits.ts";
import { createServices } from "../functions/src/operations/shared/services.ts";
import type { Services } from "../functions/src/world/services.ts";
import type {
  ClosingRequest,
  PlayerRequest,
  RepairRequest,
  SeasonRequest,
  SharedStep,
  TopRefreshRequest,
} from "../functions/src/world/tasks.ts";
import { Timestamp } from "../functions/src/documents/firestore.ts";
import { type SeasonKey, shardsPath } from "../functions/src/documents/paths.ts";
import { createLocks, waiting } from "./memory/locks.ts";
import { createStore, grpcError, type Guard } from "./memory/store.ts";
import { createClient } from "./memory/wire/connect.ts";
import type { Database, Meddler, Port } from "./memory/wire/server.ts";
import type { Mutant } from "./mistakes.ts";
import type { Plan } from "./plan.ts";
import { type Actor, createScheduler } from "./scheduler.ts";
import { silent } from "../functions/src/world/services.ts";

/** A process that runs functions. */
export interface Instance {
  name: string;
  services: Services;
  /** The actor for the reads of its caches. */
  actor: Actor;
  client: ReturnType<typeof createClient>;
  /** How far its clock is ahead. */
  skewMs: number;
}

/** How an actor's work ended. */
export type Ending = { how: "done" } | { how: "failed"; error: unknown } | { how: "killed" };

export type Machine = ReturnType<typeof createMachine>;

/** How long a past moment can be read: a little longer than functions rely on. */
const readableMs = (readTimeKeptMs * 60) / 55;

/** How far checks look back. */
const checksKeepMs = 15 * 60_000;

/** How likely actors are chosen. */
const paces = [1, 1, 1, 0.3, 0.05];

/**
 * A machine without instances; its `start` starts them. It is one function, as time, queues and instances refer
 * to each other.
 * @param mutant a mistake of its functions.
 */
export function createMachine(random: () => number, plan: Plan, mutant: Mutant = {}) {
  const index = (length: number) => Math.floor(random() * length);
  let nowMs = plan.startMs;
  let ids = 0;
  const { wait, abort } = plan.conflict;
  const locks = createLocks(() => {
    const chance = random();
    return chance < wait ? "wait" : chance < wait + abort ? "abort" : "break";
  });
  const store = createStore(() => nowMs, Math.max(checksKeepMs, readableMs));
  const { write, query, readAt, readFrom } = mutant;
  const by = () => machine.performing?.name ?? "";
  const meddler: Meddler = {
    write: (sent) => {
      if (machine.damaged.has(sent.path)) return { ...sent, guard: unmet };
      return write === undefined ? sent : write(sent, by());
    },
    query: (spec) => {
      const { deadly, performing } = machine;
      const isRun = performing !== undefined && /^(run|steps) of /.test(performing.name);
      if (isRun && deadly !== undefined && spec.collection === shardsPath(deadly.key)) {
        if (deadly.throws) throw grpcError("internal", "a run of this season fails each time");
        machine.dying.add(performing);
      }
      return query?.(spec, by()) ?? spec;
    },
    ...(readAt && { readAt: (path, at) => readAt(path, at, by(), store.now()) }),
    ...(readFrom && { readFrom }),
  };
  const database: Database = { store, locks, meddler, readableMs };
  const scheduler = createScheduler(random);
  const enqueued = new Set<string>();

  const machine = {
    mutant,
    database,
    scheduler,
    instances: [] as Instance[],
    /** Active actors, with what to do when they end. */
    working: new Map<Actor, (ending: Ending) => void>(),
    /** Requested runs, refreshes of tops and steps of repairs that have not started. */
    runs: [] as Extract<SeasonRequest, { job: "ranking" }>[],
    refreshes: [] as TopRefreshRequest[],
    repairs: [] as RepairRequest[],
    /** Steps of what is left to do for players, and when each is due. */
    looks: [] as { request: PlayerRequest; dueMs: number }[],
    /** Closing steps, and tasks that steps share, each with the number of earlier attempts. */
    steps: [] as { request: Omit<ClosingRequest, "job">; retryCount: number }[],
    shared: [] as { steps: readonly SharedStep[]; retryCount: number }[],
    /** The paths of players whom no commit can write. */
    damaged: new Set<string>(),
    /** A run of this season throws; or it kills its process: it is among the dying, and ends with the step. */
    deadly: undefined as { key: SeasonKey; throws: boolean } | undefined,
    dying: new Set<Actor>(),
    /** The actor whose operation is being performed. */
    performing: undefined as Actor | undefined,
    /** Operations requested so far. */
    requests: 0,
    /** The first broken promise. */
    violation: undefined as Error | undefined,
    random,
    index,
    newId: () => `id${(ids += 1)}`,
    /** An instance logs an error. */
    complain: (() => undefined) as (message: string) => void,
    /** Moves time on. */
    pass: (ms: number) => void (nowMs += ms),
    /** The time of an exact clock. */
    now: () => nowMs,
    begin,
    kill,
    restart,
    /** Starts the plan's instances. */
    start() {
      for (let at = 0; at < plan.instances; at++) machine.instances.push(createInstance(at));
    },
  };
  return machine;

  /** Starts an actor on an instance. */
  function begin(
    name: string,
    instance: Instance,
    work: (services: Services) => Promise<void>,
    end: (ending: Ending) => void,
  ): Actor {
    const actor: Actor = {
      name: `${name} on ${instance.name}`,
      alive: true,
      pace: paces[index(paces.length)] ?? 1,
    };
    const port = portOf(actor);
    const client = createClient(database, port);
    machine.working.set(actor, (ending) => {
      client.close();
      end(ending);
    });
    const finish = (ending: Ending) => {
      if (!actor.alive) return;
      // What has not ended with its call has no processor any more.
      scheduler.kill(actor);
      machine.working.get(actor)?.(ending);
      machine.working.delete(actor);
    };
    work(servicesOf(instance, client, port)).then(
      () => {
        finish({ how: "done" });
      },
      (error: unknown) => {
        finish({ how: "failed", error });
      },
    );
    return actor;
  }

  function kill(actor: Actor): void {
    scheduler.kill(actor);
    machine.working.get(actor)?.({ how: "killed" });
    machine.working.delete(actor);
  }

  /** Replaces an instance by a new one; everything that ran on it dies. */
  function restart(at: number): void {
    const old = machine.instances[at];
    if (old === undefined) return;
    for (const actor of [...machine.working.keys()])
      if (actor.name.endsWith(` on ${old.name}`)) machine.kill(actor);
    scheduler.kill(old.actor);
    old.client.close();
    machine.instances[at] = createInstance(at);
  }

  /** The port for an actor's operations: it records whose operation is being performed. */
  function portOf(actor: Actor): Port {
    const port = scheduler.portOf(actor);
    return {
      request: (kind, what, perform) => {
        machine.requests += 1;
        return port.request(kind, what, () => {
          machine.performing = actor;
          try {
            return perform();
          } finally {
            machine.performing = undefined;
          }
        });
      },
    };
  }

  /** An instance's services for one invocation: the instance's caches, and the invocation's own operations. */
  function servicesOf(instance: Instance, { db }: Instance["client"], port: Port): Services {
    /** Each name only once, as in a task queue. */
    const enqueue = (taskId: string, add: () => void) =>
      port.request("pause", `enqueue ${taskId}`, () => {
        if (!enqueued.has(taskId)) add();
        enqueued.add(taskId);
      });
    return {
      ...instance.services,
      db,
      sleep: () => port.request("pause", "sleep", () => undefined),
      deadline: deadlineOn(port),
      enqueueJob: ({ ...request }, taskId, delaySeconds) =>
        enqueue(taskId, () => {
          if (request.job === "ranking") machine.runs.push(request);
          else if (request.job === "end") machine.steps.push({ request, retryCount: 0 });
          else if (request.job === "shared") machine.shared.push({ steps: request.steps, retryCount: 0 });
          else if ("note" in request) machine.looks.push({ request, dueMs: nowMs + 1_000 * delaySeconds });
          else machine.repairs.push(request);
        }),
      enqueueTopRefresh: (request, taskId) => enqueue(taskId, () => machine.refreshes.push(request)),
    };
  }

  /** A time limit that waits as an operation: of an invocation, with which it dies, or of an instance. */
  function deadlineOn(port: Port): Services["deadline"] {
    return (ms) => {
      const endsMs = nowMs + ms;
      let isCancelled = false;
      const look = () => (isCancelled || nowMs >= endsMs ? undefined : waiting);
      const passed = port.request("pause", "a time limit", look).then(() => {
        if (!isCancelled) throw new Error("the time limit has passed");
        return new Promise<never>(() => undefined);
      });
      passed.catch(() => undefined);
      return { passed, cancel: () => void (isCancelled = true) };
    };
  }

  function createInstance(at: number): Instance {
    const name = `instance ${at}.${(ids += 1)}`;
    const actor: Actor = { name, alive: true, pace: 1 };
    const port = portOf(actor);
    const client = createClient(database, port);
    const skewMs = Math.round((2 * random() - 1) * plan.skewMsMax);
    const services = createServices({
      db: client.db,
      now: () => Math.floor(nowMs) + skewMs,
      random,
      newId: machine.newId,
      log: {
        ...silent,
        error: (message) => {
          machine.complain(message);
        },
      },
      enqueueJob: unused,
      accounts: {
        find: unused,
        findAll: unused,
        setClaims: unused,
        guestOf: (token) => Promise.resolve(token),
      },
      // Its caches wait before they look again.
      sleep: () => port.request("pause", "sleep", () => undefined),
      deadline: deadlineOn(port),
      intervalMinutesMin: 0,
    });
    return { name, services, actor, client, skewMs };
  }
}

/** A precondition that no document meets. */
const unmet: Guard = { lastUpdateTime: new Timestamp(0, 0) };

const unused = () => Promise.reject(new Error("only invocations do this"));
