/** A board that is deleted. */
import { beforeEach, test } from "vitest";
import { createBoardWithGroups, expectNoGroups, leaderboard } from "../../support/groups.ts";
import { admin, allTime, callOn, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const key = allTime(leaderboard);
beforeEach(() => createBoardWithGroups(world));

test("an instance that remembers a deleted board makes no group on it", async () => {
  const stale = await world.coldInstance(key);
  await world.call("deleteLeaderboard", { leaderboard }, admin);
  await callOn(stale, "createGroup", { leaderboard, name: "F" }, user("ann")).catch(() => undefined);
  await expectNoGroups(world);
});
