/** "A ban holds for a document without a `status` of its own: every call answers by the status that the board keeps for the player". */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import {
  createLeague,
  doRefreshes,
  endWeek,
  five,
  getLeague,
  play,
  presentWeek,
  seated,
  tiersOf,
} from "../../support/league.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

async function bannedWithoutStatus(keepsSeat: boolean, status: "banned" | "hidden" = "banned") {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status }, admin);
  world.advance(10_000);
  const { status: _, ...kept } = (await world.db.doc(playerPath(week, "ann")).get()).data() ?? {};
  // The event has not come yet; with DIRECT_WRITES=false it never does.
  await world.writeDirectly(week, "ann", keepsSeat ? kept : { score: 90, display_name: "Ann" });
  return week;
}

test("a banned player's own look brings nobody back into the group", async () => {
  await bannedWithoutStatus(true);
  await expect(world.call("getRank", { leaderboard: "board" }, user("ann"))).rejects.toMatchObject({
    code: "player_not_ranked",
  });
  await getLeague(world, "ann");
  expect(JSON.stringify((await getLeague(world, "bob")).league)).not.toContain('"ann"');
});

test("a hidden player's new name brings nobody back into the group", async () => {
  await bannedWithoutStatus(true, "hidden");
  await world.call("setProfile", { leaderboard: "board", display_name: "Anna" }, user("ann"));
  expect(JSON.stringify((await getLeague(world, "bob")).league)).not.toContain('"ann"');
});

test("a banned player without a seat is told so, and gets none", async () => {
  const week = await bannedWithoutStatus(false);
  expect(await getLeague(world, "ann")).toMatchObject({ league: null, why: "not_ranked" });
  await doRefreshes(world);
  expect(Object.values(await seated(world, week)).flat()).not.toContain("ann");
});

test("a banned player goes up nowhere at the end", async () => {
  const week = await bannedWithoutStatus(true);
  await endWeek(world, week);
  expect(await tiersOf(world, "ann")).toEqual([undefined]);
});
