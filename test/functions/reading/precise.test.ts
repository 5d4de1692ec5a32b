/** Ranks beyond the page: exact inside merged rows, and live between publications. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  pagePath,
  pagesPath,
  playerPath,
  seasonPath,
  shardPath,
} from "../../../functions/src/documents/paths.ts";
import type { Rank } from "../../../functions/src/model/answers.ts";
import type { Order } from "../../../functions/src/model/score.ts";
import { mergeRows } from "../../../functions/src/ranking/merge.ts";
import { packPages } from "../../../functions/src/ranking/pack-pages.ts";
import type { Rows } from "../../../functions/src/ranking/rows.ts";
import { expectConserved, publishedRows } from "../../support/oracle.ts";
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

/** A player's document with its mark. */
const counted = (score: number) => ({ score, status: "active", counted: { score, of: "a test" } });

/** Publishes `scores`, all different, merged into few rows, with players to match, as a large board would have. */
async function publishMerged(order: Order, scores: number[], pending: Record<string, number>): Promise<void> {
  await createBoard(world, "board", { order, aggregation: "latest" });
  await play("first", scores[0] ?? 0);
  const writer = world.db.bulkWriter({ throttling: false });
  for (const [i, score] of scores.entries()) {
    void writer.set(world.db.doc(playerPath(key, i === 0 ? "first" : `p${i}`)), counted(score));
  }
  for (const [player, score] of Object.entries(pending))
    void writer.set(world.db.doc(playerPath(key, player)), counted(score));
  await writer.close();
  const readAt = (await world.db.doc(seasonPath(key)).get()).readTime;
  world.advance(readAt.toMillis() - world.services.now());
  const sorted = Float64Array.from(scores).sort();
  if (order === "descending") sorted.reverse();
  const rows: Rows = { scores: sorted, lows: sorted, players: new Float64Array(sorted.length).fill(1) };
  const changes = Object.values(pending).sort((a, b) => (order === "descending" ? b - a : a - b));
  const changed = Float64Array.from(changes);
  const pages = packPages(
    order,
    mergeRows(rows, 12),
    {
      generation: 1,
      unusable_scores: 0,
      as_of: readAt,
      read_at: readAt,
      next_publish_at: Timestamp.fromMillis(world.services.now() + 60_000),
    },
    { scores: changed, lows: changed, players: new Float64Array(changed.length).fill(1) },
  );
  await Promise.all(pages.map((page) => world.db.doc(pagePath(key, page.page)).set(page)));
  const shards = await world.db.collection(`${seasonPath(key)}/scores`).listDocuments();
  await Promise.all(shards.map((shard) => shard.delete()));
  await world.db.doc(shardPath(key, 0, 0)).set({
    slot_ends_at: Timestamp.fromMillis(world.services.now() + 60_000),
    player_count: Object.fromEntries(changes.map((score) => [String(score), 1])),
  });
}

for (const order of ["descending", "ascending"] as const) {
  test(`exact gives each rank of a full sort at the read time on a merged ${order} board`, async () => {
    const scores = Array.from({ length: 60 }, (_, i) => i * 3);
    const pending = { new1: 100, new2: 41, new3: 500 };
    await publishMerged(order, scores, pending);
    await world.db.doc(playerPath(key, "later")).set(counted(order === "descending" ? 1_000 : -1_000));
    const all = [...scores, ...Object.values(pending)];
    const trueRank = (score: number) =>
      1 + all.filter((other) => (order === "descending" ? other > score : other < score)).length;
    let merged = 0;
    for (const score of [0, 3, 40, 42, 90, 99, 101, 120, 177]) {
      const published = await rank({ score });
      if (published.exact) continue;
      merged += 1;
      expect(await rank({ score, exact: true })).toMatchObject({
        rank: trueRank(score),
        rank_best: trueRank(score),
        rank_worst: trueRank(score),
        exact: true,
      });
    }
    expect(merged).toBeGreaterThan(3);
  });
}

for (const order of ["descending", "ascending"] as const) {
  test(`a run reads rows again that have become too wide, on a merged ${order} board`, async () => {
    const scores = Array.from({ length: 60 }, (_, i) => i * 3);
    await publishMerged(order, scores, { new1: 100, new2: 41 });
    expect((await publishedRows(world.db, key)).length).toBeLessThan(20);
    const run = () => world.publish(key);
    const { result: record, bill } = await world.meter.measure(run);
    expect(record).toMatchObject({ exact: true, rows: 62, players: 62, billed: bill });
    // Each of the 60 players in the rows, in addition to the reads of any run.
    expect(bill.reads).toBeGreaterThan(60);
    const pages = await world.db.collection(pagesPath(key)).get();
    for (const page of pages.docs) expect(page.data()).not.toHaveProperty("checks");
    await expectConserved(world, key);
  });
}

test("exact costs 1 read more in a merged row of up to 1,000 players and nothing in an exact row", async () => {
  await publishMerged(
    "descending",
    Array.from({ length: 60 }, (_, i) => i),
    {},
  );
  const uncertain = 5;
  expect((await rank({ score: uncertain })).exact).toBe(false);
  const { bill } = await world.meter.measure(() => rank({ score: uncertain, exact: true }));
  expect(bill).toEqual({ ...free, reads: 1 });
  await rank({ score: 59 });
  expect(await world.bill(() => rank({ score: 59, exact: true }))).toEqual(free);
});

test("an hour after the publication exact answers as of now, including pending changes", async () => {
  await publishMerged(
    "descending",
    Array.from({ length: 60 }, (_, i) => i),
    { new1: 100 },
  );
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
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [String(i + 1), 1]));
  const slot = { slot_ends_at: Timestamp.fromMillis(world.services.now()) };
  await world.db
    .doc(shardPath(key, 1, 0))
    .set({ ...slot, player_count: { ...many, "550.5": -1, "100.5": -1 } });
  await world.publish(key);
  expect((await world.db.collection(pagesPath(key)).get()).size).toBe(3);
  await world.db.doc(shardPath(key, 1, 0)).set({ ...slot, player_count: { "550.5": 1, "100.5": 1 } });
  for (const [i, score] of [599.5, 500, 300, 90.5, 0].entries()) {
    const { rank: published } = await rank({ score });
    const { result, bill } = await world.meter.measure(() => rank({ score, freshness: "live" }));
    expect(result).toMatchObject({ rank: published, players: 601 });
    // Page 0 and the shard, once for all.
    expect(bill.reads).toBe(i === 0 ? 2 : 0);
  }
  await world.publish(key);
  const pages = await world.db.collection(pagesPath(key)).get();
  for (const page of pages.docs) expect(page.data()).not.toHaveProperty("owed_above");
});
