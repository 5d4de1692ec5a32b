/** What members who are banned or hidden may do, and cause. */
import { expect, test } from "vitest";
import {
  createGroup,
  eachBoardWithGroups,
  getGroup,
  hourMs,
  leaderboard,
  playInGroups,
  storedGroupOf,
} from "../../support/groups.ts";
import { user } from "../../support/world.ts";

const { world, setStatus } = eachBoardWithGroups();

test("a banned owner manages nothing", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { ann: 1 });
  await setStatus("ann", "banned");
  await expect(
    world.call("renameGroup", { leaderboard, group, name: "Insult" }, user("ann")),
  ).rejects.toBeDefined();
});

test("a banned member gets no code", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { bob: 1 });
  await setStatus("bob", "banned");
  const got = await getGroup(world, group, "bob", { with_code: true }).catch(() => undefined);
  expect(got?.code).toBeUndefined();
});

test("a hidden member's scores change nothing that members read", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { bob: 1 });
  await setStatus("bob", "hidden");
  const before = await storedGroupOf(world, group);
  world.advance(hourMs);
  await playInGroups(world, { bob: 2 });
  expect(await storedGroupOf(world, group)).toEqual(before);
});
