/** A board whose source or definition changes while instances remember the old one: nothing wrong remains. */
import { beforeEach, expect, test } from "vitest";
import type { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { pagePath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { indexPlayers } from "../../../functions/src/indexing/index-players.ts";
import { getRankRequest, getRankSpec } from "../../../functions/src/operations/get-rank.ts";
import { rebuildSeasonSpec } from "../../../functions/src/operations/repair-season.ts";
import { saveLeaderboardSpec } from "../../../functions/src/operations/save-leaderboard.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { play } from "../../support/damage.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { admin, allTime, createBoard, createWorld, type World } from "../../support/world.ts";

const key = allTime("board");
const everything = { includeOpenSlot: true };
const rebuild = { leaderboard: "board", full: true };
let world: World;

beforeEach(async () => {
  world = createWorld();
  await createBoard(world, "board", { aggregation: "latest" });
  for (const [i, player] of ["ann", "bob", "cyd"].entries()) await play(world, key, player, 10 * i);
  await publishRanking(world.services, key, everything);
});

async function save(source: "index" | "count"): Promise<void> {
  const request = { leaderboard: "board", definition: { aggregation: "latest" as const, source } };
  await world.call(saveLeaderboardSpec, request, admin);
}

const season = () => world.db.doc(seasonPath(key)).get();

test("a rebuild within a minute after the change is refused, and says when to ask again", async () => {
  await save("count");
  world.advance(120_000);
  await publishRanking(world.services, key);
  await save("index");
  world.advance(30_000);
  await expect(world.call(rebuildSeasonSpec, rebuild, admin)).rejects.toMatchObject({
    code: "contention",
    details: { retry_after_seconds: 35 },
  });
  world.advance(36_000);
  await world.call(rebuildSeasonSpec, rebuild, admin);
  await expectRanked(world, key);
  await expectConverged(world, key);
  await expectConserved(world, key);
});

test("a counting run of an instance that remembers the old source does not replace the index's ranking", async () => {
  await save("count");
  const stale = world.anotherInstance();
  world.advance(120_000);
  await publishRanking(stale, key);
  await save("index");
  expect(await publishRanking(stale, key)).toMatchObject({ outcome: "nothing_to_do" });
  world.advance(70_000);
  await world.call(rebuildSeasonSpec, rebuild, admin);
  expect((await world.db.doc(pagePath(key, 0)).get()).get("source")).toBe("index");
});

test("an instance that wakes a season does not remember the definition longer for it", async () => {
  await save("count");
  world.advance(120_000);
  await publishRanking(world.services, key);
  const stale = world.anotherInstance();
  await world.db
    .doc(seasonPath(key))
    .update({ dormant_at: new Date(world.services.now()), next_run_at: null });
  await stale.boards.load(key);
  world.advance(1_000);
  await save("index");
  // The stale instance wakes the season late in its minute, and must learn of a change after that minute.
  world.advance(45_000);
  await indexPlayers(stale, key, ["bob"]);
  world.advance(25_000);
  await world.call(rebuildSeasonSpec, rebuild, admin);
  await world.db.doc(`${seasonPath(key)}/players/bob`).update({ score: 99 });
  await indexPlayers(stale, key, ["bob"]);
  await publishRanking(world.services, key, everything);
  await expectRanked(world, key);
  await expectConverged(world, key);
});

test("an instance that remembers the index gives no live rank of it", async () => {
  const stale = world.anotherInstance();
  await stale.boards.load(key);
  const live = { leaderboard: "board", score: 25, freshness: "live", exact: true };
  const ask = () => getRankSpec.handle(stale, getRankRequest.parse(live), admin);
  expect(await ask()).toMatchObject({ rank: 1, freshness: "live" });
  await save("count");
  // Some instances know of it, and index no more.
  await play(world, key, "dan", 30);
  expect(await ask()).toMatchObject({ rank: 1, players: 3, freshness: "published" });
  await save("index");
  expect(await ask()).toMatchObject({ rank: 1, players: 3, freshness: "published" });
});

test("an instance that remembers the index ranks nobody before the first publication", async () => {
  const fresh = createWorld();
  const request = {
    leaderboard: "board",
    definition: { aggregation: "latest" as const, source: "count" as const },
  };
  await createBoard(fresh, "board", { aggregation: "latest" });
  for (const [i, player] of ["ann", "bob", "cyd"].entries()) await play(fresh, key, player, 10 * i);
  const stale = fresh.anotherInstance();
  await stale.boards.load(key);
  await fresh.call(saveLeaderboardSpec, request, admin);
  const live = getRankRequest.parse({ leaderboard: "board", score: 5, freshness: "live" });
  await expect(getRankSpec.handle(stale, live, admin)).rejects.toMatchObject({ code: "player_not_ranked" });
});

test.each(["live", "published"])(
  "where the first page is lost, no %s rank is answered",
  async (freshness) => {
    await play(world, key, "dan", 5);
    await world.db.doc(pagePath(key, 0)).delete();
    const asked = getRankRequest.parse({ leaderboard: "board", score: 3, freshness });
    await expect(getRankSpec.handle(world.anotherInstance(), asked, admin)).rejects.toMatchObject({
      code: "player_not_ranked",
    });
  },
);

test("a rebuild of a counted board ignores shards left over from its index", async () => {
  await play(world, key, "ann", 50);
  await save("count");
  world.advance(120_000);
  await publishRanking(world.services, key);
  world.advance(3 * 3_600_000);
  await world.call(rebuildSeasonSpec, { leaderboard: "board", full: false }, admin);
  const page = (await world.db.doc(pagePath(key, 0)).get()).data() ?? {};
  expect((page["as_of"] as Timestamp).toMillis()).toBe((page["read_at"] as Timestamp).toMillis());
  expect(page).not.toHaveProperty("pending_above");
  const rank = await world.call(getRankSpec, { leaderboard: "board", score: 45 }, admin);
  expect(rank).toMatchObject({ rank: 2, exact: true, players: 3 });
});

test("a season is parked again if an instance that remembered the definition published it", async () => {
  const stale = world.anotherInstance();
  await stale.boards.load(key);
  await world.db.doc("leaderboards/board").delete();
  world.services.boards.forget("board");
  await expect(publishRanking(world.services, key)).rejects.toMatchObject({ code: "leaderboard_not_found" });
  await indexPlayers(stale, key, ["ann"]);
  await world.db.doc(`${seasonPath(key)}/players/ann`).update({ score: 70 });
  await indexPlayers(stale, key, ["ann"]);
  await publishRanking(stale, key, everything);
  expect((await season()).get("next_run_at")).not.toBeNull();
  world.services.boards.forget("board");
  await expect(publishRanking(world.services, key)).rejects.toMatchObject({ code: "leaderboard_not_found" });
  expect((await season()).data()).toMatchObject({ parked: "no_definition", next_run_at: null });
});
