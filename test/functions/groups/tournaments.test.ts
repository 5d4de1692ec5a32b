/** Groups of tournaments. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { closed, endSeason } from "../../support/closing.ts";
import {
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
import { admin, user } from "../../support/world.ts";

const { world, inMs, save } = eachBoardWithGroups();

test("getMyGroups tells the end of a tournament that was closed early", async () => {
  await save({ spans: [] });
  const cup = { leaderboard, season: "cup" };
  await world.call("openSeason", { ...cup, closes_at: inMs(48 * hourMs) }, admin);
  await createGroup(world, ["ann"], { season: "cup" });
  await world.call("closeSeason", cup, admin);
  world.advance(2 * minuteMs);
  const { groups } = await world.call("getMyGroups", { leaderboard }, user("ann"));
  expect(groups[0]?.state).toBe("ending");
});

test("nobody joins a group of a tournament that is over", async () => {
  await save({ spans: [] });
  const cup = { leaderboard, season: "cup" };
  await world.call("openSeason", { ...cup, closes_at: inMs(2 * hourMs) }, admin);
  const { code } = await createGroup(world, ["ann"], { season: "cup" });
  await playInGroups(world, { ann: 5, bob: 9 }, { season: "cup" });
  world.advance(2 * hourMs + minuteMs);
  await expect(world.call("joinGroup", { leaderboard, code }, user("bob"))).rejects.toEqual(
    refused("group_ended"),
  );
});

test("what a server writes after a tournament is closed changes no place of its groups", async () => {
  await save({ spans: [] });
  const cup = { leaderboard, season: "cup" };
  await world.call("openSeason", { ...cup, closes_at: inMs(2 * hourMs) }, admin);
  const { group } = await createGroup(world, ["ann", "bob"], { season: "cup" });
  await playInGroups(world, { ann: 5, bob: 7 }, { season: "cup" });
  await endSeason(world, cup, { until: closed });
  await world.db.doc(playerPath(cup, "ann")).update({ score: 100 });
  await endSeason(world, cup, { until: ({ cleared_at: cleared }) => cleared !== null });
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
    ["bob", 7],
    ["ann", 5],
  ]);
});
