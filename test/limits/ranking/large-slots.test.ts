/** A slot may have any number of shard documents, of any size, and a commit that is too big is followed by smaller ones. */
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { seasonPath, shardPath, shardsPath } from "../../../functions/src/documents/paths.ts";
import { countPlayers } from "../../../functions/src/counting/count-players.ts";
import { createOwnShards, makeOwnShards } from "../../../functions/src/counting/own-shards.ts";
import { documentSize } from "../../../functions/src/model/document-size.ts";
import {
  changesPerShardMax,
  shardBytesMax,
  shardBytesPerPublicationMax,
  shardsPerCompactionMax,
  shardsPerPublicationMax,
} from "../../../functions/src/model/limits.ts";
import type { RankingRecord } from "../../../functions/src/documents/ranking-record.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { tooBig, watchCommits } from "../../support/commits.ts";
import { play } from "../../support/damage.ts";
import { expectConserved, expectRanked } from "../../support/oracle.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import type { Services } from "../../../functions/src/world/services.ts";

const minute = 60_000;
const key = allTime("board");
const world = eachWorld();
beforeEach(async () => {
  await createBoard(world, "board", { aggregation: "latest" });
});

const names = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`);
const shardCount = async () => (await world.db.collection(shardsPath(key)).get()).size;

/** The records of all published generations. */
const published = () =>
  world.logged
    .filter(({ message }) => message === "published a ranking")
    .map(({ fields }) => fields as RankingRecord);

/**
 * Players reach one score after another. Each change is the only one of an instance that dies: as many shard documents
 * as there can be.
 */
async function climb(players: readonly string[], scores: readonly number[]): Promise<void> {
  const { services } = world;
  let instances = 0;
  for (const score of scores)
    for (let i = 0; i < players.length; i += 20)
      await Promise.all(
        players.slice(i, i + 20).map((player, at) => {
          const parts = {
            now: services.now,
            process: `dead${instances++}`,
            apartMs: 0,
            bytesMax: shardBytesMax,
          };
          const fields = {
            score: score + i + at,
            status: "active",
            achieved_at: Timestamp.fromMillis(services.now()),
          };
          const shards: unknown = createOwnShards(parts);
          const instance: Services = {
            ...services,
            memory: <Kept>(make: (services: Services) => Kept) =>
              (make as unknown) === makeOwnShards ? (shards as Kept) : services.memory(make),
          };
          return countPlayers(instance, key, [player], { rewrite: () => fields });
        }),
      );
}

test("a slot of more shard documents than one publication takes is published as a whole, at a read and a delete more each", async () => {
  const players = names(shardsPerPublicationMax - 20);
  await play(world, key, "p0", 1);
  await world.publish(key);
  await climb(players, [1_000, 500, 2_000]);
  const shards = await shardCount();
  expect(shards).toBeGreaterThan(2 * shardsPerPublicationMax);
  world.advance(5 * minute);
  await boardCacheOf(world.services).load(key);
  const { bill, result: record } = await world.meter.measure(() => publishRanking(world.services, key));
  expect(published().map(({ players: count }) => count)).toEqual([1, players.length]);
  expect(record).toMatchObject({ outcome: "published", exact: true, found: { owed_rows: 0 }, billed: bill });
  expect(record.shards_joined).toBeGreaterThan(2 * shardsPerPublicationMax);
  expect(bill.deletes).toBe(shards + Math.ceil(shards / shardsPerCompactionMax));
  // Those that were read before they were joined, those joined, and the top players.
  expect(bill.reads).toBeLessThanOrEqual(shards + 2 * shardsPerPublicationMax + 130);
  await expectRanked(world, key);
  await expectConserved(world, key);
  expect(await shardCount()).toBe(0);
});

describe("a commit that Firestore refuses as too big", () => {
  const players = names(100);
  const rankNow = { leaderboard: "board", include_open_slot: true };
  /** Refuses commits that delete so many documents. @returns a function that ends this. */
  const refuseFrom = (deletes: number) => {
    let isOver = false;
    watchCommits(world, (writes, perform) => {
      const isTooBig = writes.filter(({ isDelete }) => isDelete).length >= deletes;
      return isTooBig && !isOver ? Promise.reject(tooBig()) : perform();
    });
    return () => void (isOver = true);
  };

  test("is followed by smaller ones, and nothing is lost or doubled", async () => {
    await play(world, key, "p0", 1);
    await climb(players, [1_000, 500]);
    const stop = refuseFrom(21);
    const record = await world.call("runRanking", rankNow, admin);
    expect(record).toMatchObject({ outcome: "published", players: players.length, found: { owed_rows: 0 } });
    expect(world.logged.map(({ message }) => message)).toContain("the commit was too big; taking less");
    for (const { wrote } of published()) expect(wrote.shards_deleted).toBeLessThanOrEqual(20);
    await expectConserved(world, key);
    world.advance(5 * minute);
    for (let runs = 0; runs < 20 && (await shardCount()) > 0; runs++)
      await publishRanking(world.services, key);
    stop();
    expect(await shardCount()).toBe(0);
    await expectRanked(world, key);
    await expectConserved(world, key);
    expect(new Set(published().map(({ players: count }) => count))).toEqual(new Set([players.length]));
  });

  test("ends the run with a sentence if no smaller one gets through, and the next run does", async () => {
    await play(world, key, "p0", 1);
    await climb(players, [1_000]);
    const stop = refuseFrom(1);
    const run = world.call("runRanking", rankNow, admin);
    await expect(run).rejects.toMatchObject({ code: "contention" });
    await expect(run).rejects.toThrow(/Transaction too big.* Nothing is lost: ask again/);
    stop();
    expect(await world.call("runRanking", rankNow, admin)).toMatchObject({
      outcome: "published",
      attempts: 1,
      players: players.length,
    });
    expect(await shardCount()).toBe(0);
    await expectRanked(world, key);
    await expectConserved(world, key);
  });
});

test("slots of large shard documents are published one by one, so that no commit deletes more than it can hold", async () => {
  await play(world, key, "ann", 1);
  await world.publish(key);
  const perSlot = 15;
  const endMs = (slot: number) => world.services.now() - (3 - slot) * minute;
  let bytes = 0;
  for (let slot = 0; slot < 2; slot++)
    for (let shard = 0; shard < perSlot; shard++) {
      const scores = Array.from(
        { length: changesPerShardMax },
        (_, i) => -(shard * 1e5 + i + 0.123456789) * 1e-7,
      );
      const fields = {
        slot_ends_at: Timestamp.fromMillis(endMs(slot)),
        player_count: Object.fromEntries(scores.map((score) => [String(score), 1])),
      };
      const ref = world.db.doc(shardPath(key, shard, endMs(slot)));
      bytes += documentSize(ref.path, fields);
      await ref.set(fields);
    }
  expect(bytes).toBeGreaterThan(shardBytesPerPublicationMax);
  await world.db.doc(seasonPath(key)).update({ "ranking.shards_from": null });
  boardCacheOf(world.services).forget("board");
  expect(await publishRanking(world.services, key)).toMatchObject({
    outcome: "published",
    generation: 3,
    players: 1 + 2 * perSlot * changesPerShardMax,
  });
  expect(
    published()
      .slice(1)
      .map(({ read }) => read.shards),
  ).toEqual([perSlot, perSlot]);
  expect(await shardCount()).toBe(0);
});
