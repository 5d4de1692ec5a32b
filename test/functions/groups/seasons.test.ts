/** A private group from season to season, and its end. */
import { expect, test } from "vitest";
import { boardEvent } from "../../../functions/src/documents/event.ts";
import { eventsPath } from "../../../functions/src/documents/paths.ts";
import { closed, endSeason, seasonOf } from "../../support/closing.ts";
import {
  createBoardWithGroups,
  createGroup,
  getGroup,
  leaderboard,
  playInGroups,
  refused,
  scoresIn,
  storedGroupOf,
} from "../../support/groups.ts";
import { doRefreshes } from "../../support/league.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** The events about ends of groups. */
async function ends() {
  const { docs } = await world.db
    .collection(eventsPath(leaderboard))
    .where("kind", "==", "group_ended")
    .get();
  return docs.map((found) => boardEvent.parse(found.data()));
}

const inHours = (hours: number) => new Date(world.services.now() + hours * hourMs).toISOString();

/** Fires the schedule at the next minute at which it looks for groups that are to end. */
async function lookForEnds() {
  const tenMs = 10 * minuteMs;
  world.advance(tenMs - (world.services.now() % tenMs));
  await world.tick();
  await doRefreshes(world);
}

test("goes on from day to day: each begins without scores, and the days before are shown when asked for", async () => {
  await createBoardWithGroups(world, { spans: ["daily", "all_time"] });
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { ann: 5, bob: 7 });
  const first = await getGroup(world, group, "ann");
  expect(first.season).toBe("daily-2100-01-02");
  world.advance(24 * hourMs);
  const second = await getGroup(world, group, "ann");
  expect(second.season).toBe("daily-2100-01-03");
  expect(scoresIn(second)).toEqual([
    ["ann", null],
    ["bob", null],
  ]);
  await playInGroups(world, { ann: 1 });
  expect(scoresIn(await getGroup(world, group, "bob"))).toEqual([
    ["ann", 1],
    ["bob", null],
  ]);
  const asked = await getGroup(world, group, "bob", { season: first.season });
  expect(scoresIn(asked)).toEqual(scoresIn(first));
  expect(scoresIn(await getGroup(world, group, "bob", { span: "all_time" }))).toEqual([
    ["bob", 7],
    ["ann", 1],
  ]);
  expect((await storedGroupOf(world, group)).season).toBe(second.season);
});

test("the first score of a season makes the group anew, before anybody asks for it", async () => {
  await createBoardWithGroups(world, { spans: ["daily"] });
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { ann: 5, bob: 7 });
  world.advance(24 * hourMs);
  await playInGroups(world, { bob: 2 });
  const { season, seats } = await storedGroupOf(world, group);
  expect(season).toBe("daily-2100-01-03");
  expect(seats).toMatchObject({ s1: { player: "ann" }, s2: { player: "bob", score: 2 } });
  expect(seats["s1"]).not.toHaveProperty("score");
});

test("follows the span that is named", async () => {
  await createBoardWithGroups(world, { spans: ["daily", "all_time"] });
  const { group } = await createGroup(world, ["ann"], { span: "all_time" });
  await playInGroups(world, { ann: 5 });
  world.advance(48 * hourMs);
  expect(await getGroup(world, group, "ann")).toMatchObject({ season: "all_time", entries: [{ score: 5 }] });
});

test("a challenge ends at its time: later scores don't count, and one event says who won", async () => {
  await createBoardWithGroups(world);
  const { group, code } = await createGroup(world, ["ann", "bob", "cyd"], { ends_at: inHours(1) });
  await playInGroups(world, { ann: 5, bob: 7 });
  world.advance(hourMs);
  await playInGroups(world, { ann: 100 });
  expect(await getGroup(world, group, "bob")).toMatchObject({ state: "ending", place: 1 });
  await expect(world.call("joinGroup", { leaderboard, code }, user("dan"))).rejects.toEqual(
    refused("group_ended"),
  );
  await lookForEnds();
  await lookForEnds();
  const ended = await getGroup(world, group, "ann");
  expect(ended.state).toBe("ended");
  expect(scoresIn(ended)).toEqual([
    ["bob", 7],
    ["ann", 5],
    ["cyd", null],
  ]);
  expect(await ends()).toEqual([
    expect.objectContaining({ group, places: ["bob", "ann"], players: ["bob", "ann"], season: "all_time" }),
  ]);
  await playInGroups(world, { cyd: 200 });
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual(scoresIn(ended));
});

test("a score of before the end counts although nothing brought it into the group and another followed", async () => {
  await createBoardWithGroups(world);
  const ends_at = inHours(1);
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at });
  await playInGroups(world, { ann: 1, bob: 3 });
  world.advance(Date.parse(ends_at) - 1_000 - world.services.now());
  // The group was written just now: both wait for a task, which comes after the end.
  await world.submit("bob", 4);
  await world.submit("ann", 5);
  world.advance(2_000);
  await world.submit("ann", 100);
  await doRefreshes(world);
  await lookForEnds();
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
    ["ann", 5],
    ["bob", 4],
  ]);
});

test("whoever looks ends a group whose time has come, without the schedule", async () => {
  await createBoardWithGroups(world, { spans: ["weekly"] });
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inHours(24 * 8) });
  await playInGroups(world, { ann: 5 });
  world.advance(24 * 7 * hourMs);
  await playInGroups(world, { ann: 2, bob: 3 });
  world.advance(24 * 30 * hourMs);
  const ended = await getGroup(world, group, "ann");
  expect(ended).toMatchObject({ state: "ended", season: "weekly-2100-W01" });
  // Whoever names the group's own span means the group's own season.
  expect(await getGroup(world, group, "ann", { span: "weekly" })).toEqual(ended);
  expect(scoresIn(ended)).toEqual([
    ["bob", 3],
    ["ann", 2],
  ]);
  expect(await ends()).toHaveLength(1);
  await lookForEnds();
  expect(await ends()).toHaveLength(1);
});

test("a group of a tournament ends with it, when its last score is in", async () => {
  await createBoardWithGroups(world, { spans: [] });
  const key = { leaderboard, season: "cup" };
  await world.call("openSeason", { ...key, closes_at: inHours(2) }, admin);
  const { group } = await createGroup(world, ["ann", "bob"], { season: "cup" });
  await playInGroups(world, { ann: 5, bob: 7 }, { season: "cup" });
  const { closes_at: closes } = await seasonOf(world, key);
  expect((await getGroup(world, group, "ann")).ends_at).toBe(closes?.toDate().toISOString());
  world.advance(2 * hourMs);
  expect((await getGroup(world, group, "ann")).state).toBe("ending");
  await endSeason(world, key, { until: ({ cleared_at: cleared }) => cleared !== null });
  expect(await getGroup(world, group, "ann")).toMatchObject({ state: "ended", place: 2 });
  expect(await ends()).toEqual([expect.objectContaining({ places: ["bob", "ann"], span: "custom" })]);
  await expect(createGroup(world, ["cyd"], { season: "cup" })).rejects.toEqual(refused("invalid_request"));
});

test("leaving a group that has ended leaves the places of the others", async () => {
  await createBoardWithGroups(world);
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inHours(1) });
  await playInGroups(world, { ann: 5, bob: 7 });
  world.advance(2 * hourMs);
  await getGroup(world, group, "ann");
  await world.call("leaveGroup", { leaderboard, group }, user("bob"));
  expect((await getGroup(world, group, "ann")).entries).toEqual([
    { place: 2, rank: 1, player: "ann", score: 5 },
  ]);
  // An ended group takes no place among the ten of a player.
  for (let i = 1; i <= 10; i++) await createGroup(world, ["ann"], { name: `Group ${i}` });
});

test("a tournament that an admin closes early ends its groups then", async () => {
  await createBoardWithGroups(world, { spans: [] });
  const key = { leaderboard, season: "cup" };
  await world.call("openSeason", { ...key, closes_at: inHours(48) }, admin);
  const { group } = await createGroup(world, ["ann", "bob"], { season: "cup" });
  await playInGroups(world, { ann: 5 }, { season: "cup" });
  await world.call("closeSeason", key, admin);
  const { closes_at: closes } = await seasonOf(world, key);
  await endSeason(world, key, { until: ({ cleared_at: cleared }) => cleared !== null });
  const ended = await getGroup(world, group, "ann");
  expect(ended).toMatchObject({ state: "ended", ends_at: closes?.toDate().toISOString() });
  expect(scoresIn(ended)).toEqual([
    ["ann", 5],
    ["bob", null],
  ]);
});

test("a closed board span leaves the group where it was", async () => {
  await createBoardWithGroups(world, { spans: ["daily", "all_time"] });
  const { group } = await createGroup(world, ["ann"]);
  await playInGroups(world, { ann: 5 });
  await world.call("saveLeaderboard", { leaderboard, definition: { spans: ["all_time"] } }, admin);
  world.advance(48 * hourMs);
  expect(await getGroup(world, group, "ann")).toMatchObject({
    season: "daily-2100-01-02",
    entries: [{ score: 5 }],
  });
});

test("a day that is closed answers the group as it was", async () => {
  await createBoardWithGroups(world, { spans: ["daily"] });
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { ann: 5, bob: 7 });
  const key = { leaderboard, season: "daily-2100-01-02" };
  world.advance(24 * hourMs);
  await endSeason(world, key, { until: closed });
  expect(scoresIn(await getGroup(world, group, "ann", { season: key.season }))).toEqual([
    ["bob", 7],
    ["ann", 5],
  ]);
});

test.each([
  {
    was: { spans: ["daily"], time_zone: "Asia/Tokyo" },
    change: { time_zone: "America/Los_Angeles" },
    hours: 4,
  },
  { was: { spans: ["weekly"], week_starts_on: "saturday" }, change: { week_starts_on: "sunday" }, hours: 0 },
  { was: { spans: ["weekly"], week_starts_on: "monday" }, change: { week_starts_on: "sunday" }, hours: 0 },
] as const)(
  "a group from before the board's first score shows scores after $was becomes $change",
  async ({ was, change, hours }) => {
    await createBoardWithGroups(world, { ...was, spans: [...was.spans] });
    world.advance(hours * hourMs);
    const { group } = await createGroup(world, ["ann", "bob"]);
    await createBoardWithGroups(world, change);
    await playInGroups(world, { ann: 5 });
    expect((await storedGroupOf(world, group)).seats["s1"]).toMatchObject({ player: "ann", score: 5 });
  },
);
