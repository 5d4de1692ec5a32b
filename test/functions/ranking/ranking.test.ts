/** What a run folds, publishes, deletes and records. The simulation cuts it off, and writes meanwhile. */
import { beforeEach, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { pagePath, seasonPath, shardPath, shardsPath } from "../../../functions/src/documents/paths.ts";
import { enqueueDueRuns } from "../../../functions/src/jobs/schedule/schedule.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { expectConserved, expectRanked, publishedRows } from "../../support/oracle.ts";
import { repair, withQueue } from "../../support/damage.ts";
import { beforeEachCommit, beforeNextCommit } from "../../support/meddle.ts";
import { admin, callOn, allTime, createBoard, user, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const key = allTime("board");
const minute = 60_000;

beforeEach(async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  await world.submit("ann", 30);
  await world.submit("bob", 20);
});

test("a run folds only slots that have ended", async () => {
  expect(await publishRanking(world.services, key)).toMatchObject({ outcome: "nothing_to_do" });
  world.advance(5 * minute);
  await world.submit("cyd", 40);
  const record = await publishRanking(world.services, key);
  expect(record).toMatchObject({ outcome: "published", generation: 1, players: 2 });
  expect(await publishedRows(world.db, key)).toEqual([
    { score: 30, players: 1, above: 0 },
    { score: 20, players: 1, above: 1 },
  ]);
  const page = await world.db.doc(pagePath(key, 0)).get();
  expect((page.get("as_of") as Timestamp).toDate().toISOString()).toBe("2100-01-02T12:05:00.000Z");
  expect((page.get("next_publish_at") as Timestamp).toDate().toISOString()).toBe("2100-01-02T12:10:00.000Z");
  await expectConserved(world, key);
});

test("a failed run leaves a record that says why, and names no player, nor does the log", async () => {
  const error = new Error(`no room in ${seasonPath(key)}/players/ann`);
  beforeNextCommit(world, () => Promise.reject(error));
  await expect(world.publish(key)).rejects.toThrow("no room");
  const runs = await world.db.collection(`${seasonPath(key)}/runs`).get();
  const said = `Error: no room in ${seasonPath(key)}/…`;
  expect(runs.docs.map((run) => run.data())).toMatchObject([
    { kind: "ranking", outcome: "failed", error: said },
  ]);
  expect(JSON.stringify(world.logged)).not.toContain("ann");
});

test("a ranking emptied of players says so and fills again", async () => {
  await world.publish(key);
  for (const player of ["ann", "bob"]) {
    await world.follow(key, player, await world.writeDirectly(key, player, undefined));
  }
  expect(await world.publish(key)).toMatchObject({
    players: 0,
    rows: 0,
    wrote: { pages: 1 },
  });
  const fresh = world.anotherInstance();
  const request = { leaderboard: "board", score: 1, freshness: "published", exact: false } as const;
  expect(await callOn(fresh, "getRank", request, user("eve"))).toMatchObject({
    rank: 1,
    players: 0,
    generation: 2,
  });
  await world.submit("ann", 3);
  await world.publish(key);
  await expectRanked(world, key);
});

test("a run onto a damaged ranking publishes nothing and says what is wrong", async () => {
  await world.publish(key);
  await world.db.doc(pagePath(key, 0)).delete();
  await world.submit("ann", 5);
  await expect(world.publish(key)).rejects.toThrow(/page 0 of generation 1 is missing/);
  expect((await world.db.collection(shardsPath(key)).get()).size).toBe(1);
});

test("a shard's unreadable keys are skipped and reported", async () => {
  const slot = { slot_ends_at: Timestamp.fromMillis(0) };
  await world.db
    .doc(shardPath(key, 7, 0))
    .set({ ...slot, player_count: { nonsense: 1, "1e400": 1, "50": 0.5, "40": 1 } });
  const record = await world.publish(key);
  expect(record).toMatchObject({ players: 3, found: { unreadable_changes: 3 } });
});

test("a run that loses to others at each attempt ends as contention, with a readable message", async () => {
  const others = world.anotherInstance();
  let score = 50;
  beforeEachCommit(world, async () => {
    await publishRanking(others, key, { includeOpenSlot: true });
    await world.submit("ann", (score += 1));
  });
  const run = world.call("runRanking", { leaderboard: "board", include_open_slot: true }, admin);
  await expect(run).rejects.toMatchObject({ code: "contention" });
  await expect(run).rejects.toThrow(/Nothing is lost: ask again/);
});

test("an interval that became shorter is kept by a run and a repair that remember the longer one", async () => {
  const save = (minutes: number) =>
    createBoard(world, "board", { aggregation: "latest", ranking_interval_minutes: minutes });
  await save(24 * 60);
  const other = await world.coldInstance(key);
  await save(5);
  const waitMs = async () => {
    const season = await world.db.doc(seasonPath(key)).get();
    return (season.get("next_run_at") as Timestamp).toMillis() - world.services.now();
  };
  await publishRanking(other, key, { includeOpenSlot: true });
  expect(await waitMs()).toBeLessThanOrEqual(5 * minute);
  await boardCacheOf(other).load(key);
  await repair({ services: other }, key);
  expect(await waitMs()).toBeLessThanOrEqual(5 * minute);
});

test("shard documents are looked for where the last publication ended, and now and then from the very beginning", async () => {
  world.advance(10 * minute);
  expect(await publishRanking(world.services, key)).toMatchObject({ outcome: "published" });
  const from = (await world.db.doc(seasonPath(key)).get()).get("ranking.shards_from") as Timestamp;
  expect(from.toMillis()).toBe(world.services.now() - 5 * minute);
  boardCacheOf(world.services).forget("board");

  const endMs = world.services.now() - 20 * minute;
  const straggler = { slot_ends_at: Timestamp.fromMillis(endMs), player_count: { "77": 1 } };
  await world.db.doc(shardPath(key, 9, endMs)).set(straggler);
  expect(await publishRanking(world.services, key)).toMatchObject({ outcome: "nothing_to_do" });
  await world.db.doc(seasonPath(key)).update({ "ranking.generation": 60 });
  await world.db.doc(pagePath(key, 0)).update({ generation: 60 });
  boardCacheOf(world.services).forget("board");
  expect(await publishRanking(world.services, key)).toMatchObject({ outcome: "published", players: 3 });
});

test("a run that goes on for minutes goes by the board as it has become", async () => {
  // Each day is published by itself.
  const movement = { aggregation: "latest", movement: true } as const;
  await world.call("saveLeaderboard", { leaderboard: "board", definition: movement }, admin);
  world.advance(minute);
  await world.submit("ann", 31);
  world.advance(24 * 60 * minute);
  await world.submit("bob", 21);
  world.advance(10 * minute);
  beforeNextCommit(world, async () => {
    const other = world.anotherInstance();
    const definition = { ranking_interval_minutes: 60 };
    await callOn(other, "saveLeaderboard", { leaderboard: "board", definition }, admin);
    world.advance(2 * minute);
  });
  const { generation } = await publishRanking(world.services, key);
  expect(generation).toBe(2);
  const due = (await world.db.doc(seasonPath(key)).get()).get("next_run_at") as Timestamp;
  expect(due.toMillis() - world.services.now()).toBeGreaterThan(40 * minute);
});

test("a season whose definition was deleted is asked for no more, until it is saved again", async () => {
  await world.db.doc("leaderboards/board").delete();
  boardCacheOf(world.services).forget("board");
  world.advance(5 * minute);
  const season = () => world.db.doc(seasonPath(key)).get();
  const request = () => enqueueDueRuns(withQueue(world.services).services);
  // The second run, by hand, says the same, and logs nothing more.
  for (let runs = 0; runs < 2; runs++) {
    const run = publishRanking(world.services, key);
    await expect(run).rejects.toMatchObject({ code: "leaderboard_not_found" });
    expect((await season()).data()).toMatchObject({ parked: "no_definition", next_run_at: null });
    expect(await request()).toBe(0);
    expect(world.logged.filter(({ level }) => level === "error")).toHaveLength(1);
  }
  await createBoard(world, "board", { aggregation: "latest" });
  expect((await season()).data()).toMatchObject({ parked: null, dormant_at: null });
  world.advance(5 * minute);
  expect(await request()).toBe(1);
  await publishRanking(world.services, key);
  await expectRanked(world, key);
});
