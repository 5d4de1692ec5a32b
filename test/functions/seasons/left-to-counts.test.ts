/** A board whose index was left to counts, for however short a time: nothing is ranked from it until a full rebuild. */
import { beforeEach, describe, expect, test } from "vitest";
import { pagePath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { sourceKnownMs } from "../../../functions/src/model/limits.ts";
import { getRankSpec } from "../../../functions/src/operations/get-rank.ts";
import { openSeasonSpec } from "../../../functions/src/operations/open-season.ts";
import { auditSeasonSpec, rebuildSeasonSpec } from "../../../functions/src/operations/repair-season.ts";
import { runRankingSpec } from "../../../functions/src/operations/run-ranking.ts";
import { saveLeaderboardSpec } from "../../../functions/src/operations/save-leaderboard.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { play } from "../../support/damage.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { admin, allTime, createBoard, createWorld, type World } from "../../support/world.ts";

const key = allTime("board");
const everything = { includeOpenSlot: true };
let world: World;

async function save(source: "index" | "count"): Promise<void> {
  const request = { leaderboard: "board", definition: { aggregation: "latest" as const, source } };
  await world.call(saveLeaderboardSpec, request, admin);
}
const rebuild = (full: boolean) => world.call(rebuildSeasonSpec, { leaderboard: "board", full }, admin);
const pageOf = async () => (await world.db.doc(pagePath(key, 0)).get()).data();
const asksForRebuild = {
  code: "invalid_request",
  message: expect.stringContaining("npx firerank rebuild board --season all_time --full") as string,
};

async function expectWhole(): Promise<void> {
  await publishRanking(world.services, key, everything);
  await expectRanked(world, key);
  await expectConverged(world, key);
  await expectConserved(world, key);
}

beforeEach(() => {
  world = createWorld();
});

describe("a board with an index that was left for a moment", () => {
  beforeEach(async () => {
    await createBoard(world, "board", { aggregation: "latest" });
    for (const [i, player] of ["ann", "bob", "cyd"].entries()) await play(world, key, player, 10 * i);
    await publishRanking(world.services, key, everything);
    await save("count");
    await play(world, key, "ann", 99);
    await save("index");
    world.advance(sourceKnownMs);
    await play(world, key, "dan", 50);
  });

  test("is not ranked from it, though no run has counted meanwhile", async () => {
    const asked = { leaderboard: "board", include_open_slot: true };
    await expect(world.call(runRankingSpec, asked, admin)).rejects.toMatchObject(asksForRebuild);
    expect(await pageOf()).toMatchObject({ generation: 1, players: 3, source: "index" });
  });

  test("says so in the record of the run, in its season and in each audit", async () => {
    await expect(publishRanking(world.services, key, everything)).rejects.toMatchObject(asksForRebuild);
    const records = await world.db
      .collection(`${seasonPath(key)}/runs`)
      .where("outcome", "==", "failed")
      .get();
    expect(records.docs.map((record) => record.get("error") as unknown)).toEqual([
      expect.stringContaining("full: true"),
    ]);
    expect((await world.db.doc(seasonPath(key)).get()).get("left_to_counts_at")).toBeDefined();
    for (const full of [false, true]) {
      const record = await world.call(auditSeasonSpec, { leaderboard: "board", full }, admin);
      expect(record).toMatchObject({ repair: "full_rebuild" });
    }
  });

  test("is not rebuilt from it either, but from the players", async () => {
    await expect(rebuild(false)).rejects.toMatchObject(asksForRebuild);
    expect(await pageOf()).toMatchObject({ generation: 1 });
    await rebuild(true);
    expect(await pageOf()).not.toHaveProperty("left_to_counts_at");
    expect((await world.db.doc(seasonPath(key)).get()).data()).not.toHaveProperty("left_to_counts_at");
    await expectWhole();
    await play(world, key, "bob", 70);
    await expectWhole();
    await rebuild(false);
    await expectWhole();
  });

  test("has no live ranks until then, and exact ones only as published", async () => {
    const asked = { leaderboard: "board", score: 60 };
    await expect(world.call(getRankSpec, { ...asked, freshness: "live" }, admin)).rejects.toMatchObject({
      code: "invalid_request",
    });
    expect(await world.call(getRankSpec, { ...asked, exact: true }, admin)).toMatchObject({ generation: 1 });
  });
});

test("a ranking that was counted is not rebuilt from the index of before", async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  for (const [i, player] of ["ann", "bob", "cyd"].entries()) await play(world, key, player, 10 * i);
  await publishRanking(world.services, key, everything);
  await save("count");
  await play(world, key, "ann", 99);
  await publishRanking(world.services, key);
  await save("index");
  world.advance(sourceKnownMs);
  await expect(rebuild(false)).rejects.toMatchObject(asksForRebuild);
  expect(await pageOf()).toMatchObject({ source: "count" });
  await rebuild(true);
  await expectWhole();
});

test("a board that was to be counted and gets an index before its first ranking is not ranked from a part of it", async () => {
  await createBoard(world, "board", { aggregation: "latest", source: "count" });
  await play(world, key, "ann", 10);
  await save("index");
  world.advance(sourceKnownMs);
  await play(world, key, "bob", 20);
  await expect(publishRanking(world.services, key, everything)).rejects.toMatchObject(asksForRebuild);
  await expect(rebuild(false)).rejects.toMatchObject(asksForRebuild);
  await rebuild(true);
  await expectWhole();
});

test("a rebuild that read before a change of the source publishes nothing after it", async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  for (const [i, player] of ["ann", "bob", "cyd"].entries()) await play(world, key, player, 10 * i);
  await publishRanking(world.services, key, everything);
  // It reads the top only after all index entries.
  let hasChanged = false;
  const runTransaction = world.db.runTransaction.bind(world.db);
  world.db.runTransaction = async (...given) => {
    const found = await (runTransaction as (...all: unknown[]) => Promise<never>)(...given);
    if (typeof found === "object" && "top" in found && !hasChanged) {
      hasChanged = true;
      await save("count");
      await play(world, key, "ann", 99);
      await save("index");
    }
    return found;
  };
  await expect(rebuild(true)).rejects.toMatchObject(asksForRebuild);
  expect(hasChanged).toBe(true);
  expect(await pageOf()).toMatchObject({ generation: 1 });
  world.advance(sourceKnownMs);
  await rebuild(true);
  await expectWhole();
});

test("a first ranking that read before a change of the source publishes nothing after it", async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  await play(world, key, "ann", 10);
  let hasChanged = false;
  const runTransaction = world.db.runTransaction.bind(world.db);
  world.db.runTransaction = async (...given) => {
    const found = await (runTransaction as (...all: unknown[]) => Promise<never>)(...given);
    if (typeof found === "object" && "rows" in found && !hasChanged) {
      hasChanged = true;
      await save("count");
      await play(world, key, "ann", 99);
      await save("index");
    }
    return found;
  };
  await expect(publishRanking(world.services, key, everything)).rejects.toMatchObject(asksForRebuild);
  expect(await pageOf()).toBeUndefined();
  world.advance(sourceKnownMs);
  await rebuild(true);
  await expectWhole();
});

test("a run that remembers the index leaves a board to counts that has just left it", async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  await play(world, key, "ann", 10);
  await publishRanking(world.services, key, everything);
  await play(world, key, "ann", 20);
  const stale = world.anotherInstance();
  await stale.boards.load(key);
  await save("count");
  expect(await publishRanking(stale, key, everything)).toMatchObject({ outcome: "nothing_to_do" });
  expect(await publishRanking(stale, key, everything)).toMatchObject({ outcome: "published" });
  expect(await pageOf()).toMatchObject({ source: "count" });
});

test("a tournament that an instance has not seen yet is indexed by the definition of now", async () => {
  await createBoard(world, "board", { aggregation: "latest", source: "count" });
  await play(world, key, "ann", 10);
  const cup = { leaderboard: "board", season: "cup" };
  const stale = world.anotherInstance();
  await stale.boards.load(cup);
  await save("index");
  await world.call(openSeasonSpec, cup, admin);
  await world.db.doc(`${seasonPath(cup)}/players/ann`).set({ score: 10 });
  const { followPlayer } = await import("../../../functions/src/indexing/follow-player.ts");
  await followPlayer(stale, cup, "ann", { before: undefined, after: { score: 10, status: "active" } });
  await publishRanking(world.services, cup, everything);
  await expectRanked(world, cup);
});

test("a tournament of a counted board is left to counts from the start", async () => {
  await createBoard(world, "board", { aggregation: "latest", source: "count" });
  await world.call(openSeasonSpec, { leaderboard: "board", season: "cup" }, admin);
  const cup = await world.db.doc(seasonPath({ leaderboard: "board", season: "cup" })).get();
  expect(cup.get("left_to_counts_at")).toBeDefined();
});
