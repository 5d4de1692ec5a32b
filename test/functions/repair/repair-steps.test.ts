/** Repairs in steps, and their records in the meantime; and the calls. The simulation doubles and overtakes steps. */
import { beforeEach, expect, test } from "vitest";
import { runPath, type SeasonKey, seasonPath } from "../../../functions/src/documents/paths.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { startRepair, stepRepair } from "../../../functions/src/jobs/repair/repair.ts";
import { createSeason, damages, play, repair, withQueue } from "../../support/damage.ts";
import { beforeEachCommit } from "../../support/meddle.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import { admin, createBoard, user, eachWorld } from "../../support/world.ts";

const size = 40;
const small = { documentsPerRead: 3, inlinePlayersMax: 0, budgetMs: 0 };
const world = eachWorld();
let key: SeasonKey;

beforeEach(async () => {
  key = await createSeason(world, "board", size);
});

/** Makes the next commits of repairs and runs find that another writer was first. */
function beforeNextCommits(times: number, meddle: () => Promise<unknown>): void {
  let left = times;
  beforeEachCommit(world, async () => {
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

test("a repair that waits again for the slot to end, as clocks differ, asks for a task of a new name", async () => {
  await damages["increments applied twice"]?.(world, key);
  let commits = 0;
  beforeEachCommit(world, () => {
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
