/** Repeated calls, and bad input. */
import { expect, test } from "vitest";
import {
  createBoardWithGroups,
  createGroup,
  eachBoardWithGroups,
  getGroup,
  leaderboard,
  playInGroups,
  scoresIn,
} from "../../support/groups.ts";
import { doRefreshes } from "../../support/league.ts";
import { admin, callOn, user } from "../../support/world.ts";

const { world, save } = eachBoardWithGroups();

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
