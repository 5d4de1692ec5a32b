/** Repeated calls, and bad input. */
import { expect, test } from "vitest";
import {
  createBoardWithGroups,
  createGroup,
  eachBoardWithGroups,
  getGroup,
  hourMs,
  leaderboard,
  minuteMs,
  playInGroups,
  refused,
  scoresIn,
} from "../../support/groups.ts";
import { privateGroupsPath } from "../../../functions/src/documents/paths.ts";
import { doRefreshes } from "../../support/league.ts";
import { admin, callOn, user } from "../../support/world.ts";

const { world, save, inMs } = eachBoardWithGroups();

test("a group of another span is not taken for a repeated call", async () => {
  await createBoardWithGroups(world, { spans: ["daily", "all_time"] });
  const first = await world.call("createGroup", { leaderboard, name: "Friends", span: "daily" }, user("ann"));
  const second = await world
    .call("createGroup", { leaderboard, name: "Friends", span: "all_time" }, user("ann"))
    .catch(() => undefined);
  expect(second?.group).not.toBe(first.group);
});

test("a group of another tournament is not taken for a repeated call", async () => {
  await save({ spans: [] });
  for (const season of ["cup", "bowl"]) await world.call("openSeason", { leaderboard, season }, admin);
  const first = await world.call("createGroup", { leaderboard, name: "F", season: "cup" }, user("ann"));
  const second = await world
    .call("createGroup", { leaderboard, name: "F", season: "bowl" }, user("ann"))
    .catch(() => undefined);
  expect(second?.group).not.toBe(first.group);
});

test("a call that makes a group with an end, and is repeated after it, gets the same group", async () => {
  const ends_at = inMs(5_000);
  const make = () => world.call("createGroup", { leaderboard, name: "Sprint", ends_at }, user("ann"));
  const made = await make();
  // The answer was lost, and the client library sends the call again, for up to 30 seconds.
  world.advance(8_000);
  expect(await make()).toEqual(made);
});

test("a call that makes a group of a tournament, and is repeated after its close, gets the same group", async () => {
  await save({ spans: [] });
  const cup = { leaderboard, season: "cup" };
  await world.call("openSeason", { ...cup, closes_at: inMs(5_000) }, admin);
  const make = (name: string) => world.call("createGroup", { ...cup, name }, user("ann"));
  const made = await make("Friends");
  world.advance(8_000);
  expect(await make("Friends")).toEqual(made);
  await expect(make("Others")).rejects.toEqual(refused("invalid_request"));
});

test("a challenge of the same name is made while the one before waits for its last scores, not sooner", async () => {
  const make = (ms: number) =>
    world.call("createGroup", { leaderboard, name: "Sprint", ends_at: inMs(ms) }, user("ann"));
  const first = await make(minuteMs);
  await expect(make(hourMs)).rejects.toMatchObject({
    code: "invalid_request",
    message: "name: is the name of a group that you own: take another name, or delete that group",
  });
  world.advance(2 * minuteMs);
  expect((await getGroup(world, first.group, "ann")).state).toBe("ending");
  const second = await make(hourMs);
  expect(second.group).not.toBe(first.group);
  await expect(make(3 * hourMs)).rejects.toEqual(refused("invalid_request"));
});

test("no group is made on a board whose groups were switched off", async () => {
  const other = world.anotherInstance();
  await callOn(other, "getMyGroups", { leaderboard }, user("ann"));
  await save({ private_groups: false });
  const made = callOn(other, "createGroup", { leaderboard, name: "Friends" }, user("ann"));
  await expect(made).rejects.toEqual(refused("invalid_request"));
  const { size } = await world.db.collection(privateGroupsPath(leaderboard)).get();
  expect(size).toBe(0);
});

test("removing a member again after a lost answer tells the code", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  const remove = () => world.call("removeMember", { leaderboard, group, player: "bob" }, user("ann"));
  const { code } = await remove();
  expect(await remove()).toEqual({ group, code });
});

test("a group that ends in the last second of the year 9999 is made, or refused as such", async () => {
  const made = callOn(
    world.services,
    "createGroup",
    { leaderboard, name: "F", ends_at: "9999-12-31T23:59:59Z" },
    user("ann"),
  );
  expect(
    await made.then(
      () => "made",
      (error: unknown) => (error as { code?: unknown }).code,
    ),
  ).toMatch(/^(made|invalid_request)$/);
});

test("one player who tries wrong codes holds up no other whom the same server serves", async () => {
  const { code } = await createGroup(world, ["ann"]);
  const server = { uid: "server", role: "submitter" as const };
  for (let i = 0; i < 10; i++)
    await world
      .call("joinGroup", { leaderboard, code: "wrong", player: "zoe" }, server)
      .catch(() => undefined);
  await expect(world.call("joinGroup", { leaderboard, code, player: "bob" }, server)).resolves.toMatchObject({
    name: "Friends",
  });
});

test("a name that came with joining stays with a score that has none", async () => {
  const { group, code } = await createGroup(world, ["ann"]);
  await world.call("joinGroup", { leaderboard, code, display_name: "Bob" }, user("bob"));
  await playInGroups(world, { bob: 3 });
  expect((await getGroup(world, group, "ann")).entries[0]).toMatchObject({
    player: "bob",
    display_name: "Bob",
  });
});

test("a score that is sent again after its process died comes into the group", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  const dying = world.anotherInstance();
  const run = dying.db.runTransaction.bind(dying.db);
  let isDead = false;
  dying.db.runTransaction = (async (work: never, options?: { maxAttempts?: number }) => {
    // Of all transactions of a submission, only that of the groups is tried once.
    if (options?.maxAttempts === 1) isDead = true;
    if (isDead) throw new Error("the process has died");
    return run(work, options);
  }) as never;
  const request = { leaderboard, score: 9, submission_id: "one" };
  await callOn(dying, "submitScore", request, user("ann")).catch(() => undefined);
  dying.db.runTransaction = run;
  expect(isDead).toBe(true);
  await world.call("submitScore", request, user("ann"));
  await doRefreshes(world);
  expect(scoresIn(await getGroup(world, group, "bob"))[0]).toEqual(["ann", 9]);
});
