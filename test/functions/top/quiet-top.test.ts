/** A top where little happens: the score that comes into it renews it before its call answers. */
import { beforeEach, expect, test } from "vitest";
import { topPath } from "../../../functions/src/documents/paths.ts";
import { readTop } from "../../../functions/src/documents/top.ts";
import {
  topGateKeptMs,
  topRefreshSecondsDefault,
  topsRenewedMax,
} from "../../../functions/src/model/limits.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import { topGatesOf } from "../../../functions/src/top/gate-memory.ts";
import { refreshWhenDue } from "../../../functions/src/groups/refresh.ts";
import { renewTop } from "../../../functions/src/top/keep-live.ts";
import { beforeEachCommit } from "../../support/meddle.ts";
import { admin, allTime, callOn, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const windowMs = topRefreshSecondsDefault * 1_000;
const top = async () => readTop((await world.db.doc(topPath(key)).get()).data());
const listed = async () => (await top()).entries.map(({ player, score }) => `${player} ${score}`);

/** Submits scores, each of a time of its own. */
async function play(scores: Record<string, number>, services = world.services): Promise<void> {
  world.advance(1);
  const submissions = Object.entries(scores).map(([player, score]) => ({ player, score }));
  await callOn(services, "submitScores", { leaderboard: "board", submissions }, admin);
}

/** Published, the top of 2 full, nothing in the queue, the gate of 20 in memory. */
beforeEach(async () => {
  await createBoard(world, "board", { aggregation: "latest", top_size: 2 });
  await play({ ann: 30, bob: 20, cyd: 10 });
  await world.call("runRanking", { leaderboard: "board", include_open_slot: true }, admin);
  world.refreshes.clear();
  world.advance(topGateKeptMs);
  await play({ zoe: 1 });
  expect(world.refreshes.size).toBe(0);
});

test("a score that comes into the top shows at once, without a task, and one soon after it with a task", async () => {
  await play({ dan: 25 });
  expect(await listed()).toEqual(["ann 30", "dan 25"]);
  expect(world.refreshes.size).toBe(0);
  await play({ eve: 26 });
  expect(await listed()).toEqual(["ann 30", "dan 25"]);
  expect(world.refreshes.size).toBe(1);
  const [[id, request] = expect.fail()] = world.refreshes;
  world.refreshes.delete(id);
  world.advance(windowMs);
  await refreshWhenDue(world.services, request);
  expect(await listed()).toEqual(["ann 30", "eve 26"]);
  world.advance(2 * windowMs);
  await play({ fay: 27 });
  expect(await listed()).toEqual(["ann 30", "fay 27"]);
  expect(world.refreshes.size).toBe(0);
});

test("it costs the score 1 read, those of the top and 1 for each 1,000 of them, and 1 write, with its event", async () => {
  await boardCacheOf(world.services).load(key);
  // Player and shard; then the top.
  const bill = { reads: 1 + (1 + 2 + 1), writes: 2 + (1 + 1), deletes: 0 };
  expect(await world.bill(() => play({ cyd: 25 }))).toEqual(bill);
});

test("an instance that does not know of a refresh just before leaves the change to a task", async () => {
  const other = await world.coldInstance(key);
  await play({ yan: 1 }, other);
  await play({ dan: 25 });
  const before = await top();
  await play({ eve: 26 }, other);
  expect(await top()).toEqual(before);
  expect(world.refreshes.size).toBe(1);
});

test("whoever is overtaken leaves the change to a task", async () => {
  await boardCacheOf(world.services).load(key);
  let commits = 0;
  beforeEachCommit(world, async () => {
    commits += 1;
    if (commits === 2) await renewTop(world.services, await boardCacheOf(world.services).load(key));
  });
  await play({ dan: 25 });
  expect(world.refreshes.size).toBe(1);
});

test("many scores of one call are one refresh", async () => {
  await play({ dan: 25, eve: 26, fay: 27 });
  expect(await listed()).toEqual(["ann 30", "fay 27"]);
  expect(world.refreshes.size).toBe(0);
});

test("an instance that renews as many tops as its memory holds leaves the change to a task", async () => {
  const gates = topGatesOf(world.services);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const others = Array.from({ length: topsRenewedMax }, () => gates.renewed(() => promise));
  await play({ dan: 25 });
  expect(await listed()).toEqual(["ann 30", "bob 20"]);
  expect(world.refreshes.size).toBe(1);
  resolve(true);
  await Promise.all(others);
  world.advance(3 * windowMs);
  await play({ eve: 26 });
  expect(await listed()).toEqual(["ann 30", "eve 26"]);
});

test("a name waits for its window", async () => {
  const submissions = [{ player: "bob", score: 20, display_name: "Bob" }];
  await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  expect([...world.refreshes.values()]).toMatchObject([{ follows: "names" }]);
});
