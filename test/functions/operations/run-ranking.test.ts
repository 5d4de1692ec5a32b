/** `runRanking` answers the published generation, whoever published it. */
import { expect, test } from "vitest";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const leaderboard = "board";
const world = eachWorld();
const rank = () => world.call("runRanking", { leaderboard }, admin);

test("where the schedule's run was first there is nothing to do, and a reader knows what to ask for", async () => {
  await createBoard(world, leaderboard, {});
  await world.submit("ann", 5);
  await world.submit("bob", 5);
  world.advance(20_000);
  // This instance remembers the season without a ranking.
  await publishRanking(world.anotherInstance(), allTime(leaderboard));
  const found = { outcome: "nothing_to_do", generation: 1, players: 2, rows: 1, exact: true };
  expect(await rank()).toMatchObject(found);
  expect(await world.reads(rank)).toBe(2);
});

test("before the first publication there is none", async () => {
  await createBoard(world, leaderboard, {});
  expect(await rank()).toMatchObject({ outcome: "nothing_to_do", generation: null, players: 0 });
});
