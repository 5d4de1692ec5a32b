/** Damaged documents. */
import { expect, test } from "vitest";
import { privateGroupPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { refreshWhenDue } from "../../../functions/src/groups/refresh.ts";
import { endSeason } from "../../support/closing.ts";
import {
  createGroup,
  eachBoardWithGroups,
  expectNoGroups,
  hourMs,
  leaderboard,
  minuteMs,
  playInGroups,
  storedGroupOf,
} from "../../support/groups.ts";
import { admin, user } from "../../support/world.ts";

const { world, key, inMs, save, look } = eachBoardWithGroups();

test("a moderator deletes a damaged group", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await world.db.doc(privateGroupPath(leaderboard, group)).update({ seats: "gone" });
  await world.call("deleteGroup", { leaderboard, group }, admin);
  await expectNoGroups(world);
});

test("an erasure leaves nothing of a member in a damaged group", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { bob: 7 }, { display_name: "Bob" });
  await world.db.doc(privateGroupPath(leaderboard, group)).update({ size: "many" });
  await world.call("removePlayer", { leaderboard, player: "bob" }, admin);
  const left = (await world.db.doc(privateGroupPath(leaderboard, group)).get()).data();
  expect(JSON.stringify(left ?? {})).not.toMatch(/bob/i);
});

test("a damaged group holds up no end of another", async () => {
  const first = await createGroup(world, ["ann"], { ends_at: inMs(minuteMs) });
  await world.db.doc(privateGroupPath(leaderboard, first.group)).update({ season: "a/b" });
  const { group } = await createGroup(world, ["bob"], { ends_at: inMs(2 * minuteMs) });
  await look();
  await look().catch(() => undefined);
  expect((await storedGroupOf(world, group)).settled_at).toBeDefined();
});

test("a season that this release can't read holds up no end on another board", async () => {
  await world.submit("ann", 1);
  await createGroup(world, ["ann"], { ends_at: inMs(minuteMs) });
  const other = "other";
  await world.call("saveLeaderboard", { leaderboard: other, definition: { private_groups: true } }, admin);
  const made = await world.call(
    "createGroup",
    { leaderboard: other, name: "F", ends_at: inMs(2 * minuteMs) },
    user("bob"),
  );
  world.advance(2 * minuteMs);
  await world.db.doc(seasonPath(key)).update({ schema_version: 99 });
  // The schedule tells of the season that it can't read; what else it asks for goes on.
  await look().catch(() => undefined);
  for (const request of world.refreshes.values())
    await refreshWhenDue(world.services, request).catch(() => undefined);
  const stored = await world.db.doc(privateGroupPath(other, made.group)).get();
  expect(stored.get("settled_at")).toBeDefined();
});

test("a damaged group holds up no tournament's end", async () => {
  await save({ spans: [] });
  const cup = { leaderboard, season: "cup" };
  await world.call("openSeason", { ...cup, closes_at: inMs(2 * hourMs) }, admin);
  const { group } = await createGroup(world, ["ann"], { season: "cup" });
  await playInGroups(world, { ann: 5 }, { season: "cup" });
  await world.db.doc(privateGroupPath(leaderboard, group)).update({ "seats.s1.player": "", readers: [""] });
  await endSeason(world, cup, { until: ({ cleared_at: cleared }) => cleared !== null, stepsMax: 20 });
});
