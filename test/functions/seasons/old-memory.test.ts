/** A board whose documents change while instances remember the old ones: nothing wrong remains. */
import { beforeEach, expect, test } from "vitest";
import { pagePath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { countPlayers } from "../../../functions/src/counting/count-players.ts";
import { getRankRequest } from "../../../functions/src/operations/get-rank.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { play } from "../../support/damage.ts";
import { callOn, admin, allTime, createBoard, createWorld, type World } from "../../support/world.ts";

const key = allTime("board");
const everything = { includeOpenSlot: true };
let world: World;

beforeEach(async () => {
  world = createWorld();
  await createBoard(world, "board", { aggregation: "latest" });
  for (const [i, player] of ["ann", "bob", "cyd"].entries()) await play(world, key, player, 10 * i);
  await world.publish(key);
});

const season = () => world.db.doc(seasonPath(key)).get();

test("an instance that wakes a season does not remember the definition longer for it", async () => {
  const stale = world.anotherInstance();
  await world.db
    .doc(seasonPath(key))
    .update({ dormant_at: new Date(world.services.now()), next_run_at: null });
  await stale.boards.load(key);
  world.advance(1_000);
  const definition = { aggregation: "latest" as const, top_size: 7 };
  await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  // The stale instance wakes the season late in its minute, and must learn of a change after that minute.
  world.advance(45_000);
  await countPlayers(stale, key, ["bob"]);
  expect((await season()).get("dormant_at")).toBeNull();
  world.advance(25_000);
  expect(await stale.boards.load(key)).toMatchObject({ definition: { top_size: 7 } });
});

test.each(["live", "published"])(
  "where the first page is lost, no %s rank is answered",
  async (freshness) => {
    await play(world, key, "dan", 5);
    await world.db.doc(pagePath(key, 0)).delete();
    const asked = getRankRequest.parse({ leaderboard: "board", score: 3, freshness });
    await expect(callOn(world.anotherInstance(), "getRank", asked, admin)).rejects.toMatchObject({
      code: "player_not_ranked",
    });
  },
);

test("a season is parked again if an instance that remembered the definition published it", async () => {
  const stale = world.anotherInstance();
  await stale.boards.load(key);
  await world.db.doc("leaderboards/board").delete();
  world.services.boards.forget("board");
  await expect(publishRanking(world.services, key)).rejects.toMatchObject({ code: "leaderboard_not_found" });
  await countPlayers(stale, key, ["ann"]);
  await world.db.doc(`${seasonPath(key)}/players/ann`).update({ score: 70 });
  await countPlayers(stale, key, ["ann"]);
  await publishRanking(stale, key, everything);
  expect((await season()).get("next_run_at")).not.toBeNull();
  world.services.boards.forget("board");
  await expect(publishRanking(world.services, key)).rejects.toMatchObject({ code: "leaderboard_not_found" });
  expect((await season()).data()).toMatchObject({ parked: "no_definition", next_run_at: null });
});
