/** The weeks of a league, from first scores to the next week's tiers. */
import { expect, test } from "vitest";
import {
  createLeague,
  doRefreshes,
  endWeek,
  getLeague,
  play,
  presentWeek,
  seated,
  standingOf,
} from "../../support/league.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();

test("first scores get seats, changes show, a week is settled, and the next begins in the right tiers", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await world.submit("ann", 10);
  expect(await getLeague(world, "ann")).toMatchObject({ league: null, why: "seating", last: null });
  await play(world, { bob: 20, cyd: 30, dan: 40, eve: 50, fay: 60 });
  expect(await seated(world, week)).toEqual({
    "bronze-1": ["ann", "bob", "cyd", "dan", "eve"],
    "bronze-2": ["fay"],
  });
  world.advance(10_000);
  await world.submit("ann", 45);
  const { league } = await getLeague(world, "ann");
  expect(league).toMatchObject({
    tier: "bronze",
    group: "bronze-1",
    state: "open",
    place: 2,
    zone: null,
    next_place: 1,
    next_score: 50,
  });
  expect(league?.entries.map(({ player, place, zone }) => [player, place, zone])).toEqual([
    ["eve", 1, "up"],
    ["ann", 2, undefined],
    ["dan", 3, undefined],
    ["cyd", 4, undefined],
    ["bob", 5, undefined],
  ]);
  await endWeek(world, week);
  expect(await standingOf(world, "eve")).toMatchObject({
    tier: "silver",
    step: 1,
    outcomes: { [week.season]: { from: "bronze", to: "silver", place: 1, members: 5 } },
  });
  const next = await presentWeek(world);
  expect(next).not.toEqual(week);
  await play(world, { ann: 1, eve: 2, zoe: 3 });
  expect(await seated(world, next)).toEqual({ "bronze-1": ["ann", "zoe"], "silver-1": ["eve"] });
  expect(await getLeague(world, "eve")).toMatchObject({
    league: { tier: "silver", place: 1 },
    last: { season: week.season, from: "bronze", to: "silver", place: 1 },
  });
  await doRefreshes(world);
});
