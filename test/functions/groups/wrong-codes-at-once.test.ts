/** docs/limits.md: a caller may send 10 wrong codes a minute to an instance, also at the same time. */
import { expect, test } from "vitest";
import { eachBoardWithGroups, getGroup, createGroup, leaderboard } from "../../support/groups.ts";
import { user } from "../../support/world.ts";

const { world } = eachBoardWithGroups();

test("60 wrong codes of one caller at once cost 10 reads", async () => {
  const { group } = await createGroup(world, ["ann"]);
  await getGroup(world, group, "ann");
  const codes = Array.from({ length: 60 }, (_, i) => String(i).padStart(13, "0"));
  const tryAll = () =>
    Promise.allSettled(codes.map((code) => world.call("joinGroup", { leaderboard, code }, user("bob"))));
  expect(await world.reads(tryAll)).toBeLessThanOrEqual(10);
});
