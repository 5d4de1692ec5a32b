/** What `getMyBoards` says of seasons of a template's boards that have closed. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { closeNow } from "../../support/closing.ts";
import { admin, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

test("a closed season's score is that of its final table, whatever a server has written since", async () => {
  await createBoard(world, "level", { template: { ids: "any" }, spans: ["daily"] });
  const leaderboard = "level:7";
  await world.call("submitScore", { leaderboard, score: 5 }, user("ann"));
  const key = { leaderboard, season: "daily-2100-01-02" };
  world.advance(13 * 3_600_000);
  await closeNow(world, key);
  await world.db.doc(playerPath(key, "ann")).update({ score: 99 });
  expect(await world.call("getRank", key, user("ann"))).toMatchObject({ score: 5 });
  const { boards } = await world.call("getMyBoards", {}, user("ann"));
  // Came out: 99.
  expect(boards).toMatchObject([{ ...key, score: 5 }]);
});

test.each(["setPlayerStatus", "mergePlayers"] as const)(
  "%s answers the score of the final table too",
  async (name) => {
    await createBoard(world, "board", { spans: ["daily"] });
    for (const [player, score] of [
      ["ann", 5],
      ["bob", 9],
    ] as const)
      await world.submit(player, score);
    const key = { leaderboard: "board", season: "daily-2100-01-02" };
    world.advance(13 * 3_600_000);
    await closeNow(world, key);
    await world.db.doc(playerPath(key, "ann")).update({ score: 99 });
    const { seasons } =
      name === "setPlayerStatus"
        ? await world.call(name, { leaderboard: "board", player: "ann", status: "hidden" }, admin)
        : await world.call(name, { from: "nobody", to: "ann", leaderboard: "board" }, admin);
    // Came out: 99.
    expect(seasons).toMatchObject([{ season: key.season, score: 5 }]);
  },
);
