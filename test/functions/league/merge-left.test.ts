/**
 * league.md: leaving is the player's own `setProfile({ league: false })`; a merge gives `to` "the place on the league's ladder that
 * `from` has reached". It also gives `from`'s leaving, so `to`, who plays on, gets no seat any more, and is still shown this week.
 */
import { expect, test } from "vitest";
import { playerStatusPath } from "../../../functions/src/documents/paths.ts";
import {
  createLeague,
  doRefreshes,
  endWeek,
  five,
  getLeague,
  play,
  presentWeek,
} from "../../support/league.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

test("a merge takes nobody out of the league who has not left", async () => {
  await createLeague(world);
  await play(world, five);
  await endWeek(world, await presentWeek(world));
  await world.call("setProfile", { leaderboard: "board", league: false }, user("ann"));
  await play(world, { zoe: 7 });
  await world.call("mergePlayers", { leaderboard: "board", from: "ann", to: "zoe" }, admin);
  await doRefreshes(world);
  await endWeek(world, await presentWeek(world));
  world.advance(3_600_000);
  await play(world, { zoe: 8 });
  expect((await getLeague(world, "zoe")).why).not.toBe("left");
});

test("a merge into a player who was merged away before, and plays on, passes the standing on", async () => {
  await createLeague(world);
  await play(world, five);
  await endWeek(world, await presentWeek(world));
  await play(world, { zoe: 9, dan: 3, eve: 4 });
  const statusOf = (player: string) => world.db.doc(playerStatusPath("board", player));
  // Of a week that is deleted by now.
  await statusOf("zoe").set((await statusOf("ann").get()).data() ?? {});
  const merge = (from: string, to: string) =>
    world.call("mergePlayers", { leaderboard: "board", from, to }, admin);
  await merge("dan", "eve");
  // A server writes what the player's own calls may not yet.
  await world.writeDirectly(await presentWeek(world), "dan", { score: 5, status: "active" });
  await merge("zoe", "dan");
  expect((await statusOf("zoe").get()).get("league")).toBeUndefined();
  expect((await statusOf("dan").get()).get("league")).toHaveProperty("outcomes");
});

test("a merge passes on the standing of a week that is settled meanwhile", async () => {
  await createLeague(world);
  await play(world, five);
  const week = await presentWeek(world);
  const run = world.db.runTransaction.bind(world.db);
  // The first transaction of the merge: it has looked for a standing, and merged nothing yet.
  world.db.runTransaction = async (work, options) => {
    world.db.runTransaction = run;
    await endWeek(world, week);
    return run(work, options);
  };
  await world.call("mergePlayers", { leaderboard: "board", from: "ann", to: "zoe" }, admin);
  const leagueOf = async (player: string) =>
    (await world.db.doc(playerStatusPath("board", player)).get()).get("league") as unknown;
  expect(await leagueOf("ann")).toBeUndefined();
  expect(await leagueOf("zoe")).toHaveProperty("outcomes");
});
