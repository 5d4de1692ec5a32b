/**
 * league.md: leaving is the player's own `setProfile({ league: false })`; a merge gives `to` "the place on the league's ladder that
 * `from` has reached". It also gives `from`'s leaving, so `to`, who plays on, gets no seat any more, and is still shown this week.
 */
import { expect, test } from "vitest";
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
