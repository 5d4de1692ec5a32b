/** "A guest's score that is merged into an account this week counts for no zone until the player has a better one." */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerStatusPath } from "../../../functions/src/documents/paths.ts";
import {
  createLeague,
  doRefreshes,
  endWeek,
  five,
  getLeague,
  play,
  presentWeek,
  tiersOf,
  toEndOf,
} from "../../support/league.ts";
import { eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const league = (player: string, takesPart: boolean) =>
  world.call("setProfile", { leaderboard: "board", league: takesPart }, user(player));
const four = { ann: 50, bob: 40, cyd: 30, dan: 20 };
const mergeGuest = () => {
  const guest_token = world.accounts.addGuest("guest");
  return world.call("mergeGuest", { leaderboard: "board", guest_token }, user("eve"));
};
async function lookTwice() {
  await getLeague(world, "eve");
  await doRefreshes(world);
  return (await getLeague(world, "eve")).league;
}

test("also where the account had left the league, and takes part again after the merge", async () => {
  await createLeague(world, {}, { aggregation: "best" });
  await league("eve", false);
  await play(world, { ann: 50, bob: 40, cyd: 30, guest: 90 });
  await mergeGuest();
  await doRefreshes(world);
  world.advance(10_000);
  await league("eve", true);
  expect(await lookTwice()).toMatchObject({ place: 4, zone: null });
});

test("also where the guest had left the league", async () => {
  await createLeague(world, {}, { aggregation: "best" });
  await league("guest", false);
  await play(world, { ...four, guest: 90 });
  await mergeGuest();
  await doRefreshes(world);
  expect(await lookTwice()).toMatchObject({ place: 5, zone: null });
});

// "`joins_until_hours`: how long a first score gets a seat; later ones count on the board, and in no group"
test("a guest who has played in time gives no seat to an account whose first score is late", async () => {
  await createLeague(world, {}, { aggregation: "best" });
  const week = await presentWeek(world);
  await play(world, { ...four, guest: 1 });
  await toEndOf(world, week, -3_600_000);
  await mergeGuest();
  await doRefreshes(world);
  world.advance(10_000);
  await play(world, { eve: 99 });
  expect(await getLeague(world, "eve")).toMatchObject({ league: null, why: "too_late" });
});

// "Leaving is no shield": a guest's score, which is free, is one.
test("a guest's score does not keep the last one from going down", async () => {
  const tiers = [
    { id: "low", name: "Low" },
    { id: "high", name: "High", demote: 1 },
  ];
  await createLeague(world, { min_size: 1, tiers }, { aggregation: "best" });
  const until = Timestamp.fromMillis(world.services.now() - 86_400_000);
  for (const player of Object.keys(five))
    await world.db.doc(playerStatusPath("board", player)).set({ league: { tier: "high", step: 1, until } });
  const week = await presentWeek(world);
  await play(world, five);
  await play(world, { guest: 11 });
  await mergeGuest();
  await endWeek(world, week);
  expect(await tiersOf(world, "eve")).toEqual(["low"]);
});
