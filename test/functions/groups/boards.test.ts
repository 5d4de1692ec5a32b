/** A board that is deleted. */
import { test } from "vitest";
import { eachBoardWithGroups, expectNoGroups, leaderboard } from "../../support/groups.ts";
import { admin, callOn, user } from "../../support/world.ts";

const { world, key } = eachBoardWithGroups();

test("an instance that remembers a deleted board makes no group on it", async () => {
  const stale = await world.coldInstance(key);
  await world.call("deleteLeaderboard", { leaderboard }, admin);
  await callOn(stale, "createGroup", { leaderboard, name: "F" }, user("ann")).catch(() => undefined);
  await expectNoGroups(world);
});
