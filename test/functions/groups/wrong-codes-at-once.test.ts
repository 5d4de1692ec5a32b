/** docs/limits.md: a caller may send 10 wrong codes a minute to an instance, also at the same time. */
import { expect, test } from "vitest";
import { createGroup, eachBoardWithGroups, getGroup, leaderboard, refused } from "../../support/groups.ts";
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

test("60 joins of one caller at once with a right code cost no more than 10", async () => {
  const { group, code } = await createGroup(world, ["ann", "bob"]);
  await getGroup(world, group, "ann");
  const joins = () =>
    Promise.allSettled(
      Array.from({ length: 60 }, () => world.call("joinGroup", { leaderboard, code }, user("bob"))),
    );
  expect(await world.reads(joins)).toBeLessThanOrEqual(2 * 10);
});

test("right codes and failures do not count as wrong codes, and wrong codes not as changes", async () => {
  const groups = await Promise.all(["ann", "cyd", "dan"].map((player) => createGroup(world, [player])));
  const { code: full } = await createGroup(world, ["eve", "fay"], { size: 2 });
  const join = (code: string) => world.call("joinGroup", { leaderboard, code }, user("bob"));
  const wrong = (i: number) => join(String(i).padStart(13, "0"));
  for (let i = 0; i < 9; i++) await expect(wrong(i)).rejects.toEqual(refused("group_not_found"));
  await expect(join(full)).rejects.toEqual(refused("group_full"));
  for (const { code } of groups) await join(code);
  await expect(wrong(9)).rejects.toEqual(refused("group_not_found"));
  await expect(wrong(10)).rejects.toEqual(refused("too_frequent"));
  // After three joins seven more changes.
  const { group = "" } = groups[0] ?? {};
  const leave = () => world.call("leaveGroup", { leaderboard, group }, user("bob"));
  for (let i = 0; i < 7; i++) await leave();
  await expect(leave()).rejects.toEqual(refused("too_frequent"));
});
