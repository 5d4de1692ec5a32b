/** The source `count`: the same pages and readers, no index. */
import { beforeEach, expect, test } from "vitest";
import { saveLeaderboardSpec } from "../functions/src/admin/save-leaderboard.ts";
import { getRankSpec } from "../functions/src/callables/get-rank.ts";
import { getTopSpec } from "../functions/src/callables/get-top.ts";
import { indexPlayer } from "../functions/src/indexing/index-player.ts";
import { playerPath, playersPath, seasonPath } from "../functions/src/model/paths.ts";
import type { Order } from "../functions/src/model/score.ts";
import { runRanking } from "../functions/src/ranking/run.ts";
import { submitScores } from "../functions/src/submit/submit.ts";
import { admin, allTime, createBoard, createWorld, user, type World } from "./world.ts";

let world: World;
const key = allTime("board");
const free = { reads: 0, writes: 0, deletes: 0 };

/** Scores of 400 players, a crowd of zeros among them. */
const scores = Array.from({ length: 400 }, (_, i) => (i % 4 === 0 ? 0 : Math.round(10_000 / (i + 1)) / 4));

async function playAll(order: Order): Promise<void> {
  await createBoard(world, "board", { order, source: "count", aggregation: "latest", top_size: 20 });
  const submissions = scores.map((score, i) => ({ player: `p${i}`, score }));
  for (let i = 0; i < submissions.length; i += 100) {
    await submitScores(world.services, "board", submissions.slice(i, i + 100));
  }
}

const rank = (score: number, exact = false) =>
  world.call(getRankSpec, { leaderboard: "board", score, exact }, user("eve"));

beforeEach(() => {
  world = createWorld();
  // Read times are the emulator's own; exact ranks compare them with the clock.
  world.advance(Date.now() - world.services.now());
});

test("an event on a counted board costs nothing but the gate of the top, and writes no index", async () => {
  await createBoard(world, "board", { source: "count" });
  await submitScores(world.services, "board", [{ player: "ann", score: 5 }]);
  await world.services.boards.load(key);
  const after = (await world.db.doc(playerPath(key, "ann")).get()).data();
  const index = () => indexPlayer(world.services, key, "ann", { before: undefined, after });
  expect((await world.meter.measure(index)).bill).toEqual({ ...free, reads: 1 });
  expect((await world.meter.measure(index)).bill).toEqual(free);
  expect((await world.db.collection(`${seasonPath(key)}/index_entries`).get()).size).toBe(0);
});

test("a trusted server's bare document on a counted board is completed and counted", async () => {
  await createBoard(world, "board", { source: "count" });
  await world.db.doc(playerPath(key, "ann")).set({ score: 5 });
  await world.deliver(key, "ann");
  expect((await world.db.doc(playerPath(key, "ann")).get()).data()).toMatchObject({ status: "active" });
  expect(await runRanking(world.services, key)).toMatchObject({ outcome: "published", players: 1 });
});

for (const order of ["descending", "ascending"] as const) {
  test(`a counted ${order} ranking bounds every rank, and exact gives it`, async () => {
    await playAll(order);
    const record = await runRanking(world.services, key);
    expect(record).toMatchObject({ outcome: "published", players: 400, generation: 1 });
    const trueRank = (score: number) =>
      1 + scores.filter((other) => (order === "descending" ? other > score : other < score)).length;
    for (const score of [...new Set(scores.filter((_, i) => i % 9 === 0)), -1, 0.3, 7, 10_001]) {
      const published = await rank(score);
      expect(published.rank_best).toBeLessThanOrEqual(trueRank(score));
      expect(published.rank_worst).toBeGreaterThanOrEqual(trueRank(score));
      expect(await rank(score, true)).toMatchObject({ rank: trueRank(score), exact: true });
    }
    const top = await world.call(getTopSpec, { leaderboard: "board", limit: 3 }, user("eve"));
    expect(top.entries[0]).toMatchObject({ rank: 1, position: 1 });
  });
}

test("a counted run costs pages, top, about a read a row and one for each 1,000 players, and says so", async () => {
  await playAll("descending");
  await runRanking(world.services, key);
  const { result: record, bill } = await world.meter.measure(() => runRanking(world.services, key));
  expect(record.billed).toEqual(bill);
  expect(bill.reads).toBeLessThanOrEqual(2 + 20 + 1 + 2 + 1.5 * record.rows);
  expect(bill.writes).toBe(record.wrote.pages + 3);
  expect(bill.deletes).toBe(0);
});

test("a run before a counted board's first score has nothing to do, and leaves no record", async () => {
  await createBoard(world, "board", { source: "count" });
  const { result, bill } = await world.meter.measure(() => runRanking(world.services, key));
  expect(result).toMatchObject({ outcome: "nothing_to_do", attempts: 1, billed: { reads: 2, writes: 0 } });
  // The definition and the season, which are then in memory, and the same season and page 0 as of one moment.
  expect(bill).toEqual({ ...free, reads: 4 });
  expect((await world.db.collection(`${seasonPath(key)}/runs`).get()).size).toBe(0);
});

test("a run that folds no slot has no lag", async () => {
  await playAll("descending");
  expect(await runRanking(world.services, key)).toMatchObject({ outcome: "published", lag_ms: null });
});

test("a later run follows the scores", async () => {
  await playAll("descending");
  await runRanking(world.services, key);
  await submitScores(world.services, "board", [
    { player: "p4", score: 3_000 },
    { player: "p8", score: 12.3 },
  ]);
  await world.db.doc(playerPath(key, "p12")).delete();
  const record = await runRanking(world.services, key);
  expect(record).toMatchObject({ players: 399, generation: 2 });
  expect((await world.db.collection(playersPath(key)).count().get()).data().count).toBe(399);
  world.services.pages = world.anotherInstance().pages;
  expect(await rank(3_000)).toMatchObject({ rank: 1, exact: true });
});

test("a counted board has no live ranks, and says so", async () => {
  await createBoard(world, "board", { source: "count" });
  const asked = world.call(getRankSpec, { leaderboard: "board", score: 1, freshness: "live" }, user("eve"));
  await expect(asked).rejects.toMatchObject({
    code: "invalid_request",
    details: { fields: [{ path: "freshness" }] },
  });
});

test("a board that leaves counting keeps its ranking until it is rebuilt", async () => {
  await playAll("descending");
  await runRanking(world.services, key);
  const definition = { source: "index", aggregation: "latest", top_size: 20 } as const;
  await world.call(saveLeaderboardSpec, { leaderboard: "board", definition }, admin);
  await submitScores(world.services, "board", [{ player: "p4", score: 3_000 }]);
  await world.deliver(key, "p4");
  await expect(runRanking(world.services, key, { includeOpenSlot: true })).rejects.toThrow(/rebuildSeason/);
  expect(await rank(2_000)).toMatchObject({ players: 400, generation: 1 });
});
