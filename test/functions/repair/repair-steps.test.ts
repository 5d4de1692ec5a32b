/** Repairs in steps: interrupted, doubled, overtaken, and their records in the meantime. */
import { beforeEach, expect, test } from "vitest";
import {
  pagePath,
  repairNotePath,
  runPath,
  type SeasonKey,
  seasonPath,
} from "../../../functions/src/documents/paths.ts";
import type { RepairRecord } from "../../../functions/src/documents/repair-record.ts";
import { slotMs } from "../../../functions/src/model/limits.ts";
import { createServices } from "../../../functions/src/operations/services.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { startRepair, stepRepair } from "../../../functions/src/jobs/repair/repair.ts";
import { renewTop } from "../../../functions/src/top/keep-live.ts";
import {
  beforeEachPublication,
  createSeason,
  damages,
  play,
  repair,
  withQueue,
} from "../../support/damage.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { watchCommits } from "../../support/commits.ts";
import { anotherClient } from "../../support/database.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import { admin, createBoard, createWorld, user, type World } from "../../support/world.ts";
import { atEachRequest, createDoomed, type Fault } from "../doomed.ts";

const size = 40;
const small = { documentsPerRead: 3, inlinePlayersMax: 0, budgetMs: 0 };
let world: World;
let key: SeasonKey;

beforeEach(async () => {
  world = createWorld();
  key = await createSeason(world, "board", size);
});

/** Makes the next commits of repairs and runs find that another writer was first. */
function beforeNextCommits(times: number, meddle: () => Promise<unknown>): void {
  let left = times;
  beforeEachPublication(world, async () => {
    if (left === 0) return;
    left -= 1;
    await meddle();
  });
}

const stored = async (run: string) => (await world.db.doc(runPath(key, run)).get()).data();

test("a season too large for one call is repaired in steps, whose record shows how far they are", async () => {
  await damages["players changed while no trigger heard"]?.(world, key);
  const { services, queue } = withQueue(world.services);
  const begun = await startRepair(services, key, { kind: "repair", full: false }, small);
  expect(begun).toMatchObject({
    outcome: "running",
    phase: "marking",
    progress: { done: 0, total: size - 2 },
  });
  const done: number[] = [];
  for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
    await stepRepair(services, request, small);
    const record = (await stored(begun.run)) as { phase: string; progress: { done: number } };
    if (record.phase === "marking") done.push(record.progress.done);
  }
  expect(done.length).toBeGreaterThan(size / 3 - 2);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(await stored(begun.run)).toMatchObject({
    kind: "repair",
    outcome: "done",
    phase: "ended",
    marked: { cursor: null, ended: true, players: size + 1, differing: 4, changed: 4 },
    rebuilt: { attempts: 1, marks: size },
  });
  await expectConverged(world, key);
  await expectConserved(world, key);
});

test("a step that runs twice, or after the end, changes nothing", async () => {
  await damages["players changed while no trigger heard"]?.(world, key);
  const { services, queue } = withQueue(world.services);
  await startRepair(services, key, { kind: "repair", full: false }, small);
  let last = queue[0];
  for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
    last = request;
    if (request.step % 3 === 0) await stepRepair(world.anotherInstance(), request, { ...small, budgetMs: 1 });
    await stepRepair(services, request, small);
  }
  if (last === undefined) throw new Error("there was no step");
  const { bill } = await world.meter.measure(() => stepRepair(services, last, small));
  expect(bill).toMatchObject({ writes: 0, deletes: 0 });
  await expectConverged(world, key);
  await expectConserved(world, key);
});

test.each<Fault>(["killed before", "killed after", "answer lost"])(
  "a repair %s each request is completed by the next attempt, and holds no corrections up after it",
  async (fault) => {
    const methods = await atEachRequest(async (n) => {
      const own = createWorld();
      const season = await createSeason(own, "board", 6);
      for (const name of [
        "players changed while no trigger heard",
        "increments applied twice",
        "page 0 deleted",
      ])
        await damages[name]?.(own, season);
      const doomed = createDoomed(own.db, n, fault);
      const { services, queue } = withQueue(createServices({ ...own.services, db: doomed.db }));
      const request = { ...season, job: "repair", full: false, run: "again", step: 0 } as const;
      const options = { ...small, documentsPerRead: 5, budgetMs: 60_000 };
      await Promise.allSettled([stepRepair(services, request, { ...options, retries: true })]);
      await doomed.bury();
      const { outcome } = ((await own.db.doc(runPath(season, "again")).get()).data() ?? {}) as {
        outcome?: string;
      };
      // A queue runs the step again; a failure that is recorded needs another repair.
      if (outcome === "failed") await repair(own, season);
      else {
        const healthy = withQueue(own.services);
        await stepRepair(healthy.services, request, options);
        for (const next of [...queue, ...healthy.queue]) {
          own.advance(slotMs);
          await stepRepair(own.services, next, options);
        }
      }
      expect((await own.db.doc(repairNotePath(season)).get()).data()).toMatchObject({
        holder: null,
        stands_until: null,
      });
      await own.publish(season);
      await expectConserved(own, season);
      await expectConverged(own, season);
      await expectRanked(own, season);
      return doomed.struck();
    });
    expect(methods).toContain("commit");
  },
);

test("of two tasks of one step that overlap, one goes on", async () => {
  const { services, queue } = withQueue(world.services);
  await startRepair(services, key, { kind: "repair", full: false }, small);
  const request = queue.shift() ?? fail();
  const second = withQueue(createServices({ ...world.services, db: anotherClient(world.db) }));
  const [isHeld, mayGoOn] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  const holds = (writes: readonly { path: string }[]) =>
    writes.some(({ path }) => path === repairNotePath(key)) && writes.length === 2;
  watchCommits(second.services, async (writes, perform) => {
    const answer = await perform();
    if (holds(writes)) isHeld.resolve(undefined);
    await mayGoOn.promise;
    return answer;
  });
  let doubled: Promise<unknown> | undefined;
  watchCommits(world, async (writes, perform) => {
    const answer = await perform();
    if (doubled === undefined && holds(writes)) {
      doubled = stepRepair(second.services, request, { documentsPerRead: 3 });
      await isHeld.promise;
      // The first one stores its progress, and so leaves the second one behind.
      world.advance(20_000);
    }
    return answer;
  });
  await stepRepair(services, request, { documentsPerRead: 3 });
  mayGoOn.resolve(undefined);
  await doubled;
  expect(await stored(request.run)).toMatchObject({ outcome: "done", rebuilt: { attempts: 2 } });
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("a step that met a busy database is retried by its queue, and fails for good the last time", async () => {
  const busy = Object.assign(new Error("busy"), { code: 14 });
  const request = { ...key, job: "repair", full: false, run: "again", step: 0 } as const;
  const attempt = (retries: boolean) => stepRepair(world.services, request, { retries });
  beforeNextCommits(100, () => Promise.reject(busy));
  await expect(attempt(true)).rejects.toThrow("busy");
  expect(await stored("again")).toMatchObject({ outcome: "running" });
  await expect(attempt(false)).rejects.toThrow("busy");
  expect(await stored("again")).toMatchObject({ outcome: "failed", error: "Error: busy" });
  await expectRanked(world, key);
  expect(await attempt(true)).toMatchObject({ outcome: "failed" });
});

test("a repair leaves the work to a newer one that has begun meanwhile, and has broken nothing", async () => {
  await world.db.doc(pagePath(key, 0)).delete();
  const newer = withQueue(world.anotherInstance());
  const begun: RepairRecord[] = [];
  beforeNextCommits(1, async () => {
    // It has chosen its time, and reads.
    const stop = beforeEachPublication(world, () => Promise.reject(new Error("killed")));
    const request = { ...key, job: "repair", full: false, run: "newer", step: 0 } as const;
    begun.push(await startRepair(newer.services, key, { kind: "repair", full: false }, small));
    await stepRepair(newer.services, request, { retries: true }).catch(() => undefined);
    stop();
  });
  await expect(repair(world, key)).rejects.toMatchObject({ code: "contention", message: /newer/ });
  expect(begun).toMatchObject([{ outcome: "running" }]);
  expect((await world.db.doc(repairNotePath(key)).get()).get("holder")).toMatch(/^newer\//);
  for (let next = newer.queue.shift(); next !== undefined; next = newer.queue.shift())
    await stepRepair(newer.services, next);
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("a repair that is overtaken again and again gives up, says so, and has broken nothing", async () => {
  beforeNextCommits(100, async () => {
    await play(world, key, "p7", 1_000 + Math.floor(world.meter.total().writes));
    await publishRanking(world.anotherInstance(), key, { includeOpenSlot: true });
  });
  await expect(startRepair(world.services, key, { kind: "repair", full: false })).rejects.toThrow(
    "published",
  );
  const runs = await world.db
    .collection(`${seasonPath(key)}/runs`)
    .where("kind", "==", "repair")
    .get();
  expect(runs.docs.map((run) => run.data())).toMatchObject([{ outcome: "failed" }]);
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("a repair during which the top is renewed need not begin again", async () => {
  await world.db.doc(pagePath(key, 0)).update({ players: 7 });
  const board = await world.services.boards.load(key);
  beforeNextCommits(1, () => renewTop(world.anotherInstance(), board));
  const record = await repair(world, key);
  expect(record).toMatchObject({ outcome: "done", rebuilt: { attempts: 1 } });
  await expectRanked(world, key);
});

test("a repair holds off the schedule while it reads, and lets it continue afterwards", async () => {
  const dueAt = async () =>
    ((await world.db.doc(seasonPath(key)).get()).get("next_run_at") as Date).valueOf();
  world.advance(2 * 60_000);
  const before = await dueAt();
  let during: unknown;
  beforeNextCommits(1, async () => {
    during = await dueAt();
  });
  await repair(world, key);
  expect(during).not.toEqual(before);
  expect(await dueAt()).toEqual(before);
});

test("writers at the open slot do not keep a repair from its end", async () => {
  await damages["increments applied twice"]?.(world, key);
  // The first commit is the rebuild's own; each run after it finds a shard changed.
  let commits = 0;
  const stop = beforeEachPublication(world, async () => {
    commits += 1;
    if (commits > 1) await play(world, key, "p1", 4_321 + commits);
  });
  const { services, queue } = withQueue(world.services);
  const record = await startRepair(services, key, { kind: "repair", full: false });
  expect(record).toMatchObject({ outcome: "done", phase: "ended" });
  expect(queue).toHaveLength(0);
  expect(commits).toBeLessThanOrEqual(3);
  stop();
  world.advance(6 * 60_000);
  await world.publish(key);
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("while other runs are first each time, a repair waits for the slot to end", async () => {
  await damages["increments applied twice"]?.(world, key);
  let commits = 0;
  const others = world.anotherInstance();
  const stop = beforeEachPublication(world, async () => {
    commits += 1;
    if (commits === 1) return;
    await publishRanking(others, key, { includeOpenSlot: true });
    await play(world, key, "p2", 4_321 + commits);
  });
  const { services, queue } = withQueue(world.services);
  const record = await startRepair(services, key, { kind: "repair", full: false });
  expect(record).toMatchObject({ outcome: "running", phase: "settling" });
  expect(queue).toHaveLength(1);
  stop();
  world.advance(6 * 60_000);
  const ended = await stepRepair(services, queue.shift() ?? fail());
  expect(ended).toMatchObject({ outcome: "done", phase: "ended" });
  await world.publish(key);
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("a repair that waits again for the slot to end, as clocks differ, asks for a task of a new name", async () => {
  await damages["increments applied twice"]?.(world, key);
  let commits = 0;
  beforeEachPublication(world, () => {
    commits += 1;
    const busy = Object.assign(new Error("busy"), { code: 10 });
    return commits === 1 ? Promise.resolve() : Promise.reject(busy);
  });
  const tasks: string[] = [];
  const { services, queue } = withQueue(world.services);
  const named: typeof services = {
    ...services,
    enqueueJob(request, taskId, delaySeconds) {
      tasks.push(taskId);
      return services.enqueueJob(request, taskId, delaySeconds);
    },
  };
  await startRepair(named, key, { kind: "repair", full: false });
  for (let step = 0; step < 2; step++)
    expect(await stepRepair(named, queue.shift() ?? fail())).toMatchObject({ phase: "settling" });
  // A queue drops a task of a name that it has had.
  expect(new Set(tasks).size).toBe(3);
});

test("once a repair has ended, neither its record nor the log names a player", async () => {
  await damages["a mark that is wrong"]?.(world, key);
  for (const kind of ["audit", "repair"] as const) await repair(world, key, { kind, full: true }, small);
  const runs = await world.db.collection(`${seasonPath(key)}/runs`).get();
  const texts = [...runs.docs.map((run) => run.data()), ...world.logged].map((text) => JSON.stringify(text));
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts) expect(text).not.toMatch(/"p\d+"|\/p\d+/);
});

test("admins call audit and repair by name and get the records", async () => {
  const season = { leaderboard: "board" };
  expect(await world.call("auditSeason", season, admin)).toMatchObject({
    kind: "audit",
    outcome: "done",
    repair: "none",
    found: { row_players: size, shard_players: 0, counted: size, players: size, pages: [] },
  });
  expect(await world.call("repairSeason", season, admin)).toMatchObject({
    kind: "repair",
    outcome: "done",
    generation: 2,
    read_at: expect.any(String) as string,
  });
});

test("a season that nobody opened is refused, and so is a caller who is not an admin", async () => {
  await createBoard(world, "empty");
  const refused = { leaderboard: "empty" };
  for (const name of ["auditSeason", "repairSeason"] as const) {
    await expectRefusal(world, "season_not_found", () => world.call(name, refused, admin));
    await expectRefusal(world, "not_allowed", () => world.call(name, refused, user("ann")));
  }
  await expectRefusal(world, "leaderboard_not_found", () =>
    world.call("repairSeason", { leaderboard: "no" }, admin),
  );
  const full = { leaderboard: "board", full: "yes" as unknown as boolean };
  await expectRefusal(world, invalid("full"), () => world.call("auditSeason", full, admin));
});

test("a repaired season continues as if nothing had happened", async () => {
  await world.db.doc(pagePath(key, 0)).delete();
  await world.call("submitScore", { leaderboard: "board", score: 77 }, user("dan"));
  await world.deliver(key, "dan");
  await repair(world, key);
  await play(world, key, "p5", 6_000);
  await world.publish(key);
  await expectRanked(world, key);
  await expectConserved(world, key);
});

function fail(): never {
  throw new Error("no step was asked for");
}

test("a repair that cannot be recorded because the database is busy says so", async () => {
  const { db } = world;
  const busy = Object.assign(new Error("too much contention on these documents"), { code: 10 });
  const doc = db.doc.bind(db);
  db.doc = (path) =>
    Object.assign(doc(path), path.includes("/runs/") ? { create: () => Promise.reject(busy) } : {});
  await expect(startRepair(world.services, key, { kind: "repair", full: false }, small)).rejects.toBe(busy);
});
