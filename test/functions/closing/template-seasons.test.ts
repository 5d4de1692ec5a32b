/** Seasons of a template's board end, are kept, are audited and repaired as those of any board. */
import { beforeEach, expect, test } from "vitest";
import { eventsPath, pagePath, seasonsPath } from "../../../functions/src/documents/paths.ts";
import { expectRanked } from "../../support/oracle.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const minute = 60_000;
const leaderboard = "level:7";
const key = allTime(leaderboard);

beforeEach(async () => {
  const template = { ids: "any" } as const;
  await createBoard(world, "level", { template, spans: ["daily", "all_time"], keep_seasons: 1 });
});

const play = (player: string, score: number) =>
  world.call("submitScore", { leaderboard, score }, user(player));

async function pass(minutes: number): Promise<void> {
  for (let i = 0; i < minutes; i++) {
    world.advance(minute);
    await world.tick();
  }
}

const days = async () =>
  (await world.db.collection(seasonsPath(leaderboard)).get()).docs
    .map((season) => [season.id, season.get("status") as string])
    .filter(([id]) => id !== "all_time");

test("a day closes with a final table, the day before goes, and each event lies at the board", async () => {
  await play("ann", 1);
  await play("bob", 2);
  world.advance(12 * 60 * minute);
  await pass(30);
  expect(await days()).toEqual([["daily-2100-01-02", "closed"]]);
  const asked = { leaderboard, season: "daily-2100-01-02" };
  expect(await world.call("getRank", { ...asked, player: "ann" }, user("ann"))).toMatchObject({
    rank: 2,
    players: 2,
  });
  const results = { since: "2100-01-01T00:00:00Z", leaderboard };
  expect(await world.call("getResults", results, user("bob"))).toMatchObject({
    results: [{ leaderboard, rank: 1 }],
  });
  await play("ann", 3);
  world.advance(24 * 60 * minute);
  await pass(60);
  expect(await days()).toEqual([["daily-2100-01-03", "closed"]]);
  const kinds = (await world.db.collection(eventsPath(leaderboard)).get()).docs.map(
    (event) => event.get("kind") as string,
  );
  expect(new Set(kinds)).toEqual(
    new Set(["season_opened", "season_closing", "season_closed", "top_entered", "lead_changed"]),
  );
});

test("an audit finds a damaged page, a repair mends it, and a player is exported and removed", async () => {
  await play("ann", 1);
  await play("bob", 2);
  await world.publish(key);
  await world.db.doc(pagePath(key, 0)).update({ scores: [2], players_above: [0], players_until: 1 });
  const season = "all_time";
  expect(await world.call("auditSeason", { leaderboard, season }, admin)).toMatchObject({ outcome: "done" });
  await world.call("repairSeason", { leaderboard, season }, admin);
  await expectRanked(world, key);
  const exported = await world.call("exportPlayer", { leaderboard, player: "ann" }, admin);
  expect(exported.seasons.map((one) => one.season)).toEqual(["all_time", "daily-2100-01-02"]);
  expect(await world.call("removePlayer", { leaderboard, player: "ann" }, admin)).toMatchObject({
    removed: [{ leaderboard }, { leaderboard }],
  });
  await expect(play("ann", 5)).rejects.toMatchObject({ code: "player_erased" });
  await world.call("submitScore", { leaderboard: "level:8", score: 1 }, user("ann"));
  await world.publish(key);
  await expectRanked(world, key);
});
