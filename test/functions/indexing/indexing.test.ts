/** The trigger's promise: whatever happens to its events, the index ends up counting each player once, correctly. */
import { beforeEach, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  indexEntryPath,
  playerPath,
  seasonPath,
  shardsPath,
} from "../../../functions/src/documents/paths.ts";
import { followPlayer } from "../../../functions/src/indexing/follow-player.ts";
import { indexPlayers } from "../../../functions/src/indexing/index-players.ts";
import { runRankingSpec } from "../../../functions/src/operations/run-ranking.ts";
import { submitScoreSpec } from "../../../functions/src/operations/submit-score.ts";
import { expectConserved, expectConverged, expectRanked, publishedRows } from "../../support/oracle.ts";
import { admin, allTime, createBoard, createWorld, user, type World } from "../../support/world.ts";

let world: World;
const key = allTime("board");
const submit = (player: string, score: number) =>
  world.call(submitScoreSpec, { leaderboard: "board", score }, user(player));
const rankNow = () => world.call(runRankingSpec, { leaderboard: "board", include_open_slot: true }, admin);
const event = (before: number | undefined, after: number | undefined) => ({
  before: before === undefined ? undefined : { score: before, status: "active" },
  after: after === undefined ? undefined : { score: after, status: "active" },
});

beforeEach(async () => {
  world = createWorld();
  await createBoard(world, "board", { aggregation: "latest" });
});

test("an event delivered twice counts once", async () => {
  await submit("ann", 30);
  await followPlayer(world.services, key, "ann", event(undefined, 30));
  await followPlayer(world.services, key, "ann", event(undefined, 30));
  await expectConserved(world, key);
  await rankNow();
  await expectRanked(world, key);
});

test("events delivered in the wrong order leave the newest score", async () => {
  await submit("ann", 30);
  await submit("ann", 40);
  await submit("ann", 20);
  for (const late of [event(40, 20), event(undefined, 30), event(30, 40)]) {
    await followPlayer(world.services, key, "ann", late);
    await expectConserved(world, key);
  }
  await expectConverged(world, key);
  await rankNow();
  expect(await publishedRows(world.db, key)).toEqual([{ score: 20, players: 1, above: 0 }]);
});

test("the same event handled by two instances at once counts once", async () => {
  await submit("ann", 30);
  const other = world.anotherInstance();
  await Promise.all(
    [world.services, other].map((services) => followPlayer(services, key, "ann", event(undefined, 30))),
  );
  await expectConserved(world, key);
  await expectConverged(world, key);
});

test("a deleted player leaves no trace, and a re-created one counts again", async () => {
  await submit("ann", 30);
  await submit("bob", 20);
  await world.deliver(key, "ann", "bob");
  await rankNow();
  await world.db.doc(playerPath(key, "ann")).delete();
  await world.deliver(key, "ann");
  await rankNow();
  await expectRanked(world, key);
  expect((await world.db.doc(indexEntryPath(key, "ann")).get()).exists).toBe(false);
  await submit("ann", 10);
  await world.deliver(key, "ann");
  await rankNow();
  await expectRanked(world, key);
});

test("a late event of a deleted player does not bring the player back", async () => {
  await submit("ann", 30);
  await world.db.doc(playerPath(key, "ann")).delete();
  await followPlayer(world.services, key, "ann", event(30, undefined));
  await followPlayer(world.services, key, "ann", event(undefined, 30));
  await expectConverged(world, key);
  await expectConserved(world, key);
});

test("a hidden or banned player is not ranked and comes back when active", async () => {
  await submit("ann", 30);
  await submit("bob", 20);
  await world.deliverAll(key);
  for (const status of ["hidden", "banned", "active"]) {
    await world.db.doc(playerPath(key, "ann")).update({ status });
    await world.deliver(key, "ann");
    await rankNow();
    await expectRanked(world, key);
    expect(await publishedRows(world.db, key)).toHaveLength(status === "active" ? 2 : 1);
  }
});

test("both halves of a change share one shard document", async () => {
  await submit("ann", 30);
  await world.deliver(key, "ann");
  await rankNow();
  await submit("ann", 40);
  await world.deliver(key, "ann");
  const shards = await world.db.collection(shardsPath(key)).get();
  expect(shards.docs.map((shard) => shard.get("player_count") as unknown)).toEqual([{ "30": -1, "40": 1 }]);
});

test("a trusted server's first document opens the season and is completed", async () => {
  await world.db.doc(playerPath(key, "ann")).set({ score: 7 });
  await world.deliver(key, "ann");
  expect((await world.db.doc(seasonPath(key)).get()).exists).toBe(true);
  const player = await world.db.doc(playerPath(key, "ann")).get();
  expect(player.data()).toMatchObject({ score: 7, status: "active" });
  expect(player.get("achieved_at")).toBeDefined();
  await rankNow();
  await expectRanked(world, key);
});

test("an invalid time from a trusted server is replaced, even if the score stays", async () => {
  await submit("ann", 30);
  await world.deliver(key, "ann");
  const document = world.db.doc(playerPath(key, "ann"));
  const before = (await document.get()).data();
  await document.update({ achieved_at: "yesterday" });
  await followPlayer(world.services, key, "ann", { before, after: (await document.get()).data() });
  expect((await document.get()).get("achieved_at")).toBeInstanceOf(Timestamp);
});

test.each([
  ["a string", "12"],
  ["NaN", NaN],
  ["infinity", Infinity],
  ["more than 2^53 - 1", 2 ** 53],
])("a score that is %s counts as none, is logged once and shows in the run record", async (_, score) => {
  await submit("bob", 20);
  await world.db.doc(playerPath(key, "ann")).set({ score, status: "active" });
  await world.deliver(key, "ann", "bob");
  await world.deliver(key, "ann");
  expect(world.logged.filter(({ level }) => level === "error")).toHaveLength(1);
  expect(world.logged.find(({ level }) => level === "error")?.message).toContain("player ann is not ranked");
  const record = await rankNow();
  expect(record).toMatchObject({ players: 1, found: { unusable_scores: 1 } });
  expect(await publishedRows(world.db, key)).toEqual([{ score: 20, players: 1, above: 0 }]);

  await world.db.doc(playerPath(key, "ann")).update({ score: 12 });
  await world.deliver(key, "ann");
  expect(await rankNow()).toMatchObject({ players: 2, found: { unusable_scores: 0 } });
  await expectRanked(world, key);
});

test("a batch indexes many players with one shard write", async () => {
  const players = Array.from({ length: 200 }, (_, i) => `p${i}`);
  await submit("p0", 0); // opens the season
  const writer = world.db.bulkWriter({ throttling: false });
  for (const [i, player] of players.entries()) {
    void writer.set(world.db.doc(playerPath(key, player)), {
      score: i % 50,
      status: "active",
      achieved_at: now(),
    });
  }
  await writer.close();
  const { bill } = await world.meter.measure(() => indexPlayers(world.services, key, players));
  expect(bill).toEqual({ reads: 400, writes: 201, deletes: 0 });
  await expectConserved(world, key);
  await rankNow();
  await expectRanked(world, key);
});

test("a player's event on a board whose definition was deleted is still counted", async () => {
  await submit("ann", 30);
  await world.db.doc("leaderboards/board").delete();
  world.services.boards.forget("board");
  await followPlayer(world.services, key, "ann", event(undefined, 30));
  await expectConverged(world, key);
  await expectConserved(world, key);
});

function now(): Date {
  return new Date(world.services.now());
}
