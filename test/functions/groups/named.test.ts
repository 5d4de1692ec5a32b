/** Names in groups, how often a player may change them, and what a moderator is told. */
import { expect, test } from "vitest";
import {
  createGroup,
  eachBoardWithGroups,
  getGroup,
  hourMs,
  leaderboard,
  minuteMs,
  playInGroups,
  scoresIn,
  storedGroupOf,
} from "../../support/groups.ts";
import { followInPrivateGroups } from "../../../functions/src/groups/follow-private.ts";
import { grpc } from "../../../functions/src/world/retryable.ts";
import { watchCommits } from "../../support/commits.ts";
import { doRefreshes } from "../../support/league.ts";
import { admin, user } from "../../support/world.ts";

const { world, key, setStatus, save, inMs } = eachBoardWithGroups();

test("a score shows in a group after a server has deleted the player's document", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { ann: 5, bob: 7 });
  world.advance(minuteMs);
  const write = await world.writeDirectly(key, "bob", undefined);
  await world.follow(key, "bob", write);
  await followInPrivateGroups(world.services, key, "bob", write);
  await doRefreshes(world);
  world.advance(minuteMs);
  await playInGroups(world, { bob: 3 });
  world.advance(minuteMs);
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
    ["ann", 5],
    ["bob", 3],
  ]);
});

test("what an account has made in a hundred short challenges does not cost a hundred reads with each getMyGroups", async () => {
  for (let i = 0; i < 100; i++) {
    const { group } = await createGroup(world, ["ann"], { name: `Challenge ${i}`, ends_at: inMs(1) });
    world.advance(7 * minuteMs);
    await getGroup(world, group, "ann");
  }
  const reads = await world.reads(() => world.call("getMyGroups", { leaderboard }, user("ann")));
  expect(reads).toBeLessThanOrEqual(40);
});

test("an owner who renames a group again and again is slowed down, as one who changes a profile is", async () => {
  const { group } = await createGroup(world, ["ann"]);
  let done = 0;
  for (let i = 0; i < 20; i++)
    await world.call("renameGroup", { leaderboard, group, name: `Name ${i}` }, user("ann")).then(
      () => done++,
      () => undefined,
    );
  expect(done).toBeLessThan(20);
});

test("a member who leaves and joins again and again is slowed down: each time all who listen read the group", async () => {
  const { group, code } = await createGroup(world, ["ann"]);
  let done = 0;
  for (let i = 0; i < 20; i++) {
    await world.call("joinGroup", { leaderboard, code }, user("bob")).then(
      () => done++,
      () => undefined,
    );
    await world.call("leaveGroup", { leaderboard, group }, user("bob")).catch(() => undefined);
  }
  expect(done).toBeLessThan(20);
});

test("a moderator who hides a member is told where a group could not hide the member", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { ann: 5, bob: 7 });
  watchCommits(world, (writes, perform) =>
    writes.some(({ path }) => path.includes("private_groups"))
      ? Promise.reject(Object.assign(new Error("the database is not there"), { code: grpc.deadlineExceeded }))
      : perform(),
  );
  const told = await setStatus("bob", "hidden").then(
    () => "done",
    () => "failed",
  );
  const shown = scoresIn(await getGroup(world, group, "ann")).some(([player]) => player === "bob");
  expect({ told, shown }).not.toEqual({ told: "done", shown: true });
});

test("a name that was taken out is not shown again by a group when the next season begins", async () => {
  await save({ spans: ["daily"] });
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { ann: 5, bob: 7 }, { display_name: "Swearword" });
  world.advance(24 * hourMs);
  await playInGroups(world, { ann: 1, bob: 2 });
  await world.call("setProfile", { leaderboard, player: "bob", display_name: null }, admin);
  await playInGroups(world, { bob: 3 });
  const names = (await getGroup(world, group, "ann")).entries.map(({ player, display_name }) => [
    player,
    display_name,
  ]);
  const { season } = await storedGroupOf(world, group);
  await world.publish({ leaderboard, season });
  const listed = await world.call("getPlayers", { leaderboard, players: ["bob"] }, user("ann"));
  expect(listed.entries.map(({ display_name }) => display_name)).toEqual([undefined]);
  expect(names.find(([player]) => player === "bob")).toEqual(["bob", undefined]);
});

test("a name that was told with a call alone can be taken out by a moderator", async () => {
  const { group, code } = await createGroup(world, ["ann"]);
  await world.call("joinGroup", { leaderboard, code, display_name: "Swearword" }, user("bob"));
  await playInGroups(world, { bob: 3 });
  await world.call("setProfile", { leaderboard, player: "bob", display_name: null }, admin);
  const names = (await getGroup(world, group, "ann")).entries.map(({ display_name }) => display_name);
  expect(names).toEqual([undefined, undefined]);
});
