/** Who gets which seat, and when. */
import { expect, test } from "vitest";
import { leagueSeatIn } from "../../../functions/src/documents/group.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { countPlayers } from "../../../functions/src/counting/count-players.ts";
import { seatWaiting } from "../../../functions/src/league/seat-waiting.ts";
import { playerFields } from "../../support/closing.ts";
import {
  createLeague,
  doRefreshes,
  endWeek,
  five,
  getLeague,
  groupOf,
  play,
  presentWeek,
  seated,
  standingOf,
  toEndOf,
} from "../../support/league.ts";
import { admin, callOn, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const names = (count: number, prefix = "p") => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const seatIn = async (key: Awaited<ReturnType<typeof presentWeek>>, player: string) =>
  leagueSeatIn((await world.db.doc(playerPath(key, player)).get()).data());

test("1 two first scores of a player at once, seated by two instances at once, are in one group", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  const other = world.anotherInstance();
  const submit = (services: typeof other, score: number) =>
    callOn(services, "submitScore", { leaderboard: "board", score }, user("ann"));
  await Promise.all([submit(world.services, 1), submit(other, 2)]);
  expect(world.refreshes.size).toBe(1);
  await Promise.all([seatWaiting(world.services, week), seatWaiting(other, week)]);
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann"] });
  expect(await seatIn(week, "ann")).toEqual({ group: "bronze-1", seat: "s1" });
});

test("2 a thousand first scores within a second fill as many groups as they need, whoever seats them", async () => {
  await createLeague(world, { size: 30 });
  const week = await presentWeek(world);
  const other = world.anotherInstance();
  for (const services of [world.services, other]) {
    const own = names(500, services === other ? "q" : "p").map((player) => ({ player, score: 1 }));
    await callOn(services, "submitScores", { leaderboard: "board", submissions: own }, admin);
  }
  await Promise.all([seatWaiting(world.services, week), seatWaiting(other, week)]);
  await doRefreshes(world);
  const groups = Object.values(await seated(world, week));
  expect(groups).toHaveLength(Math.ceil(1_000 / 30));
  expect(groups.map(({ length }) => length).toSorted((a, b) => b - a)).toEqual([
    ...Array<number>(33).fill(30),
    10,
  ]);
  expect(new Set(groups.flat()).size).toBe(1_000);
});

test("3 a score a second after midnight counts, and gets its seat in the right tier once the week is settled", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  await toEndOf(world, week, 1_000);
  await play(world, { ann: 1, bob: 2 });
  const next = await presentWeek(world);
  expect(next).not.toEqual(week);
  expect(await seated(world, next)).toEqual({});
  expect(await getLeague(world, "ann")).toMatchObject({ league: null, why: "seating", last: null });
  const { league: ending } = await getLeague(world, "ann", { season: week.season });
  expect(ending).toMatchObject({ state: "ending", place: 1, zone: "up" });
  await endWeek(world, week);
  expect(await seated(world, next)).toEqual({ "bronze-1": ["bob"], "silver-1": ["ann"] });
  expect((await groupOf(world, next, "silver-1")).seats["s1"]?.score).toBe(1);
});

test("13 a definition that changes in mid-week is for groups that begin later", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 1, bob: 2, cyd: 3 });
  const tiers = [
    { id: "bronze", name: "Bronze", promote: 2 },
    { id: "silver", name: "Silver" },
  ];
  const definition = { league: { span: "weekly" as const, size: 10, min_size: 5, tiers } };
  await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  world.advance(61_000);
  await play(world, { dan: 4, eve: 5, fay: 6 });
  expect(await seated(world, week)).toEqual({
    "bronze-1": ["ann", "bob", "cyd", "dan", "eve"],
    "bronze-2": ["fay"],
  });
  expect((await groupOf(world, week, "bronze-1")).league).toMatchObject({ size: 5, promote: 1, min_size: 3 });
  expect((await groupOf(world, week, "bronze-2")).league).toMatchObject({
    size: 10,
    promote: 2,
    min_size: 5,
  });
});

test("16 who comes too late has scores and no group, and is told so", async () => {
  await createLeague(world, { joins_until_hours: 24 });
  const week = await presentWeek(world);
  await play(world, { ann: 1 });
  world.advance(12 * 3_600_000 - 60_000);
  await play(world, { bob: 2 });
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann", "bob"] });
  world.advance(3_600_000);
  await play(world, { cyd: 3 });
  expect(world.refreshes.size).toBe(0);
  expect(await getLeague(world, "cyd")).toMatchObject({ league: null, why: "too_late", last: null });
  expect(await getLeague(world, "dan")).toMatchObject({ league: null, why: "no_score" });
  expect(await seatIn(week, "cyd")).toBeUndefined();
});

test("half a week is long enough to join, if the league says nothing", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 1 });
  await toEndOf(world, week, -84 * 3_600_000 - 1_000);
  await play(world, { bob: 2 });
  world.advance(2_000);
  await play(world, { cyd: 3 });
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann", "bob"] });
});

test("20 an import and a direct write ask for no seat; the player's own getLeague does", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 1 });
  await world.db.doc(playerPath(week, "bob")).set(playerFields(7, 0));
  await countPlayers(world.services, week, ["bob"]);
  await doRefreshes(world);
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann"] });
  expect(await getLeague(world, "bob")).toMatchObject({ league: null, why: "seating" });
  await doRefreshes(world);
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann", "bob"] });
  expect(await getLeague(world, "bob")).toMatchObject({
    league: { place: 1, entries: [{ score: 7 }, { score: 1 }] },
  });
});

test("20 a server that replaces a document takes no seat away, and gives no second one", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 1, bob: 2 });
  const write = await world.writeDirectly(week, "ann", playerFields(9, 0));
  await world.follow(week, "ann", write);
  expect(await seatIn(week, "ann")).toBeUndefined();
  await play(world, { ann: 10 });
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann", "bob"] });
  expect(await seatIn(week, "ann")).toEqual({ group: "bronze-1", seat: "s1" });
  world.advance(10_000);
  await play(world, { ann: 11 });
  expect((await groupOf(world, week, "bronze-1")).seats["s1"]?.score).toBe(11);
});

test("20 a document that claims another player's seat has none", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 1 });
  const copied = (await world.db.doc(playerPath(week, "ann")).get()).data() ?? {};
  const write = await world.writeDirectly(week, "bob", { ...copied, score: 99 });
  await world.follow(week, "bob", write);
  world.advance(10_000);
  await play(world, { bob: 100 });
  expect((await groupOf(world, week, "bronze-1")).seats["s1"]).toMatchObject({ player: "ann", score: 1 });
  expect(await getLeague(world, "bob")).toMatchObject({ league: null, why: "seating" });
  await doRefreshes(world);
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann", "bob"] });
});

test("a seat that no task has given is asked for again, every ten seconds, by those who look", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await world.submit("ann", 1);
  world.refreshes.clear();
  for (let i = 0; i < 3; i++) expect(await getLeague(world, "ann")).toMatchObject({ why: "seating" });
  expect(world.refreshes.size).toBe(1);
  await doRefreshes(world);
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann"] });
});

test("hidden players get no seat, and no score of theirs asks for one", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 1 });
  await world.submit("bob", 2);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "bob", status: "hidden" }, admin);
  await doRefreshes(world);
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann"] });
  expect(await getLeague(world, "bob")).toMatchObject({ league: null, why: "not_ranked" });
  await world.call("setPlayerStatus", { leaderboard: "board", player: "bob", status: "active" }, admin);
  await play(world, { bob: 3 });
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann", "bob"] });
  expect(await standingOf(world, "bob")).toEqual({});
});
