/** Repairs in steps: interrupted, doubled, overtaken, and their records in the meantime. */
import { beforeEach, expect, test } from "vitest";
import {
  indexEntryPath,
  pagePath,
  runPath,
  type SeasonKey,
  seasonPath,
} from "../../../functions/src/documents/paths.ts";
import {
  rebuildSeasonSpec,
  sweepSeasonSpec,
  auditSeasonSpec,
} from "../../../functions/src/operations/repair-season.ts";
import { submitScoreSpec } from "../../../functions/src/operations/submit-score.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { startRepair, stepRepair } from "../../../functions/src/repair/repair.ts";
import { renewTop } from "../../../functions/src/top/renew.ts";
import { createSeason, damages, play, repair, withQueue } from "../../support/damage.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import { beforeEachCommit } from "../../support/meddle.ts";
import { admin, createBoard, createWorld, user, type World } from "../../support/world.ts";

const size = 40;
const small = { documentsPerRead: 3, inlinePlayersMax: 0, budgetMs: 0 };
let world: World;
let key: SeasonKey;

beforeEach(async () => {
  world = createWorld();
  key = await createSeason(world, "board", size);
});

/** Makes the next commits with guards on pages find that another writer was first. */
function beforeNextCommits(times: number, meddle: () => Promise<unknown>): void {
  let left = times;
  beforeEachCommit(world, async () => {
    if (left === 0) return;
    left -= 1;
    await meddle();
  });
}

const stored = async (run: string) => (await world.db.doc(runPath(key, run)).get()).data();

test("a season too large for one call is swept in steps, whose record shows how far they are", async () => {
  await damages["players changed while no trigger heard"]?.(world, key);
  const { services, queue } = withQueue(world.services);
  const begun = await startRepair(services, key, { kind: "sweep", full: false }, small);
  expect(begun).toMatchObject({ outcome: "running", progress: { done: 0, total: size } });
  const done: number[] = [];
  for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
    await stepRepair(services, request, small);
    const record = (await stored(begun.run)) as { progress: { done: number } };
    done.push(record.progress.done);
  }
  expect(done.length).toBeGreaterThan(size / 3 - 2);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(await stored(begun.run)).toMatchObject({
    kind: "sweep",
    outcome: "done",
    steps: done.length,
    swept: { cursor: null, ended: true, players: size + 1, differing: 5, changed: 5 },
  });
  await expectConverged(world, key);
  await expectConserved(world, key);
});

test("a step that runs twice, or after the end, changes nothing", async () => {
  await damages["players changed while no trigger heard"]?.(world, key);
  const { services, queue } = withQueue(world.services);
  await startRepair(services, key, { kind: "sweep", full: false }, small);
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

test("a sweep whose worker was killed continues from where its record says", async () => {
  await damages["players changed while no trigger heard"]?.(world, key);
  const { services, queue } = withQueue(world.services);
  const { run } = await startRepair(services, key, { kind: "sweep", full: false }, small);
  for (let i = 0; i < 5; i++) await stepRepair(services, queue.shift() ?? fail(), small);
  const before = (await stored(run)) as { swept: { cursor: string; players: number } };
  // What the killed step indexed stays indexed; its record was not written.
  const request = queue.shift() ?? fail();
  const killed = { ...services, now: () => Date.now() };
  await stepRepair({ ...killed, enqueueRepair: () => Promise.resolve() }, request, small);
  await world.db.doc(runPath(key, run)).update({ swept: before.swept, outcome: "running" });
  let record = await stepRepair(services, request, small);
  for (let next = queue.shift(); next !== undefined; next = queue.shift())
    record = await stepRepair(services, next, small);
  expect(record).toMatchObject({ outcome: "done", swept: { players: size + 1 } });
  await expectConverged(world, key);
  await expectConserved(world, key);
});

test("a step that met a busy database is retried by its queue, and fails for good the last time", async () => {
  const busy = Object.assign(new Error("busy"), { code: 14 });
  const request = { ...key, kind: "rebuild", full: false, run: "again", step: 0 } as const;
  const attempt = (retries: boolean) => stepRepair(world.services, request, { retries });
  beforeNextCommits(100, () => Promise.reject(busy));
  await expect(attempt(true)).rejects.toThrow("busy");
  expect(await stored("again")).toMatchObject({ outcome: "running" });
  await expect(attempt(false)).rejects.toThrow("busy");
  expect(await stored("again")).toMatchObject({ outcome: "failed", error: "Error: busy" });
  await expectRanked(world, key);
  expect(await attempt(true)).toMatchObject({ outcome: "failed" });
});

test("a rebuild that a run overtakes begins again", async () => {
  await damages["increments applied twice and folded"]?.(world, key);
  beforeNextCommits(1, async () => {
    await play(world, key, "p7", 5);
    await publishRanking(world.anotherInstance(), key, { includeOpenSlot: true });
  });
  const record = await repair(world, key, { kind: "rebuild" });
  expect(record).toMatchObject({ outcome: "done", rebuilt: { attempts: 2, phase: "ended" } });
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("two rebuilds at once end in one right ranking", async () => {
  await world.db.doc(pagePath(key, 0)).delete();
  beforeNextCommits(1, () => repair({ services: world.anotherInstance() }, key, { kind: "rebuild" }));
  await repair(world, key, { kind: "rebuild" });
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("a rebuild that is overtaken again and again gives up, says so, and has broken nothing", async () => {
  beforeNextCommits(100, async () => {
    await play(world, key, "p7", 1_000 + Math.floor(world.meter.total().writes));
    await publishRanking(world.anotherInstance(), key, { includeOpenSlot: true });
  });
  await expect(startRepair(world.services, key, { kind: "rebuild", full: false })).rejects.toThrow(
    "published",
  );
  const runs = await world.db
    .collection(`${seasonPath(key)}/runs`)
    .where("kind", "==", "rebuild")
    .get();
  expect(runs.docs.map((run) => run.data())).toMatchObject([{ outcome: "failed" }]);
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("a rebuild during which the top is renewed need not begin again", async () => {
  await world.db.doc(pagePath(key, 0)).update({ players: 7 });
  const board = await world.services.boards.load(key);
  beforeNextCommits(1, () => renewTop(world.anotherInstance(), board));
  const record = await repair(world, key, { kind: "rebuild" });
  expect(record).toMatchObject({ outcome: "done", rebuilt: { attempts: 1 } });
  await expectRanked(world, key);
});

test("a rebuild holds off the schedule while it reads, and lets it continue afterwards", async () => {
  const dueAt = async () =>
    ((await world.db.doc(seasonPath(key)).get()).get("next_run_at") as Date).valueOf();
  world.advance(2 * 60_000);
  const before = await dueAt();
  let during: unknown;
  beforeNextCommits(1, async () => {
    during = await dueAt();
  });
  await repair(world, key, { kind: "rebuild" });
  expect(during).not.toEqual(before);
  expect(await dueAt()).toEqual(before);
});

test("writers at the open slot do not keep a rebuild from its end", async () => {
  await damages["increments applied twice"]?.(world, key);
  // The first commit is the rebuild's own; each run after it finds a shard changed.
  let commits = 0;
  const stop = beforeEachCommit(world, async () => {
    commits += 1;
    if (commits > 1) await play(world, key, "p1", 4_321 + commits);
  });
  const { services, queue } = withQueue(world.services);
  const record = await startRepair(services, key, { kind: "rebuild", full: false });
  expect(record).toMatchObject({ outcome: "done", rebuilt: { phase: "ended" } });
  expect(queue).toHaveLength(0);
  expect(commits).toBeLessThanOrEqual(3);
  stop();
  world.advance(6 * 60_000);
  await publishRanking(world.services, key, { includeOpenSlot: true });
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("while other runs are first each time, a rebuild waits for the slot to end", async () => {
  await damages["increments applied twice"]?.(world, key);
  let commits = 0;
  const others = world.anotherInstance();
  const stop = beforeEachCommit(world, async () => {
    commits += 1;
    if (commits === 1) return;
    await publishRanking(others, key, { includeOpenSlot: true });
    await play(world, key, "p2", 4_321 + commits);
  });
  const { services, queue } = withQueue(world.services);
  const record = await startRepair(services, key, { kind: "rebuild", full: false });
  expect(record).toMatchObject({ outcome: "running", rebuilt: { phase: "settling" } });
  expect(queue).toHaveLength(1);
  stop();
  world.advance(6 * 60_000);
  const ended = await stepRepair(services, queue.shift() ?? fail());
  expect(ended).toMatchObject({ outcome: "done", rebuilt: { phase: "ended" } });
  await publishRanking(world.services, key, { includeOpenSlot: true });
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("once a repair has ended, neither its record nor the log names a player", async () => {
  await world.db.doc(indexEntryPath(key, "p3")).update({ score: 55 });
  for (const kind of ["audit", "sweep", "rebuild"] as const)
    await repair(world, key, { kind, full: true }, small);
  const runs = await world.db.collection(`${seasonPath(key)}/runs`).get();
  const texts = [...runs.docs.map((run) => run.data()), ...world.logged].map((text) => JSON.stringify(text));
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts) expect(text).not.toMatch(/"p\d+"|\/p\d+/);
});

test("admins call the repairs by name and get the records", async () => {
  const season = { leaderboard: "board" };
  expect(await world.call(auditSeasonSpec, season, admin)).toMatchObject({
    kind: "audit",
    outcome: "done",
    repair: "none",
    found: { row_players: size, shard_players: 0, index_entries: size, players: size, pages: [] },
  });
  expect(await world.call(sweepSeasonSpec, season, admin)).toMatchObject({ kind: "sweep", outcome: "done" });
  const rebuilt = await world.call(rebuildSeasonSpec, { ...season, full: true }, admin);
  expect(rebuilt).toMatchObject({
    kind: "rebuild",
    outcome: "done",
    generation: 2,
    read_at: expect.any(String) as string,
  });
});

test("a season that nobody opened is refused, and so is a caller who is not an admin", async () => {
  await createBoard(world, "empty");
  const refused = { leaderboard: "empty" };
  for (const spec of [auditSeasonSpec, rebuildSeasonSpec] as const) {
    await expectRefusal(world, "season_not_found", () => world.call(spec, refused, admin));
    await expectRefusal(world, "not_admin", () => world.call(spec, refused, user("ann")));
  }
  await expectRefusal(world, "leaderboard_not_found", () =>
    world.call(sweepSeasonSpec, { leaderboard: "no" }, admin),
  );
  const full = { leaderboard: "board", full: "yes" as unknown as boolean };
  await expectRefusal(world, invalid("full"), () => world.call(auditSeasonSpec, full, admin));
});

test("a rebuilt season continues as if nothing had happened", async () => {
  await world.db.doc(pagePath(key, 0)).delete();
  await world.call(submitScoreSpec, { leaderboard: "board", score: 77 }, user("dan"));
  await world.deliver(key, "dan");
  await repair(world, key, { kind: "rebuild" });
  await play(world, key, "p5", 6_000);
  await publishRanking(world.services, key, { includeOpenSlot: true });
  await expectRanked(world, key);
  await expectConserved(world, key);
});

function fail(): never {
  throw new Error("no step was asked for");
}
