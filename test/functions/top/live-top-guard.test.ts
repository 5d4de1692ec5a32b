/** Concurrent runs and refreshes of the top: neither undoes the other, and neither blocks the other. */
import { beforeEach, expect, test } from "vitest";
import { eventsPath, pagePath, playerPath, topPath } from "../../../functions/src/documents/paths.ts";
import { readTop } from "../../../functions/src/documents/top.ts";
import { revisePlayer } from "../../../functions/src/operations/revise.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { renewTop } from "../../../functions/src/top/keep-live.ts";
import { expectRanked } from "../../support/oracle.ts";
import { beforeNextCommit } from "../../support/meddle.ts";
import { admin, allTime, createBoard, createWorld, user, type World } from "../../support/world.ts";
import { topOvertakenMax } from "../../../functions/src/ranking/publish.ts";

let world: World;
const key = allTime("board");
const everything = { includeOpenSlot: true };
const refresh = async () => renewTop(world.services, await world.services.boards.load(key));
const top = async () => readTop((await world.db.doc(topPath(key)).get()).data());
const listed = async () => (await top()).entries.map(({ player, score }) => [player, score]);

beforeEach(async () => {
  world = createWorld();
  await createBoard(world, "board", { top_size: 2, aggregation: "latest" });
  for (const [player, score] of Object.entries({ ann: 30, bob: 20, cyd: 10 }))
    await world.submit(player, score);
  await world.publish(key);
  await world.submit("cyd", 15);
});

/** Does something before each of the next commits. */
function beforeCommits(times: number, meddle: () => Promise<unknown>): void {
  const next = (time: number) => {
    if (time >= times) return;
    beforeNextCommit(world, async () => {
      await meddle();
      next(time + 1);
    });
  };
  next(0);
}

test("a run that a refresh overtakes publishes its generation with the newer top, without folding again", async () => {
  beforeNextCommit(world, async () => {
    await world.db.doc(playerPath(key, "bob")).update({ score: 50 });
    await refresh();
  });
  const { result: record, bill } = await world.meter.measure(() => world.publish(key));
  expect(record).toMatchObject({ outcome: "published", generation: 2, attempts: 1, top_overtaken: 1 });
  expect(await listed()).toEqual([
    ["bob", 50],
    ["ann", 30],
  ]);
  expect(await top()).toMatchObject({ generation: 2, players: 3 });
  const refreshed = { reads: 1 + 2 + 1, writes: 1 + 1 }; // with the event of another leader
  expect(bill.reads).toBe(record.billed.reads + refreshed.reads);
  expect(bill.writes).toBe(record.billed.writes + refreshed.writes + 1); // with bob's document
  expect(record.billed.reads).toBe(1 + 1 + 4 + 4); // page, shard, and the top twice
});

test("a run that is overtaken by refreshes again and again still publishes", async () => {
  beforeCommits(2 * (topOvertakenMax + 1), refresh);
  const record = await world.publish(key);
  expect(record).toMatchObject({ outcome: "published", generation: 2, attempts: 3 });
  expect(await top()).toMatchObject({ generation: 2 });
  await expectRanked(world, key);
});

test("a run that a refresh and a late change overtake folds again", async () => {
  beforeNextCommit(world, async () => {
    await world.submit("cyd", 40);
    await world.deliver(key, "cyd");
    await refresh();
  });
  expect(await world.publish(key)).toMatchObject({ attempts: 2, generation: 2 });
  await expectRanked(world, key);
  expect(await listed()).toEqual([
    ["cyd", 40],
    ["ann", 30],
  ]);
});

test("a second erasure keeps a player out of the top of a pending run, though the first one has left nothing", async () => {
  await world.submit("dan", 99);
  world.advance(20_000);
  beforeNextCommit(world, async () => {
    // The first call dies once its commit is made.
    await revisePlayer(world.services, key, "dan", "removed");
    const answer = await world.call("removePlayer", { player: "dan" }, admin);
    expect(answer).toEqual({ player: "dan", removed: [] });
  });
  await publishRanking(world.services, key);
  expect(await top()).toMatchObject({ generation: 2, players: 4 });
  expect(await listed()).toEqual([
    ["ann", 30],
    ["bob", 20],
  ]);
});

test("a refresh that a run overtakes keeps the newer generation", async () => {
  beforeNextCommit(world, () => publishRanking(world.anotherInstance(), key, everything));
  await refresh();
  expect(await top()).toMatchObject({ generation: 2, players: 3 });
});

test("a refresh leaves the guard of the pages alone", async () => {
  const page = () => world.db.doc(pagePath(key, 0)).get();
  const before = (await page()).updateTime;
  await refresh();
  expect((await page()).updateTime?.isEqual(before ?? fail())).toBe(true);
});

test("a refreshed top keeps its generation and names the moment when its players were read", async () => {
  const before = await top();
  await world.db.doc(playerPath(key, "bob")).delete();
  await refresh();
  const after = await top();
  expect(after).toMatchObject({ generation: 1, players: 3, lowest_score: 15 });
  expect(after.as_of.toMillis()).toBeGreaterThan(before.as_of.toMillis());
});

test("a first ranking during which a top appears from nowhere is published over it", async () => {
  const other = allTime("other");
  await createBoard(world, "other", { top_size: 2 });
  await world.call("submitScore", { leaderboard: "other", score: 5 }, user("ann"));
  await world.deliver(other, "ann");
  const stray = { ...(await top()), generation: 0 };
  beforeNextCommit(world, () => world.db.doc(topPath(other)).set(stray));
  const record = await world.publish(other);
  expect(record).toMatchObject({ generation: 1, attempts: 1, top_overtaken: 1 });
});

test("a top that was deleted or damaged by hand is whole again with the next publication", async () => {
  await world.db.doc(topPath(key)).set({ entries: "gone" });
  await expect(refresh()).rejects.toThrow("is not a top document");
  await world.publish(key);
  expect(await top()).toMatchObject({ generation: 2 });
  await world.db.doc(topPath(key)).delete();
  await refresh();
  expect((await world.db.doc(topPath(key)).get()).exists).toBe(false);
  await world.submit("cyd", 16);
  await world.deliver(key, "cyd");
  beforeNextCommit(world, () => world.db.doc(topPath(key)).set({ entries: [] }));
  await world.publish(key);
  expect(await top()).toMatchObject({ generation: 3 });
});

test("a player who is hidden during a run and a refresh is not restored by either", async () => {
  const hide = { leaderboard: "board", player: "ann", status: "hidden" } as const;
  beforeNextCommit(world, async () => {
    beforeNextCommit(world, () => world.call("setPlayerStatus", hide, admin));
    await refresh();
  });
  await world.publish(key);
  expect((await listed()).map(([player]) => player)).toEqual(["bob", "cyd"]);
});

test.each(["removed", "hidden"] as const)(
  "a player who is %s during the first run is in no top and no event of it",
  async (what) => {
    const other = allTime("other");
    await createBoard(world, "other");
    for (const [player, score] of Object.entries({ ann: 5, bob: 4 })) {
      await world.call("submitScore", { leaderboard: "other", score }, user(player));
      await world.deliver(other, player);
    }
    const who = { leaderboard: "other", player: "ann" };
    beforeNextCommit(world, () =>
      what === "removed"
        ? world.call("removePlayer", who, admin)
        : world.call("setPlayerStatus", { ...who, status: "hidden" }, admin),
    );
    const record = await world.publish(other);
    expect(record).toMatchObject({ outcome: "published", generation: 1 });
    const { entries } = readTop((await world.db.doc(topPath(other)).get()).data());
    expect(entries.map(({ player }) => player)).toEqual(["bob"]);
    const events = await world.db.collection(eventsPath("other")).get();
    const told = events.docs
      .filter((event) => event.get("kind") !== "season_opened")
      .map((event) => event.data());
    expect(told).toMatchObject([{ leader: { player: "bob" } }, { entrants: [{ player: "bob" }] }]);
    expect(JSON.stringify(told)).not.toContain("ann");
  },
);

function fail(): never {
  throw new Error("there is no page");
}
