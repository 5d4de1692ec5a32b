/** The live top: which changes trigger a refresh, how many share one, what it shows, and what it costs. Runs go on beside it. */
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, shardPath, shardsPath, topPath } from "../../../functions/src/documents/paths.ts";
import { readTop } from "../../../functions/src/documents/top.ts";
import { followPlayer } from "../../../functions/src/counting/follow-player.ts";
import { topGateKeptMs, topRefreshSecondsDefault } from "../../../functions/src/model/limits.ts";
import { topOvertakenMax } from "../../../functions/src/ranking/run.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { refreshWhenDue } from "../../../functions/src/groups/refresh.ts";
import { renewTop } from "../../../functions/src/top/keep-live.ts";
import { beforeEachCommit, beforeNextCommit } from "../../support/meddle.ts";
import { holdTop } from "../../support/hold-top.ts";
import { callOn, admin, allTime, createBoard, eachWorld, versionOf } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import { pageCacheOf } from "../../../functions/src/reading/page-cache.ts";

type Data = Record<string, unknown>;

const world = eachWorld();
const key = allTime("board");
const baseMs = topRefreshSecondsDefault * 1_000;
const rankNow = () => world.call("runRanking", { leaderboard: "board", include_open_slot: true }, admin);
const top = async () => readTop((await world.db.doc(topPath(key)).get()).data());
const listed = async () => (await top()).entries.map(({ player, score }) => `${player} ${score}`);
const renew = async () => renewTop(world.services, await boardCacheOf(world.services).load(key));

/** Submits a player's score, or the same score with other fields. */
async function change(player: string, fields: Data, services = world.services): Promise<void> {
  const known = await world.db.doc(playerPath(key, player)).get();
  const submissions = [{ player, score: known.get("score") as number, ...fields }];
  const { results } = await callOn(services, "submitScores", { leaderboard: "board", submissions }, admin);
  expect(results[0]).toHaveProperty("seasons");
}

/** A score reached now; no two at once. */
function score(value: number): { score: number } {
  world.advance(1);
  return { score: value };
}

/** Does what the queue holds, each task at its time. */
async function refresh(services: Services = world.services): Promise<void> {
  const asked = [...world.refreshes.values()];
  world.refreshes.clear();
  for (const request of asked) {
    world.advance(Math.max(0, Date.parse(request.due_at) - services.now()));
    await refreshWhenDue(services, request);
  }
}

describe("on a board whose top is full, and was refreshed just now,", () => {
  /** Published, the top of 2 full, nothing in the queue, the gate of 20 in memory. */
  beforeEach(async () => {
    await createBoard(world, "board", { aggregation: "latest", top_size: 2 });
    const scores = { ann: 30, bob: 20, cyd: 10 };
    const submissions = Object.entries(scores).map(([player, value]) => ({ player, score: value }));
    await world.call("submitScores", { leaderboard: "board", submissions }, admin);
    await rankNow();
    world.refreshes.clear();
    await holdTop(world, key);
    world.advance(topGateKeptMs);
    await change("zoe", score(1));
    expect(world.refreshes.size).toBe(0);
  });

  test("one listed player who renames without end causes a refresh a minute, and leaves the pace of scores alone", async () => {
    let refreshes = 0;
    for (let i = 0; i < 30; i++) {
      world.advance(10_000);
      for (const [name, request] of world.refreshes) {
        if (Date.parse(request.due_at) > world.services.now()) continue;
        world.refreshes.delete(name);
        await refreshWhenDue(world.services, request);
        refreshes += 1;
      }
      await change("bob", { display_name: `name ${i}` });
    }
    expect(refreshes).toBeLessThanOrEqual(5);
    expect([...world.refreshes.values()]).toMatchObject([{ follows: "names" }]);
    await change("ann", score(100));
    const asked = [...world.refreshes.values()].find(({ follows }) => follows === "change");
    expect(Date.parse(asked?.due_at ?? "")).toBeLessThanOrEqual(world.services.now() + baseMs);
    await refresh();
    expect((await top()).entries).toContainEqual(expect.objectContaining({ display_name: "name 29" }));
  });

  test("a score that a submission takes into the top shows with the next refresh, without the trigger", async () => {
    await change("dan", score(25));
    expect(world.refreshes.size).toBe(1);
    await refresh();
    expect(await listed()).toEqual(["ann 30", "dan 25"]);
    await change("ann", score(2));
    await refresh();
    expect(await listed()).toEqual(["dan 25", "bob 20"]);
  });

  test("a name that a trusted server writes by itself shows too, and its event costs the gate alone", async () => {
    const ref = world.db.doc(playerPath(key, "bob"));
    const before = versionOf(await ref.get());
    await ref.update({ display_name: "Bob" });
    const event = { before, after: versionOf(await ref.get()), atMs: world.services.now() };
    const other = await world.coldInstance(key);
    expect(await world.bill(() => followPlayer(other, key, "bob", event))).toEqual({
      reads: 1,
      writes: 0,
      deletes: 0,
    });
    await refresh();
    expect((await top()).entries[1]).toMatchObject({ player: "bob", display_name: "Bob" });
  });

  test("many scores within two seconds cause one refresh, from whatever instances, and it includes all of them", async () => {
    const others = [world.services, world.anotherInstance(), world.anotherInstance()];
    for (let i = 0; i < 30; i++) await change(`p${i}`, score(100 + i), others[i % 3]);
    expect(world.refreshes.size).toBe(1);
    await refresh();
    expect(await listed()).toEqual(["p29 129", "p28 128"]);
  });

  test("a refresh that is delivered too early waits until it is due", async () => {
    await change("dan", score(25));
    const slept: number[] = [];
    const sleep = (ms: number) => {
      slept.push(ms);
      return Promise.resolve();
    };
    const [request] = [...world.refreshes.values()];
    if (request === undefined) throw new Error("nobody asked for a refresh");
    await refreshWhenDue({ ...world.services, sleep }, request);
    expect(slept).toEqual([Date.parse(request.due_at) - world.services.now()]);
    expect(await listed()).toContainEqual("dan 25");
  });

  test("a failing queue is logged, does not fail the submission, and is asked again", async () => {
    const refusing = {
      ...world.services,
      enqueueTopRefresh: () => Promise.reject(new Error("the queue is paused")),
    };
    await change("dan", score(25), refusing);
    expect(world.logged.at(-1)).toMatchObject({
      level: "error",
      fields: { error: "Error: the queue is paused" },
    });
    expect(world.refreshes.size).toBe(0);
    await change("dan", score(26));
    expect(world.refreshes.size).toBe(1);
  });

  test("a gate that a publication or a hidden player lowers is followed too", async () => {
    await change("bob", score(1));
    world.refreshes.clear();
    await rankNow();
    expect(world.refreshes.size).toBe(1);
    world.refreshes.clear();
    await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "hidden" }, admin);
    expect(world.refreshes.size).toBe(1);
  });

  test("another size or order of equals shows a minute later, though no score changes", async () => {
    await change("dan", score(30));
    await refresh();
    expect(await listed()).toEqual(["ann 30", "dan 30"]);
    const other = await world.coldInstance(key);
    await createBoard(world, "board", { aggregation: "latest", top_size: 3, ties: "last" });
    await refresh(other);
    expect(await listed()).toEqual(["dan 30", "ann 30", "bob 20"]);
    world.refreshes.clear();
    await createBoard(world, "board", { aggregation: "latest", top_size: 3, ties: "last", max_score: 99 });
    expect(world.refreshes.size).toBe(0);
  });

  test("the gate costs a submission 1 read in ten seconds, and a change that shows no read more", async () => {
    const { db } = world;
    const submit = (value: number, name?: string) => () => {
      const submissions = [
        { player: "cyd", score: value, ...(name === undefined ? {} : { display_name: name }) },
      ];
      const request = { leaderboard: "board", submissions };
      return callOn(world.services, "submitScores", request, admin).then(() => undefined);
    };
    await refresh();
    world.advance(topGateKeptMs);
    await boardCacheOf(world.services).load(key);
    await pageCacheOf(world.services).pageOf(key, "descending", 0);
    const own = { reads: 1, writes: 2, deletes: 0 };
    expect(await world.bill(submit(3))).toEqual({ ...own, reads: 2 });
    expect(await world.bill(submit(2))).toEqual(own);
    expect(await world.bill(submit(99))).toEqual(own);
    expect(world.refreshes.size).toBe(1);
    expect(await world.bill(submit(99))).toEqual({ ...own, writes: 0 });
    expect((await db.doc(playerPath(key, "cyd")).get()).get("score")).toBe(99);
  });

  test("a refresh costs 1 read, those of the top and 1 for each 1,000 of them, and 1 write", async () => {
    await change("dan", score(25));
    expect(await world.bill(() => refresh())).toEqual({ reads: 1 + 2 + 1, writes: 1 + 1, deletes: 0 }); // with its event
  });

  describe("a publication leaves the top alone, but for the generation and the number of players,", () => {
    const kept = { read: { top: 0 }, wrote: { top: 0 } };
    const read = (players: number) => ({ read: { top: players }, wrote: { top: players } });

    test("if no change comes up to the gate, at 1 read in place of the players", async () => {
      const before = await top();
      const { result: record, bill } = await world.meter.measure(() => world.publish(key));
      expect(record).toMatchObject({ generation: 2, ...kept });
      // A page, a shard and the top; the page, the top, the season and the record.
      expect(bill).toEqual({ reads: 1 + 1 + 1, writes: 4, deletes: 1 });
      expect(await top()).toEqual({ ...before, generation: 2, players: 4 });
    });

    test("if a refresh has shown them all", async () => {
      await change("dan", score(25));
      await refresh();
      expect(await world.publish(key)).toMatchObject(kept);
      expect(await listed()).toEqual(["ann 30", "dan 25"]);
    });

    test("and reads it where a score equals the gate, comes before it, or was listed", async () => {
      await change("cyd", score(20));
      expect(await world.publish(key)).toMatchObject(read(2));
      await change("cyd", score(40));
      expect(await world.publish(key)).toMatchObject(read(2));
      expect(await listed()).toEqual(["cyd 40", "ann 30"]);
      world.refreshes.clear();
      await change("cyd", score(2));
      expect(await world.publish(key)).toMatchObject(read(2));
      expect(await listed()).toEqual(["ann 30", "bob 20"]);
      await world.call("setPlayerStatus", { leaderboard: "board", player: "bob", status: "hidden" }, admin);
      await change("dan", score(3));
      await world.publish(key);
      expect(await listed()).toEqual(["ann 30", "dan 3"]);
    });

    test("and reads it where one player has left a score of the top and another has reached it", async () => {
      await change("ann", { score: 2 });
      await change("dan", { score: 30 });
      const { docs } = await world.db.collection(shardsPath(key)).get();
      expect(docs.map((shard) => (shard.get("player_count") as Data)["30"])).toEqual([0]);
      expect(await world.publish(key)).toMatchObject(read(2));
      expect(await listed()).toEqual(["dan 30", "bob 20"]);
    });

    test("and reads it where both do so in one commit, whose shard does not name the score", async () => {
      await world.publish(key);
      const submissions = [
        { player: "ann", score: 2 },
        { player: "dan", score: 30 },
      ];
      await world.call("submitScores", { leaderboard: "board", submissions }, admin);
      const { docs } = await world.db.collection(shardsPath(key)).get();
      expect(docs.map((shard) => shard.get("player_count") as Data)).toEqual([{ 2: 1 }]);
      expect(await world.publish(key)).toMatchObject(read(2));
      expect(await listed()).toEqual(["dan 30", "bob 20"]);
    });

    test("and reads it where a change of an old slot commits after the top was read", async () => {
      await world.publish(key);
      await world.writeDirectly(key, "eve", { score: 60, status: "active" });
      const endMs = world.services.now() - 120_000;
      await world.db
        .doc(shardPath(key, "late", endMs))
        .set({ slot_ends_at: Timestamp.fromMillis(endMs), player_count: { "60": 1 }, marks: 1 });
      expect(await world.call("runRanking", { leaderboard: "board" }, admin)).toMatchObject({
        outcome: "published",
        ...read(2),
      });
      expect(await listed()).toEqual(["ann 30", "bob 20"]);
    });

    test("and reads it once a week, as a refresh for a name may have failed", async () => {
      const aWeekAgo = Timestamp.fromMillis(Date.now() - 7 * 24 * 3_600_000);
      await world.db.doc(topPath(key)).update({ as_of: aWeekAgo, whole_at: aWeekAgo });
      expect(await world.publish(key)).toMatchObject(read(2));
    });

    test("and reads it where somebody has changed the top by hand into none", async () => {
      await world.db.doc(topPath(key)).update({ as_of: "noon" });
      expect(await world.publish(key)).toMatchObject(read(2));
    });
  });

  test("a run that a refresh overtakes publishes its generation with the newer top, without folding again", async () => {
    await change("zoe", score(20));
    beforeNextCommit(world, async () => {
      await world.db.doc(playerPath(key, "bob")).update({ score: 50 });
      await renew();
    });
    const { result: record, bill } = await world.meter.measure(() => world.publish(key));
    expect(record).toMatchObject({ outcome: "published", generation: 2, attempts: 1, top_overtaken: 1 });
    expect(await listed()).toEqual(["bob 50", "ann 30"]);
    expect(await top()).toMatchObject({ generation: 2, players: 4 });
    const refreshed = { reads: 1 + 2 + 1, writes: 1 + 1 }; // with the event of another leader
    expect(bill.reads).toBe(record.billed.reads + refreshed.reads);
    expect(bill.writes).toBe(record.billed.writes + refreshed.writes + 1); // with bob's document
    // Page, shard and the top's players; then the top alone, as the refresh shows all changes.
    expect(record.billed.reads).toBe(1 + 1 + 4 + 1);

    // Overtaken again and again, it still publishes: the next attempt finds a top that shows all changes.
    await change("cyd", score(30));
    let left = 2 * (topOvertakenMax + 1);
    beforeEachCommit(world, async () => {
      if (left-- > 0) await renew();
    });
    expect(await world.publish(key)).toMatchObject({ outcome: "published", generation: 3, attempts: 3 });
    expect(await top()).toMatchObject({ generation: 3 });
  });

  test("a refresh that lowers the gate reads again if a run has folded changes meanwhile, though it left the entries alone", async () => {
    // No shard tells that bob leaves the top: the event of the server's write is on its way.
    await world.db.doc(playerPath(key, "bob")).update({ score: 1 });
    beforeNextCommit(world, async () => {
      await change("dan", score(15));
      expect(await world.publish(key)).toMatchObject({ generation: 2, read: { top: 0 } });
    });
    await renew();
    expect(await listed()).toEqual(["ann 30", "dan 15"]);
  });

  test("a run that leaves the top's entries alone looks at the top again if a refresh was first", async () => {
    await change("cyd", score(3));
    beforeNextCommit(world, renew);
    const record = await world.publish(key);
    expect(record).toMatchObject({ generation: 2, attempts: 1, top_overtaken: 1, read: { top: 0 } });
    expect(record.billed.reads).toBe(1 + 1 + 1 + 1);
    expect(await top()).toMatchObject({ generation: 2, players: record.players });
  });

  test("a top that was deleted or damaged by hand is whole again with the next publication", async () => {
    const ref = world.db.doc(topPath(key));
    await ref.set({ entries: "gone" });
    await expect(renew()).rejects.toThrow("is not a top document");
    await rankNow();
    expect(await top()).toMatchObject({ generation: 2 });
    await ref.delete();
    await renew();
    expect((await ref.get()).exists).toBe(false);
    await change("cyd", score(16));
    beforeNextCommit(world, () => ref.set({ entries: [] }));
    await rankNow();
    expect(await top()).toMatchObject({ generation: 3 });
  });

  test("a refresh of a deleted board does nothing", async () => {
    await change("dan", score(25));
    await world.db.doc("leaderboards/board").delete();
    world.advance(61_000);
    await refresh();
    expect(await listed()).toEqual(["ann 30", "bob 20"]);
  });
});

test("before the first publication nothing is asked for, and soon after it the top has everyone", async () => {
  await createBoard(world, "board", { top_size: 10 });
  await change("ann", score(5));
  expect(world.refreshes.size).toBe(0);
  await rankNow();
  await holdTop(world, key);
  await change("bob", score(7)); // this instance still remembers that there was no top
  expect(world.refreshes.size).toBe(1);
  await refresh();
  expect(await listed()).toEqual(["bob 7", "ann 5"]);
});
