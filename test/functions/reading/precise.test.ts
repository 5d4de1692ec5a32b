/** Ranks beyond the page: exact inside merged rows, and live between publications. */
import { describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { pagesPath, shardPath, shardsPath } from "../../../functions/src/documents/paths.ts";
import type { Rank } from "../../../functions/src/model/answers.ts";
import type { Order } from "../../../functions/src/model/score.ts";
import { mergeRows } from "../../../functions/src/ranking/merge.ts";
import { populate, publishRows } from "../../support/crowd.ts";
import { expectConserved, publishedRows } from "../../support/oracle.ts";
import { placePlainly, rowsOfScores } from "../../support/pages.ts";
import { allTime, createBoard, user, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const anyone = user("eve");
const free = { reads: 0, writes: 0, deletes: 0 };
interface Asked {
  score: number;
  exact?: boolean;
  freshness?: "published" | "live";
}
const rank = (asked: Asked): Promise<Rank> =>
  world.call("getRank", { leaderboard: "board", ...asked }, anyone);

async function play(player: string, score: number): Promise<void> {
  await world.call("submitScore", { leaderboard: "board", score }, user(player));
}

/** Publishes `scores`, all different, merged into few rows, with players to match, as a large board would have. */
async function publishMerged(order: Order, scores: number[], pending: number[] = []): Promise<void> {
  await createBoard(world, "board", { order, aggregation: "latest" });
  world.advance(Date.now() - world.services.now());
  const members = [...scores, ...pending].map((score) => ({ id: `p${score}`, score, achievedMs: 0 }));
  await populate(world, key, members);
  for (const shard of await world.db.collection(shardsPath(key)).listDocuments()) await shard.delete();
  const rows = mergeRows(rowsOfScores(order, scores), 12);
  await publishRows(world, key, order, rows, rowsOfScores(order, pending));
  await world.db.doc(shardPath(key, 0, 0)).set({
    slot_ends_at: Timestamp.fromMillis(world.services.now() + 60_000),
    player_count: Object.fromEntries(pending.map((score) => [String(score), 1])),
  });
}

const steps = (step: number) => Array.from({ length: 60 }, (_, i) => i * step);

describe.each(["descending", "ascending"] as const)("on a merged %s board", (order) => {
  test("exact gives each rank of a full sort at the read time", async () => {
    const [scores, pending] = [steps(3), [100, 41, 500]];
    await publishMerged(order, scores, pending);
    const later = order === "descending" ? 1_000 : -1_000;
    await populate(world, key, [{ id: "later", score: later, achievedMs: 0 }]);
    let merged = 0;
    for (const score of [0, 3, 40, 42, 90, 99, 101, 120, 177]) {
      if ((await rank({ score })).exact) continue;
      merged += 1;
      const { rank: place } = placePlainly(order, [...scores, ...pending], score);
      const exact = { rank: place, rank_best: place, rank_worst: place, exact: true };
      expect(await rank({ score, exact: true })).toMatchObject(exact);
    }
    expect(merged).toBeGreaterThan(3);
  });

  test("a run reads rows again that have become too wide", async () => {
    await publishMerged(order, steps(3), [100, 41]);
    expect((await publishedRows(world.db, key)).length).toBeLessThan(20);
    const { result: record, bill } = await world.meter.measure(() => world.publish(key));
    expect(record).toMatchObject({ exact: true, rows: 62, players: 62, billed: bill });
    // Each of the 60 players in the rows, in addition to the reads of any run.
    expect(bill.reads).toBeGreaterThan(60);
    const pages = await world.db.collection(pagesPath(key)).get();
    for (const page of pages.docs) expect(page.data()).not.toHaveProperty("checks");
    await expectConserved(world, key);
  });
});

test("exact costs 1 read more in a merged row of up to 1,000 players and nothing in an exact row", async () => {
  await publishMerged("descending", steps(1));
  const uncertain = 5;
  expect((await rank({ score: uncertain })).exact).toBe(false);
  const { bill } = await world.meter.measure(() => rank({ score: uncertain, exact: true }));
  expect(bill).toEqual({ ...free, reads: 1 });
  await rank({ score: 59 });
  expect(await world.bill(() => rank({ score: 59, exact: true }))).toEqual(free);
});

test("an hour after the publication exact answers as of now, including pending changes", async () => {
  await publishMerged("descending", steps(1), [100]);
  world.advance(56 * 60_000);
  const { result, bill } = await world.meter.measure(() => rank({ score: 5, exact: true }));
  expect(result).toMatchObject({ rank: 1 + 54 + 1, exact: true, freshness: "live", players: 61 });
  expect(bill.reads).toBeLessThanOrEqual(2 + 1 + 1 + 1 + 1); // board, page, page again, shard, count
});

test("live never says that more scores are better than there are players with them", async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  for (const [i, player] of ["ann", "bob", "cyd", "dan", "eli"].entries()) await play(player, 10 * i);
  await world.publish(key);
  expect(await rank({ score: 5 })).toMatchObject({ rank: 5, dense_rank: 5 });
  for (const player of ["bob", "cyd", "dan", "eli"]) await play(player, 1);
  expect(await rank({ score: 5, freshness: "live" })).toMatchObject({ rank: 1, dense_rank: 1, exact: true });
});

test("live takes rows that are owed into account, on whichever page they lie", async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  await play("ann", 0);
  const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, i) => [String(i + 1), 1]));
  const slot = { slot_ends_at: Timestamp.fromMillis(world.services.now()) };
  await world.db
    .doc(shardPath(key, 1, 0))
    .set({ ...slot, player_count: { ...many, "550.5": -1, "100.5": -1 } });
  await world.publish(key);
  expect((await world.db.collection(pagesPath(key)).get()).size).toBe(5);
  await world.db.doc(shardPath(key, 1, 0)).set({ ...slot, player_count: { "550.5": 1, "100.5": 1 } });
  for (const [i, score] of [599.5, 500, 300, 90.5, 0].entries()) {
    const { rank: published } = await rank({ score });
    const { result, bill } = await world.meter.measure(() => rank({ score, freshness: "live" }));
    expect(result).toMatchObject({ rank: published, players: 1_101 });
    // Page 0 and the shard, once for all.
    expect(bill.reads).toBe(i === 0 ? 2 : 0);
  }
  await world.publish(key);
  const pages = await world.db.collection(pagesPath(key)).get();
  for (const page of pages.docs) expect(page.data()).not.toHaveProperty("owed_above");
});
