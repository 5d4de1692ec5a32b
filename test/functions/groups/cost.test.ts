/** What private groups cost in document reads and writes: the promises of docs/groups.md. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { followInPrivateGroups } from "../../../functions/src/groups/follow-private.ts";
import { refreshWhenDue } from "../../../functions/src/groups/refresh.ts";
import { renewPrivateGroup } from "../../../functions/src/groups/renew.ts";
import {
  createBoardWithGroups,
  createGroup,
  getGroup,
  leaderboard,
  playInGroups,
} from "../../support/groups.ts";
import { admin, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const free = { reads: 0, writes: 0, deletes: 0 };
const submitAll = (scores: Record<string, number>) => {
  const submissions = Object.entries(scores).map(([player, score]) => ({ player, score }));
  return world.call("submitScores", { leaderboard, submissions }, admin);
};
/** Later, when each group is quiet again. */
const later = () => world.advance(15_000);
const turnOn = () =>
  world.call("saveLeaderboard", { leaderboard, definition: { private_groups: true } }, admin);

test("a changed score costs nothing on a board without groups, 1 read without a group, 1 read and 1 write with a quiet one", async () => {
  await createBoard(world, leaderboard, { aggregation: "latest" });
  await submitAll({ ann: 1, bob: 1 });
  later();
  const plain = await world.bill(() => submitAll({ ann: 2 }));
  await turnOn();
  // The board is read anew.
  await submitAll({ bob: 2 });
  later();
  expect(await world.bill(() => submitAll({ ann: 3 }))).toEqual({ ...plain, reads: plain.reads + 1 });
  await createGroup(world, ["ann", "bob"]);
  later();
  expect(await world.bill(() => submitAll({ ann: 4 }))).toEqual({
    ...plain,
    reads: plain.reads + 1,
    writes: plain.writes + 1,
  });
  await createGroup(world, ["ann", "bob"], { name: "Class" });
  later();
  expect(await world.bill(() => submitAll({ ann: 5 }))).toEqual({
    ...plain,
    reads: plain.reads + 2,
    writes: plain.writes + 2,
  });
});

test("a group that is not quiet is refreshed once for all changes: 1 read, 1 for each member, and 1 write", async () => {
  await createBoardWithGroups(world);
  await submitAll({ ann: 1, bob: 1, cyd: 1 });
  await createGroup(world, ["ann", "bob", "cyd"]);
  later();
  await submitAll({ ann: 2 });
  world.advance(1_000);
  await submitAll({ ann: 3 });
  await submitAll({ bob: 3 });
  const [refresh, ...others] = [...world.refreshes.values()].filter(
    ({ follows }) => follows === "private_group",
  );
  expect(others).toEqual([]);
  if (refresh === undefined) expect.fail("no refresh was requested");
  const spent = await world.bill(() => refreshWhenDue(world.services, refresh));
  expect(spent).toEqual({ ...free, reads: 1 + 3, writes: 1 });
});

test("the calls cost what docs/calls.md says", async () => {
  await createBoardWithGroups(world);
  await submitAll({ ann: 1, bob: 1 });
  const ann = user("ann");
  const make = (name: string) => world.call("createGroup", { leaderboard, name }, ann);
  const none = 1;
  expect(await world.bill(() => make("Friends"))).toEqual({ ...free, reads: 4 + none, writes: 2 });
  // Repeated: the group that there is, and its code.
  expect(await world.bill(() => make("Friends"))).toEqual({ ...free, reads: 4 + 1 + 1 });
  expect(await world.bill(() => make("Class"))).toEqual({ ...free, reads: 4 + 1, writes: 2 });
  const { group, code } = await make("Friends");
  const join = (player: string, typed = code) =>
    world.call("joinGroup", { leaderboard, code: typed }, user(player));
  expect(await world.bill(() => join("bob"))).toEqual({ ...free, reads: 5 + none, writes: 1 });
  expect(await world.bill(() => join("bob"))).toEqual({ ...free, reads: 2 });
  const wrong = await world.bill(() => join("cyd", "0".repeat(13)).catch(() => undefined));
  expect(wrong).toEqual({ ...free, reads: 1 });

  // Written just now, it has its refresh before it, and the own document is not looked at.
  expect(await world.bill(() => getGroup(world, group, "bob"))).toEqual({ ...free, reads: 1 });
  world.advance(30_000);
  expect(await world.bill(() => getGroup(world, group, "bob"))).toEqual({ ...free, reads: 2 });
  expect(await world.bill(() => getGroup(world, group, "bob", { with_code: true }))).toEqual({
    ...free,
    reads: 2 + 3,
  });
  const stranger = await world.bill(() => getGroup(world, group, "cyd").catch(() => undefined));
  expect(stranger).toEqual({ ...free, reads: 1 });
  expect(await world.bill(() => world.call("getMyGroups", { leaderboard }, ann))).toEqual({
    ...free,
    reads: 2 + 1,
  });

  const of = { leaderboard, group };
  const rename = () => world.call("renameGroup", { ...of, name: "Old friends" }, ann);
  expect(await world.bill(rename)).toEqual({ ...free, reads: 2, writes: 1 });
  const take = () => world.call("removeMember", { ...of, player: "bob" }, ann);
  expect(await world.bill(take)).toEqual({ reads: 3, writes: 2, deletes: 1 });
  const { code: next = "" } = await getGroup(world, group, "ann", { with_code: true });
  await join("bob", next);
  const leave = (player: string) => world.bill(() => world.call("leaveGroup", of, user(player)));
  expect(await leave("bob")).toEqual({ ...free, reads: 1, writes: 1 });
  expect(await leave("ann")).toEqual({ ...free, reads: 2, deletes: 2 });
  const other = await createGroup(world, ["ann", "bob"]);
  const remove = () => world.call("deleteGroup", { leaderboard, group: other.group }, ann);
  expect(await world.bill(remove)).toEqual({ ...free, reads: 3, deletes: 2 });
});

test("a season's first score in a group costs 2 reads and 1 write more, and a refresh", async () => {
  await createBoardWithGroups(world, { spans: ["weekly"] });
  await submitAll({ ann: 1, bob: 1, cyd: 1 });
  const { group } = await createGroup(world, ["ann", "bob", "cyd"]);
  world.advance(7 * 86_400_000);
  // The season is open, and known.
  await submitAll({ zoe: 1 });
  const plain = await world.bill(() => submitAll({ yan: 1 }));
  const first = await world.bill(() => submitAll({ ann: 2 }));
  // The group itself is read in place of the search that finds no group.
  expect(first).toEqual({ ...plain, reads: plain.reads + 1, writes: plain.writes + 1 });
  expect([...world.refreshes.values()].map(({ follows }) => follows)).toContain("private_group");
  expect((await getGroup(world, group, "bob")).entries[0]).toMatchObject({ player: "ann", score: 2 });
});

test("getGroup of another season costs 1 read for each member, and 1 write where the group goes on to it", async () => {
  await createBoardWithGroups(world, { spans: ["weekly", "all_time"] });
  await submitAll({ ann: 1, bob: 1, cyd: 1 });
  const { group } = await createGroup(world, ["ann", "bob", "cyd"]);
  await getGroup(world, group, "ann", { span: "all_time" });
  const other = () => getGroup(world, group, "ann", { span: "all_time" });
  world.advance(30_000);
  expect(await world.bill(other)).toEqual({ ...free, reads: 2 + 3 });
});

test("whoever looks first after a season has ended costs 3 reads and 1 write more, and a refresh", async () => {
  await createBoardWithGroups(world, { spans: ["weekly"] });
  await submitAll({ ann: 1, bob: 1 });
  const { group } = await createGroup(world, ["ann", "bob"]);
  world.advance(7 * 86_400_000);
  // The season is known, and has no score of a member.
  await submitAll({ zoe: 1 });
  const look = () => world.bill(() => getGroup(world, group, "ann"));
  expect(await look()).toEqual({ ...free, reads: 1 + 3, writes: 1 });
  expect(await look()).toEqual({ ...free, reads: 1 });
});

test("an end costs 1 read, 1 for each member and 2 writes, and a look for ends 1 read", async () => {
  await createBoardWithGroups(world);
  await submitAll({ ann: 1, bob: 1 });
  const ends_at = new Date(world.services.now() + 3_600_000).toISOString();
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at });
  await playInGroups(world, { ann: 7, bob: 5 });
  world.advance(2 * 3_600_000);
  await getGroup(world, (await createGroup(world, ["cyd"])).group, "cyd");
  const end = await world.bill(() => renewPrivateGroup(world.services, leaderboard, group));
  expect(end).toEqual({ ...free, reads: 1 + 2, writes: 2 });
  expect(await getGroup(world, group, "bob")).toMatchObject({ state: "ended", place: 2 });
});

test("a server's write that changes nothing that a group shows costs groups nothing", async () => {
  const key = await createBoardWithGroups(world);
  await submitAll({ ann: 1 });
  await createGroup(world, ["ann"]);
  const fields = (await world.db.doc(playerPath(key, "ann")).get()).data();
  const write = await world.writeDirectly(key, "ann", { ...fields, level: 3 });
  const follow = () => followInPrivateGroups(world.services, key, "ann", write);
  expect(await world.bill(follow)).toEqual(free);
});
