/** Moderators are answered a server's score as the board ranks it. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const leaderboard = "board";
const world = eachWorld();
const documentOf = (player: string) => world.db.doc(playerPath(allTime(leaderboard), player));
const statusOf = (player: string) =>
  world.call("setPlayerStatus", { leaderboard, player, status: "hidden" }, admin);
const mergedInto = (to: string) =>
  world.call("mergePlayers", { leaderboard, from: "nobody", to }, admin).then(({ seasons }) => ({ seasons }));

test("as the nearest step of the board", async () => {
  await createBoard(world, leaderboard, { decimals: 1 });
  await world.submit("ann", 0.5);
  await documentOf("ann").update({ score: 0.1 + 0.2 });
  for (const call of [statusOf, mergedInto])
    expect((await call("ann")).seasons).toMatchObject([{ season: "all_time", score: 0.3 }]);
});

test("with the columns of the score, whatever the server has left beside it", async () => {
  const points = { name: "points", min: 0, max: 9, order: "descending" as const };
  await createBoard(world, leaderboard, { columns: [points] });
  for (const player of ["ann", "bob"])
    await world.call("submitScore", { leaderboard, columns: { points: 1 } }, user(player));
  await documentOf("ann").update({ score: 5 });
  await documentOf("bob").update({ score: 50 });
  for (const call of [statusOf, mergedInto]) {
    expect((await call("ann")).seasons).toMatchObject([{ score: 5, columns: { points: 5 } }]);
    const [ofBob] = (await call("bob")).seasons;
    expect(ofBob).toMatchObject({ score: 50 });
    expect(ofBob).not.toHaveProperty("columns");
  }
});
