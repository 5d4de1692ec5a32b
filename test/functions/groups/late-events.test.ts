/** Events of a server's writes that come late, and twice. */
import { expect, test } from "vitest";
import { followInPrivateGroups } from "../../../functions/src/groups/follow-private.ts";
import { renewPrivateGroup } from "../../../functions/src/groups/renew.ts";
import {
  createGroup,
  eachBoardWithGroups,
  leaderboard,
  minuteMs,
  storedGroupOf,
} from "../../support/groups.ts";

const { world, key } = eachBoardWithGroups();

test("an event that comes again brings back no score of a document that a server has deleted since", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  const score = async () => (await storedGroupOf(world, group)).seats["s2"]?.score;
  const follow = async (write: Awaited<ReturnType<typeof world.writeDirectly>>) => {
    world.advance(minuteMs);
    await followInPrivateGroups(world.services, key, "bob", write);
  };
  const made = await world.writeDirectly(key, "bob", { score: 7, status: "active" });
  await follow(made);
  expect(await score()).toBe(7);
  const deleted = await world.writeDirectly(key, "bob", undefined);
  await follow(deleted);
  await follow(made);
  expect(await score()).toBeUndefined();
  await renewPrivateGroup(world.services, leaderboard, group);
  await follow(made);
  expect(await score()).toBeUndefined();
  await follow(await world.writeDirectly(key, "bob", { score: 3, status: "active" }));
  expect(await score()).toBe(3);
});

test("an event of before a member joined brings back no score of a document that was deleted by then", async () => {
  const made = await world.writeDirectly(key, "bob", { score: 7, status: "active" });
  await world.writeDirectly(key, "bob", undefined);
  const { group } = await createGroup(world, ["ann", "bob"]);
  world.advance(minuteMs);
  await followInPrivateGroups(world.services, key, "bob", made);
  expect((await storedGroupOf(world, group)).seats["s2"]).not.toHaveProperty("score");
});
