/** Groups of tournaments. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { grpc } from "../../../functions/src/world/retryable.ts";
import { watchCommits } from "../../support/commits.ts";
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
  storedGroupOf,
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

test("a group of a tournament whose end failed twice ends all the same, and holds up no other", async () => {
  await save({ spans: [] });
  const cup = { leaderboard, season: "cup" };
  await world.call("openSeason", { ...cup, closes_at: inMs(2 * hourMs) }, admin);
  const { group } = await createGroup(world, ["ann", "bob"], { season: "cup" });
  const other = await createGroup(world, ["bob"], { season: "cup", name: "Others" });
  await playInGroups(world, { ann: 5, bob: 7 }, { season: "cup" });
  let isDown = true;
  let attempts = 0;
  watchCommits(world, (writes, perform) => {
    if (!isDown || !writes.some(({ path }) => path.endsWith(group))) return perform();
    attempts++;
    return Promise.reject(
      Object.assign(new Error("the database is not there"), { code: grpc.deadlineExceeded }),
    );
  });
  await endSeason(world, cup, { until: closed });
  expect((await storedGroupOf(world, other.group)).settled_at).toBeDefined();
  expect((await storedGroupOf(world, group)).settled_at).toBeUndefined();
  // It fails again as the season is cleared.
  attempts = 0;
  await endSeason(world, cup, {
    until: ({ cleared_at: cleared }) => cleared !== null,
    step: async (services) => {
      await stepEnd(services, { ...cup, step: 0 }).catch(() => undefined);
      isDown = attempts === 0;
    },
  });
  expect(attempts).toBeGreaterThan(0);
  expect((await getGroup(world, group, "ann")).state).toBe("ended");
});
