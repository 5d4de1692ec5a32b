/** Our own commits at a trusted server's document: they complete it, and leave it alone once its season is over. */
import { beforeEach, expect, test } from "vitest";
import { isInLine } from "../../../functions/src/counting/count-players.ts";
import { playerPath, shardsPath } from "../../../functions/src/documents/paths.ts";
import { admin, allTime, createBoard, createWorld, user, type World } from "../../support/world.ts";

let world: World;
const leaderboard = "board";

beforeEach(async () => {
  world = createWorld();
  await createBoard(world, leaderboard);
});

test.each(["a status", "a worse score"])(
  "%s completes it, so that its event has nothing to do",
  async (what) => {
    const key = allTime(leaderboard);
    await world.call("submitScore", { leaderboard, score: 1 }, user("bob"));
    await world.writeDirectly(key, "ann", { score: 40 });
    if (what === "a status")
      await world.call("setPlayerStatus", { leaderboard, player: "ann", status: "active" }, admin);
    else await world.call("submitScore", { leaderboard, score: 30 }, user("ann"));
    const found = await world.db.doc(playerPath(key, "ann")).get();
    expect(isInLine(found.data())).toBe(true);
    expect(found.data()).toMatchObject({ score: 40, counted: { score: 40 } });
  },
);

test("a submission that is sent again to a tournament that is over writes nothing", async () => {
  const key = { leaderboard, season: "cup" };
  await world.call("openSeason", { leaderboard, season: "cup" }, admin);
  await world.writeDirectly(key, "ann", { score: 40 });
  await world.call("closeSeason", { leaderboard, season: "cup" }, admin);
  world.advance(120_000);
  await expect(
    world.call("submitScore", { leaderboard, season: "cup", score: 50, submission_id: "one" }, user("ann")),
  ).rejects.toMatchObject({ code: "season_closed" });
  expect((await world.db.doc(playerPath(key, "ann")).get()).data()).toEqual({ score: 40 });
  expect((await world.db.collection(shardsPath(key)).get()).empty).toBe(true);
});
