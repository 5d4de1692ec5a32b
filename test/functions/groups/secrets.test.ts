/** What strangers and removed members are told. */
import { expect, test } from "vitest";
import {
  createGroup,
  eachBoardWithGroups,
  expectNoGroups,
  getGroup,
  leaderboard,
} from "../../support/groups.ts";
import { callOn, user } from "../../support/world.ts";

const { world } = eachBoardWithGroups();

test("a stranger does not hear from leaveGroup whether there is a group", async () => {
  const { group } = await createGroup(world, ["ann"]);
  const said = (id: string) =>
    world.call("leaveGroup", { leaderboard, group: id }, user("zoe")).then(
      () => "left",
      (error: unknown) => (error as { code: string }).code,
    );
  expect(await said(group)).toBe(await said("no-such-group"));
});

test("a removed member does not get the new code from a getGroup that began before", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  const db = world.db;
  const run = db.runTransaction.bind(db);
  let isFirst = true;
  const other = world.anotherInstance();
  db.runTransaction = (async (work: never, options: never) => {
    if (isFirst) {
      isFirst = false;
      await callOn(other, "removeMember", { leaderboard, group, player: "bob" }, user("ann"));
    }
    return run(work, options);
  }) as never;
  const got = await getGroup(world, group, "bob", { with_code: true }).catch(() => undefined);
  db.runTransaction = run;
  const { code } = await getGroup(world, group, "ann", { with_code: true });
  expect(got?.code).not.toBe(code);
});

test("a group that is deleted while a member asks for its code leaves no code behind", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  const db = world.db;
  const run = db.runTransaction.bind(db);
  let isFirst = true;
  const other = world.anotherInstance();
  db.runTransaction = (async (work: never, options: never) => {
    if (isFirst) {
      isFirst = false;
      await callOn(other, "deleteGroup", { leaderboard, group }, user("ann"));
    }
    return run(work, options);
  }) as never;
  await getGroup(world, group, "bob", { with_code: true }).catch(() => undefined);
  db.runTransaction = run;
  await expectNoGroups(world);
});
