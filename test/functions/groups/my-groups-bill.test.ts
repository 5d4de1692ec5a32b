/** docs/costs.md: getMyGroups costs 1 read per open group, at least 1, and 1 per one that has ended, and the board's 2. */
import { expect, test } from "vitest";
import { createGroup, eachBoardWithGroups, getGroup, hourMs, leaderboard } from "../../support/groups.ts";
import { callOn, user } from "../../support/world.ts";

const { world, save, inMs } = eachBoardWithGroups();

test("of a player whose last 20 groups were of a day each", async () => {
  await save({ spans: ["daily"] });
  for (let day = 0; day < 20; day++) {
    await world.submit("ann", 5 + day);
    const { group } = await createGroup(world, ["ann"], { name: `Day ${day}`, ends_at: inMs(hourMs) });
    world.advance(2 * hourMs);
    expect((await getGroup(world, group, "ann")).state).toBe("ended");
    world.advance(22 * hourMs);
  }
  const cold = world.anotherInstance();
  const reads = await world.reads(async () => {
    const { groups } = await callOn(cold, "getMyGroups", { leaderboard }, user("ann"));
    expect(groups).toHaveLength(20);
  });
  const board = 2;
  expect(reads).toBe(board + 1 + 20);
});
