/** The source `count`: the same pages and readers, no index. */
import { beforeEach, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, playersPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { followPlayer } from "../../../functions/src/indexing/follow-player.ts";
import { dozeMs, idleMsMin } from "../../../functions/src/model/limits.ts";
import type { Order } from "../../../functions/src/model/score.ts";
import { getRankSpec } from "../../../functions/src/operations/get-rank.ts";
import { getTopSpec } from "../../../functions/src/operations/get-top.ts";
import { saveLeaderboardSpec } from "../../../functions/src/operations/save-leaderboard.ts";
import { createCounter } from "../../../functions/src/ranking/read-counts.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { recordSubmissions } from "../../../functions/src/submit/record-submissions.ts";
import {
  admin,
  allTime,
  createBoard,
  createWorld,
  user,
  type World,
  presentOf,
} from "../../support/world.ts";

let world: World;
const key = allTime("board");
const free = { reads: 0, writes: 0, deletes: 0 };
/** An instance reads the definition and the season once a minute. */
const boardReads = 2;

/** Scores of 700 players, including a crowd of zeros: more players than are read instead of counted. */
const scores = Array.from({ length: 700 }, (_, i) => (i % 4 === 0 ? 0 : ((i * 7_919) % 5_003) / 4));

/** Players with these scores, as if their events had been delivered. */
async function playAll(order: Order): Promise<void> {
  await createBoard(world, "board", { order, source: "count", aggregation: "latest", top_size: 20 });
  await world.services.boards.open(presentOf(key));
  for (let start = 0; start < scores.length; start += 350) {
    const batch = world.db.batch();
    scores.slice(start, start + 350).forEach((score, i) => {
      const player = world.db.doc(playerPath(key, `p${start + i}`));
      batch.set(player, { score, status: "active", achieved_at: Timestamp.fromMillis(start + i) });
    });
    await batch.commit();
  }
  await world.services.boards.load(key);
}

/** Ranks until a run finds nothing to do: one of the first few may choose new thresholds. */
async function settle(): Promise<void> {
  for (let run = 0; run < 4; run++)
    if ((await publishRanking(world.services, key)).outcome === "nothing_to_do") return;
  throw new Error("the ranking of players who do not move goes on changing");
}

const season = async () => (await world.db.doc(seasonPath(key)).get()).data() ?? {};

const rank = (score: number, exact = false) =>
  world.call(getRankSpec, { leaderboard: "board", score, exact }, user("eve"));

beforeEach(() => {
  world = createWorld();
  // Read times are the emulator's own; exact ranks compare them with the clock.
  world.advance(Date.now() - world.services.now());
});

test("an event on a counted board costs nothing but the gate of the top, and writes no index", async () => {
  await createBoard(world, "board", { source: "count" });
  await recordSubmissions(world.services, "board", [{ player: "ann", score: 5 }]);
  await world.services.boards.load(key);
  const after = (await world.db.doc(playerPath(key, "ann")).get()).data();
  const index = () => followPlayer(world.services, key, "ann", { before: undefined, after });
  expect((await world.meter.measure(index)).bill).toEqual({ ...free, reads: 1 });
  expect((await world.meter.measure(index)).bill).toEqual(free);
  expect((await world.db.collection(`${seasonPath(key)}/index_entries`).get()).size).toBe(0);
});

test("a trusted server's bare document on a counted board is completed and counted", async () => {
  await createBoard(world, "board", { source: "count" });
  await world.db.doc(playerPath(key, "ann")).set({ score: 5 });
  await world.deliver(key, "ann");
  expect((await world.db.doc(playerPath(key, "ann")).get()).data()).toMatchObject({ status: "active" });
  expect(await publishRanking(world.services, key)).toMatchObject({ outcome: "published", players: 1 });
});

for (const order of ["descending", "ascending"] as const) {
  test(`a counted ${order} ranking bounds every rank, and exact gives it`, async () => {
    await playAll(order);
    const record = await publishRanking(world.services, key);
    expect(record).toMatchObject({ outcome: "published", players: 700, generation: 1 });
    const trueRank = (score: number) =>
      1 + scores.filter((other) => (order === "descending" ? other > score : other < score)).length;
    for (const score of [...new Set(scores.filter((_, i) => i % 27 === 0)), -1, 0.3, 7, 10_001]) {
      const published = await rank(score);
      expect(published.rank_best).toBeLessThanOrEqual(trueRank(score));
      expect(published.rank_worst).toBeGreaterThanOrEqual(trueRank(score));
      expect(await rank(score, true)).toMatchObject({ rank: trueRank(score), exact: true });
    }
    const top = await world.call(getTopSpec, { leaderboard: "board", limit: 3 }, user("eve"));
    expect(top.entries[0]).toMatchObject({ rank: 1, position: 1 });
  });
}

test("a counted run costs pages, the best 512 and a read a count, and says so", async () => {
  await playAll("descending");
  const first = await world.meter.measure(() => publishRanking(world.services, key));
  expect(first.result.billed).toEqual(first.bill);
  await recordSubmissions(world.services, "board", [{ player: "p1", score: 3 }]);
  const { result: record, bill } = await world.meter.measure(() => publishRanking(world.services, key));
  expect(record).toMatchObject({ outcome: "published", generation: 2 });
  expect(record.billed).toEqual(bill);
  const [page, top, worst] = [record.read.pages, 20 + 2, 2];
  expect(bill.reads).toBeGreaterThan(512 + record.rows - 512);
  expect(bill.reads).toBeLessThanOrEqual(page + top + (512 - 20) + worst + 1.2 * (record.rows - 512) + 16);
  expect(bill.writes).toBe(record.wrote.pages + 3);
  expect(bill.deletes).toBe(0);
});

test("a counted run that is overtaken by another bills both of its attempts", async () => {
  await playAll("descending");
  await publishRanking(world.services, key);
  await recordSubmissions(world.services, "board", [{ player: "p1", score: 3 }]);
  let overtaken = 0;
  const { db } = world;
  const batch = db.batch.bind(db);
  // Between what it read and its commit, another run publishes.
  db.batch = () => {
    const made = batch();
    const commit = made.commit.bind(made);
    made.commit = async () => {
      if (overtaken++ === 0) {
        await world.services.meter.measure(async () => {
          await world.db.doc(playerPath(key, "p2")).update({ score: 4 });
          await publishRanking(world.anotherInstance(), key);
          await world.db.doc(playerPath(key, "p3")).update({ score: 5 });
        });
      }
      return commit();
    };
    return made;
  };
  const { result: record, bill } = await world.meter.measure(() => publishRanking(world.services, key));
  expect(record).toMatchObject({ outcome: "published", generation: 3, attempts: 2 });
  const runs = (await db.collection(`${seasonPath(key)}/runs`).get()).docs.map((run) => run.data());
  const other = runs.find((run) => run["generation"] === 2)?.["billed"] as typeof bill;
  // The other instance read the board, and the two updates above are writes.
  expect(record.billed.reads + other.reads + boardReads).toBe(bill.reads);
  expect(record.billed.writes + other.writes + 2).toBe(bill.writes);
});

test("a run that counts what is published publishes nothing, and is due again at the end of the slot", async () => {
  await playAll("descending");
  await settle();
  world.advance(10 * 60_000);
  await world.services.boards.load(key);
  const before = await season();
  const { result, bill } = await world.meter.measure(() => publishRanking(world.services, key));
  expect(result).toMatchObject({ outcome: "nothing_to_do" });
  expect(bill).toEqual({ ...result.billed, reads: result.billed.reads + 1, writes: 1 });
  const { next_run_at: due, ranking } = await season();
  expect(ranking).toEqual(before["ranking"]);
  expect((due as Timestamp).toMillis()).toBeGreaterThan(world.services.now());
});

/** Lets an hour pass without a change, until the season dozes, and then until it sleeps. */
async function sleep(): Promise<void> {
  world.advance(idleMsMin);
  await publishRanking(world.services, key);
  expect((await season())["dormant_at"]).not.toBeNull();
  world.advance(dozeMs);
  await publishRanking(world.services, key);
  expect((await season())["next_run_at"]).toBeNull();
}

test("an idle counted board falls asleep, whatever shards an earlier index left", async () => {
  await playAll("descending");
  await world.db.doc(`${seasonPath(key)}/scores/0-1`).set({ slot_ends_at: Timestamp.fromMillis(1) });
  await settle();
  await sleep();
});

test("a trusted server's score wakes a counted board, even one that another instance believes to be awake", async () => {
  await playAll("descending");
  await settle();
  await sleep();
  const before = { score: 0, status: "active", achieved_at: Timestamp.fromMillis(4) };
  const after = { ...before, score: 77 };
  await world.db.doc(playerPath(key, "p4")).set(after);
  const wake = () => followPlayer(world.services, key, "p4", { before, after });
  world.services.boards.forget(key.leaderboard);
  await world.services.boards.load(key);
  expect((await world.meter.measure(wake)).bill).toMatchObject({ writes: 1 });
  expect((await world.meter.measure(wake)).bill).toMatchObject({ writes: 0 });
  expect(await season()).toMatchObject({ dormant_at: null });
  expect((await season())["next_run_at"]).not.toBeNull();
  expect(await publishRanking(world.services, key)).toMatchObject({ outcome: "published" });
});

test("a change that did not wake a dozing counted board is published by its last look", async () => {
  await playAll("descending");
  await settle();
  world.advance(idleMsMin);
  await publishRanking(world.services, key);
  await world.db.doc(playerPath(key, "p4")).update({ score: 77 });
  world.advance(dozeMs);
  expect(await publishRanking(world.services, key)).toMatchObject({ outcome: "published" });
  expect(await season()).toMatchObject({ dormant_at: null });
});

test("a crowd too large for one count is counted in parts, by time", async () => {
  await playAll("ascending");
  const counter = { players: 0, largest: 0, parts: 0 };
  await world.db.runTransaction(
    async (transaction) => {
      const { definition } = await world.services.boards.load(key);
      const parts = createCounter({ db: world.db, transaction, key, definition, random: Math.random }, [
        "p0",
      ]);
      const { firstMs, lastMs } = await parts.timesOf(0);
      expect([firstMs, lastMs]).toEqual([0, 696]);
      for (const [from, until] of [
        [undefined, 100],
        [100, 600],
        [600, undefined],
      ] as const) {
        const count = await parts.countEqual(0, from, until);
        counter.players += count;
        counter.parts += 1;
        counter.largest = Math.max(counter.largest, count);
      }
    },
    { readOnly: true },
  );
  expect(counter).toEqual({ players: 175, largest: 125, parts: 3 });
});

test("a run before a counted board's first score has nothing to do, and leaves no record", async () => {
  await createBoard(world, "board", { source: "count" });
  const { result, bill } = await world.meter.measure(() => publishRanking(world.services, key));
  expect(result).toMatchObject({ outcome: "nothing_to_do", attempts: 1, billed: { reads: 3, writes: 0 } });
  // The definition and the season, which are then in memory, and both again and page 0 as of one moment.
  expect(bill).toEqual({ ...free, reads: 5 });
  expect((await world.db.collection(`${seasonPath(key)}/runs`).get()).size).toBe(0);
});

test("a run that folds no slot has no lag", async () => {
  await playAll("descending");
  expect(await publishRanking(world.services, key)).toMatchObject({ outcome: "published", lag_ms: null });
});

test("a later run follows the scores", async () => {
  await playAll("descending");
  await publishRanking(world.services, key);
  await recordSubmissions(world.services, "board", [
    { player: "p4", score: 3_000 },
    { player: "p8", score: 12.3 },
  ]);
  await world.db.doc(playerPath(key, "p12")).delete();
  const record = await publishRanking(world.services, key);
  expect(record).toMatchObject({ players: 699, generation: 2 });
  expect((await world.db.collection(playersPath(key)).count().get()).data().count).toBe(699);
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
  await publishRanking(world.services, key);
  const definition = { source: "index", aggregation: "latest", top_size: 20 } as const;
  await world.call(saveLeaderboardSpec, { leaderboard: "board", definition }, admin);
  await recordSubmissions(world.services, "board", [{ player: "p4", score: 3_000 }]);
  await world.deliver(key, "p4");
  await expect(publishRanking(world.services, key, { includeOpenSlot: true })).rejects.toThrow(
    /rebuildSeason/,
  );
  expect(await rank(2_000)).toMatchObject({ players: 700, generation: 1 });
});
