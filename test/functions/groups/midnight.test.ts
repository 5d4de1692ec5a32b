/** The first moments of a season. */
import { expect, test } from "vitest";
import { followInPrivateGroups } from "../../../functions/src/groups/follow-private.ts";
import {
  createBoardWithGroups,
  createGroup,
  eachBoardWithGroups,
  getGroup,
  hourMs,
  leaderboard,
  playInGroups,
  storedGroupOf,
} from "../../support/groups.ts";
import { doRefreshes } from "../../support/league.ts";

const { world, save } = eachBoardWithGroups();

test("members who score together as a day begins read each other once", async () => {
  await createBoardWithGroups(world, { spans: ["daily"] });
  const players = Array.from({ length: 20 }, (_, i) => `p${i}`);
  await createGroup(world, players);
  world.advance(24 * 3_600_000);
  await world.submit("zoe", 1);
  const { reads } = await world.bill(() => Promise.all(players.map((player, i) => world.submit(player, i))));
  // Each: player and status, the group; 20 members once or twice.
  expect(reads).toBeLessThan(250);
});

test("members who look together as a day begins read each other once", async () => {
  await save({ spans: ["daily"] });
  const players = Array.from({ length: 20 }, (_, i) => `p${i}`);
  const { group } = await createGroup(world, players);
  world.advance(24 * hourMs);
  const { reads } = await world.bill(() => Promise.all(players.map((p) => getGroup(world, group, p))));
  expect(reads).toBeLessThan(150);
});

test("members whose season a server begins see that season", async () => {
  await createBoardWithGroups(world, { spans: ["daily"] });
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { ann: 5 });
  world.advance(24 * 3_600_000);
  const day = { leaderboard, season: "daily-2100-01-03" };
  const write = await world.writeDirectly(day, "bob", { score: 7, status: "active" });
  await world.follow(day, "bob", write);
  await followInPrivateGroups(world.services, day, "bob", write);
  await doRefreshes(world);
  // What a listener gets.
  expect((await storedGroupOf(world, group)).season).toBe(day.season);
});
