/** Making private groups, joining, leaving, and what the owner does. */
import { expect, test } from "vitest";
import {
  createGroup,
  eachBoardWithGroups,
  expectNoGroups,
  getGroup,
  leaderboard,
  playInGroups,
  refused,
  scoresIn,
  storedGroupOf,
} from "../../support/groups.ts";
import { doRefreshes } from "../../support/league.ts";
import { admin, callOn, createBoard, user } from "../../support/world.ts";

const { world } = eachBoardWithGroups();

test("whoever makes a group is its first member and owner, and others join with its code", async () => {
  const made = await world.call("createGroup", { leaderboard, name: "Friends" }, user("ann"));
  expect(made).toMatchObject({
    name: "Friends",
    code: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{5}$/) as string,
  });
  const { group, code } = made;
  expect(await world.call("joinGroup", { leaderboard, code }, user("bob"))).toEqual({
    group,
    name: "Friends",
  });
  const answer = await getGroup(world, group, "bob");
  expect(answer).toMatchObject({
    owner: "ann",
    players: 2,
    place: 2,
    size: 100,
    state: "open",
    ends_at: null,
  });
  expect(scoresIn(answer)).toEqual([
    ["ann", null],
    ["bob", null],
  ]);
});

test("a code is taken in small letters, with spaces, and with letters that look like digits", async () => {
  const { group, code } = await createGroup(world, ["ann"]);
  const typed = code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
  expect(await world.call("joinGroup", { leaderboard, code: typed }, user("bob"))).toMatchObject({ group });
});

test("a group shows the scores that its members had before, and follows those that come", async () => {
  await playInGroups(world, { ann: 5, bob: 7 });
  const { group } = await createGroup(world, ["ann", "bob", "cyd"]);
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
    ["bob", 7],
    ["ann", 5],
    ["cyd", null],
  ]);
  await playInGroups(world, { cyd: 6, ann: 9, zoe: 100 });
  expect(scoresIn(await getGroup(world, group, "bob"))).toEqual([
    ["ann", 9],
    ["bob", 7],
    ["cyd", 6],
  ]);
  expect(await storedGroupOf(world, group)).toMatchObject({ seats: { s3: { player: "cyd", score: 6 } } });
});

test("equal scores share a rank, and never a place", async () => {
  const { group } = await createGroup(world, ["ann", "bob", "cyd"]);
  await playInGroups(world, { ann: 5, bob: 7 });
  await playInGroups(world, { cyd: 7 });
  const { entries } = await getGroup(world, group, "ann");
  expect(entries.map(({ player, place, rank }) => [player, place, rank])).toEqual([
    ["bob", 1, 1],
    ["cyd", 2, 1],
    ["ann", 3, 3],
  ]);
});

test("nobody else sees a group, or hears whether there is one", async () => {
  const { group } = await createGroup(world, ["ann"]);
  for (const id of [group, "no-such-group"])
    await expect(getGroup(world, id, "zoe")).rejects.toEqual(refused("group_not_found"));
  const moderator = { uid: "mod", role: "moderator" as const };
  expect(await world.call("getGroup", { leaderboard, group }, moderator)).toMatchObject({
    players: 1,
    place: null,
  });
  await expect(world.call("getGroup", { leaderboard, group, player: "ann" }, user("zoe"))).rejects.toEqual(
    refused("not_allowed"),
  );
});

test("joining twice, making a group twice and leaving twice change nothing more", async () => {
  const { group, code } = await createGroup(world, ["ann", "bob", "bob"]);
  expect(await world.call("createGroup", { leaderboard, name: "Friends" }, user("ann"))).toMatchObject({
    group,
    code,
  });
  await expect(
    world.call("createGroup", { leaderboard, name: "Friends", size: 5 }, user("ann")),
  ).rejects.toEqual(refused("invalid_request"));
  expect((await getGroup(world, group, "ann")).players).toBe(2);
  for (let i = 0; i < 2; i++) await world.call("leaveGroup", { leaderboard, group }, user("bob"));
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([["ann", null]]);
});

test("the group of an owner who leaves passes to who came first, and goes with the last one", async () => {
  const { group, code } = await createGroup(world, ["ann", "bob", "cyd"]);
  await world.call("leaveGroup", { leaderboard, group }, user("ann"));
  await expect(getGroup(world, group, "ann")).rejects.toEqual(refused("group_not_found"));
  expect((await getGroup(world, group, "cyd")).owner).toBe("bob");
  for (const player of ["bob", "cyd"]) await world.call("leaveGroup", { leaderboard, group }, user(player));
  await expectNoGroups(world);
  await expect(world.call("joinGroup", { leaderboard, code }, user("bob"))).rejects.toEqual(
    refused("group_not_found"),
  );
});

test("a removed member knows no code any more, and others keep theirs only as the owner tells it", async () => {
  const { group, code } = await createGroup(world, ["ann", "bob", "cyd"]);
  const remove = (player: string, caller: string) =>
    world.call("removeMember", { leaderboard, group, player }, user(caller));
  await expect(remove("cyd", "bob")).rejects.toEqual(refused("not_allowed"));
  expect(await remove("zoe", "ann")).toEqual({ group, code });
  await expect(remove("bob", "zoe")).rejects.toEqual(refused("group_not_found"));
  const removed = await remove("bob", "ann");
  expect(removed.code).not.toBe(code);
  await expect(world.call("joinGroup", { leaderboard, code }, user("bob"))).rejects.toEqual(
    refused("group_not_found"),
  );
  expect(await getGroup(world, group, "cyd", { with_code: true })).toMatchObject({
    players: 2,
    code: removed.code,
  });
  expect(await world.call("joinGroup", { leaderboard, code: removed.code }, user("bob"))).toMatchObject({
    group,
  });
});

test("the owner and a moderator rename and delete a group, and no other member does", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  const moderator = { uid: "mod", role: "moderator" as const };
  await expect(world.call("renameGroup", { leaderboard, group, name: "X" }, user("bob"))).rejects.toEqual(
    refused("not_allowed"),
  );
  await expect(world.call("deleteGroup", { leaderboard, group }, user("bob"))).rejects.toEqual(
    refused("not_allowed"),
  );
  await world.call("renameGroup", { leaderboard, group, name: "Rivals" }, user("ann"));
  await world.call("renameGroup", { leaderboard, group, name: "Class 4b" }, moderator);
  expect((await getGroup(world, group, "bob")).name).toBe("Class 4b");
  await world.call("deleteGroup", { leaderboard, group }, moderator);
  await expectNoGroups(world);
});

test("a group is full at its size, and a player is in ten groups at most", async () => {
  const { group, code } = await createGroup(world, ["ann", "bob"], { size: 2 });
  await expect(world.call("joinGroup", { leaderboard, code }, user("cyd"))).rejects.toEqual(
    refused("group_full"),
  );
  expect((await getGroup(world, group, "ann")).players).toBe(2);
  for (let i = 2; i <= 10; i++) await createGroup(world, ["ann"], { name: `Group ${i}` });
  await expect(createGroup(world, ["ann"], { name: "Group 11" })).rejects.toEqual(refused("invalid_request"));
  const { groups } = await world.call("getMyGroups", { leaderboard }, user("ann"));
  expect(groups).toHaveLength(10);
  expect(groups[0]).toEqual({
    group,
    name: "Friends",
    season: "all_time",
    state: "open",
    players: 2,
    is_owner: true,
    ends_at: null,
  });
});

test("two who join a group with one seat left at the same time: one of them is in it", async () => {
  const { group, code } = await createGroup(world, ["ann"], { size: 2 });
  const both = await Promise.allSettled(
    ["bob", "cyd"].map((player) => world.call("joinGroup", { leaderboard, code }, user(player))),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await getGroup(world, group, "ann")).players).toBe(2);
});

test("ten codes that lead nowhere are refused as such, and the eleventh waits", async () => {
  const { code } = await createGroup(world, ["ann"]);
  const wrong = code.replace(/.$/, (last) => (last === "0" ? "2" : "0"));
  const join = (typed: string) => world.call("joinGroup", { leaderboard, code: typed }, user("bob"));
  for (let tries = 1; tries <= 10; tries++) {
    // A text that is no code costs nothing, and does not count.
    for (const typed of ["no code", `https://my-game.example/join?code=${code}`])
      await expect(join(typed)).rejects.toEqual(refused("invalid_request"));
    await expect(join(wrong)).rejects.toEqual(refused("group_not_found"));
  }
  await expect(world.call("joinGroup", { leaderboard, code }, user("bob"))).rejects.toMatchObject({
    code: "too_frequent",
    details: { retry_after_seconds: 60 },
  });
  world.advance(60_000);
  await world.call("joinGroup", { leaderboard, code }, user("bob"));
});

test("a server makes groups for players, and a player for nobody else", async () => {
  const server = { uid: "server", role: "submitter" as const };
  const { group } = await world.call("createGroup", { leaderboard, name: "Class", player: "ann" }, server);
  expect((await getGroup(world, group, "ann")).owner).toBe("ann");
  await expect(
    world.call("createGroup", { leaderboard, name: "Class", player: "ann" }, user("bob")),
  ).rejects.toEqual(refused("not_allowed"));
});

test("a name of the call shows a member until a score brings another", async () => {
  const { group, code } = await createGroup(world, ["ann"], { display_name: "Ann A." });
  await world.call("joinGroup", { leaderboard, code, display_name: "Bob" }, user("bob"));
  await playInGroups(world, { ann: 3 }, { display_name: "Ann" });
  await world.call("setProfile", { leaderboard, display_name: "Annie" }, user("ann"));
  await doRefreshes(world);
  const { entries } = await getGroup(world, group, "bob");
  expect(entries.map(({ display_name: name }) => name)).toEqual(["Annie", "Bob"]);
});

test.each([
  { name: "" },
  { name: "\u200b" },
  { name: "a\u0000" },
  { name: "x".repeat(65) },
  { name: "F", size: 1 },
  { name: "F", size: 101 },
  { name: "F", span: "weekly" },
  { name: "F", season: "cup" },
  { name: "F", season: "all_time" },
  { name: "F", ends_at: "soon" },
  { name: "F", ends_at: "2099-12-31T00:00:00Z" },
  { name: "F", code: "7KQ2" },
  { Name: "F" },
])("%o makes no group, and says why", async (wrong) => {
  await expect(
    callOn(world.services, "createGroup", { leaderboard, ...wrong }, user("ann")),
  ).rejects.toMatchObject({
    code: expect.stringMatching(/invalid_request|season_not_found/) as string,
  });
  await expectNoGroups(world);
});

test("a board without private groups refuses each of their calls, and a template can't have them", async () => {
  await createBoard(world, "plain");
  await expect(world.call("createGroup", { leaderboard: "plain", name: "F" }, user("ann"))).rejects.toThrow(
    "private_groups: true",
  );
  await expect(world.call("getMyGroups", { leaderboard: "plain" }, user("ann"))).rejects.toEqual(
    refused("invalid_request"),
  );
  await expect(
    createBoard(world, "level", { template: { ids: "any" }, private_groups: true }),
  ).rejects.toEqual(refused("invalid_request"));
});

test("groups are not switched off while there are any", async () => {
  const off = () =>
    world.call("saveLeaderboard", { leaderboard, definition: { private_groups: false } }, admin);
  const { group } = await createGroup(world, ["ann"]);
  await expect(off()).rejects.toEqual(refused("definition_frozen"));
  await world.call("deleteGroup", { leaderboard, group }, user("ann"));
  expect((await off()).private_groups).toBe(false);
});

test("a class of 25 that joins at once is in the group, when those ask again whom the others have held up", async () => {
  const { group, code } = await createGroup(world, ["ann"]);
  const pupils = Array.from({ length: 25 }, (_, i) => `p${i}`);
  let left = pupils;
  while (left.length > 0) {
    const joined = await Promise.allSettled(
      left.map((pupil) => callOn(world.anotherInstance(), "joinGroup", { leaderboard, code }, user(pupil))),
    );
    expect(joined.some(({ status }) => status === "fulfilled")).toBe(true);
    left = left.filter((_, i) => joined[i]?.status === "rejected");
  }
  expect((await getGroup(world, group, "ann")).players).toBe(26);
});
