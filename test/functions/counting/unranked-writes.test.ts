/** What a trusted server writes and nobody ranks as it was meant: the log says so, and does not flood. */
import { beforeEach, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, type SeasonKey, seasonPath } from "../../../functions/src/documents/paths.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { closed, createEnding, endSeason, phaseOf, playerFields } from "../../support/closing.ts";
import { admin, allTime, callOn, createBoard, eachWorld, user, versionOf } from "../../support/world.ts";

const world = eachWorld();
const now = () => Timestamp.fromMillis(world.services.now());
const active = (score: number) => ({ score, status: "active", achieved_at: now() });
const errors = () => world.logged.filter(({ level }) => level === "error").map(({ message }) => message);

const noBoard = (leaderboard: string) =>
  `There is no leaderboard "${leaderboard}". An admin creates it with saveLeaderboard.`;

async function write(key: SeasonKey, player: string, data: Record<string, unknown> = active(30)) {
  await world.follow(key, player, await world.writeDirectly(key, player, data), 2);
}

beforeEach(async () => {
  await createBoard(world, "weekly-race", { spans: ["weekly"] });
  await createBoard(world, "arena");
});

test.each([
  ["weekly-race", "all_time", 'leaderboard "weekly-race" has no span all_time; it has weekly'],
  ["weekly-race", "daily-2100-01-02", 'leaderboard "weekly-race" has no span daily; it has weekly'],
  ["arena", "weekly-2099-W53", 'leaderboard "arena" has no span weekly; it has all_time'],
  [
    "arena",
    "cup",
    'leaderboard "arena" has no season "cup": open it, and repair it then; what is written into a tournament before is only in its final table',
  ],
  [
    "weekly-race",
    "weekly-2101-W20",
    'the season "weekly-2101-W20" of leaderboard "weekly-race" does not run now',
  ],
  ["races", "all_time", noBoard("races")],
])("a write into a season that a board does not have is told: %s/%s", async (leaderboard, season, why) => {
  await write({ leaderboard, season }, "w1");
  expect(errors()).toEqual([`player w1 is not ranked: ${why}`]);
});

test("a hundred such writes are told once a minute for each board", async () => {
  for (let i = 0; i < 50; i++) await write(allTime("weekly-race"), `w${i}`);
  for (let i = 0; i < 5; i++) await write(allTime(`race-${i}`), "w1");
  expect(errors()).toHaveLength(2);
  world.advance(60_000);
  await write(allTime("weekly-race"), "w99");
  expect(errors()).toHaveLength(3);
});

test("a write into a closed season is told; its late event, a deletion, and what an admin does are not", async () => {
  const cup = { leaderboard: "arena", season: "cup" };
  const opens = { opens_at: "2100-01-02T12:00:00Z", closes_at: "2100-01-02T13:00:00Z" };
  await world.call("openSeason", { ...cup, ...opens }, admin);
  await write(cup, "ann");
  await write(cup, "bob");
  const late = await world.writeDirectly(cup, "cat", active(10));
  for (let minutes = 0; minutes < 90; minutes += 5) {
    world.advance(5 * 60_000);
    await world.tick();
  }
  expect((await world.db.doc(seasonPath(cup)).get()).get("status")).toBe("closed");
  await world.follow(cup, "cat", late);
  const bob = () => world.db.doc(playerPath(cup, "bob")).get();
  const before = versionOf(await bob());
  await world.call("setPlayerStatus", { leaderboard: "arena", player: "bob", status: "banned" }, admin);
  await world.follow(cup, "bob", { before, after: versionOf(await bob()), atMs: world.services.now() });
  await world.follow(cup, "cat", await world.writeDirectly(cup, "cat", undefined));
  expect(errors()).toEqual([]);

  await write(cup, "ann", active(99));
  expect(errors()).toEqual([
    'player ann is not ranked: the season "cup" has closed, and its final table stays',
  ]);
  expect((await world.db.doc(playerPath(cup, "ann")).get()).get("score")).toBe(99);
});

test("a write that a closing does not read any more is told, also if its event comes later; one that it reads is not", async () => {
  const key = await createEnding(world, "endings", { ann: playerFields(7, 0) });
  const step = (budgetMs: number) => (services: Services) =>
    stepEnd(services, { ...key, step: 0 }, { budgetMs });
  await endSeason(world, key, { stepsMax: 1, step: step(0) }).catch(() => undefined);
  await write(key, "bob", playerFields(8, 1));
  while ((await phaseOf(world, key)) !== "publishing")
    await endSeason(world, key, { stepsMax: 1, step: step(0) }).catch(() => undefined);
  expect(errors()).toEqual([]);
  await write(key, "cat", playerFields(9, 1));
  const late = await world.writeDirectly(key, "dan", playerFields(6, 1));
  world.advance(60_000);
  await endSeason(world, key, { until: closed });
  await world.follow(key, "dan", late);
  const why = 'the players of the season "cup" had been read for its final table';
  expect(errors()).toEqual([`player cat is not ranked: ${why}`, `player dan is not ranked: ${why}`]);
  const { entries } = await world.call("getPage", key, admin);
  expect(entries.map(({ player }) => player)).toEqual(["bob", "ann"]);
});

test("what is written before its board is there counts with the board's first save, by the steps of the board", async () => {
  const key = allTime("sprint");
  await write(key, "npc", active(5.57));
  expect(errors()).toEqual([`player npc is not ranked: ${noBoard("sprint")}`]);
  await createBoard(world, "sprint", { order: "ascending", decimals: 1 });
  await world.call("submitScore", { leaderboard: "sprint", score: 9.1 }, user("ann"));
  await world.publish(key);
  const other = world.anotherInstance();
  const rankOf = (player: string) => callOn(other, "getRank", { ...key, player }, admin);
  expect(await rankOf("npc")).toMatchObject({ rank: 1, players: 2, score: 5.6 });
  expect(await rankOf("ann")).toMatchObject({ rank: 2, players: 2 });
  expect((await world.db.doc(playerPath(key, "npc")).get()).get("score")).toBe(5.6);
});

test("what is written for a level before its document is there is told, and counts by the template's steps", async () => {
  await createBoard(world, "level", {
    template: { ids: { collection: "levels" } },
    order: "ascending",
    decimals: 2,
  });
  const key = allTime("level:late");
  const counted: SeasonKey[] = [];
  world.services.counted = (of) => void counted.push(of);
  await write(key, "npc", active(12.345));
  const why = 'There is no leaderboard "level:late": there is no document levels/late.';
  expect(errors()).toEqual([`player npc is not ranked: ${why}`]);
  expect(counted).toEqual([]);
  await world.db.doc("levels/late").set({});
  await write(key, "bot", active(10.005));
  expect(counted).toEqual([key]);
  await world.publish(key);
  const rankOf = (player: string) => world.call("getRank", { ...key, player }, admin);
  expect(await rankOf("bot")).toMatchObject({ rank: 1, players: 2, score: 10.01 });
  expect(await rankOf("npc")).toMatchObject({ rank: 2, players: 2, score: 12.35 });
});

test("a document of a board that was deleted is not told of", async () => {
  const key = allTime("arena");
  await write(key, "ann");
  const gone = await world.writeDirectly(key, "ann", undefined);
  await world.db.doc("leaderboards/arena").delete();
  await world.db.doc(seasonPath(key)).delete();
  await world.follow(key, "ann", gone);
  expect(errors()).toEqual([]);
});

const segments = [
  { name: "country", from: "submission" as const, values: ["AT", "DE"] },
  { name: "guild", from: "server" as const, teams: { by: "mean" as const, min_players: 2 } },
];
const guilds = allTime("guilds");
const said = 'must be 1 to 32 letters, digits, "_" or "-", and not "mine"';

test.each([
  [
    "an exclamation mark",
    { guild: "Red Dragons!" },
    `segments.guild is a string ("Red Dragons!"), and ${said}`,
  ],
  ["an umlaut", { guild: "Bären" }, `segments.guild is a string ("Bären"), and ${said}`],
  ["a number", { country: "AT", guild: 7 }, `segments.guild is a value of type number, and ${said}`],
  ["a text for the map", "red", 'segments is a string ("red"), and must be a map of values by segment'],
  [
    "a value that the board does not list",
    { country: "Austria" },
    'segments.country: "Austria" is not a value of this segment; its definition lists them',
  ],
  [
    "a misspelt name",
    { Guild: "red" },
    "segments.Guild is not a segment of this leaderboard, which has country, guild",
  ],
])("a value of a segment that is none is told: %s", async (_, own, why) => {
  await createBoard(world, "guilds", { segments });
  await write(guilds, "ann", { score: 6, segments: own });
  expect(errors()).toEqual([`player ann is not ranked as the document says: ${why}`]);
  await write(guilds, "bob", { score: 7, segments: own });
  expect(errors()).toHaveLength(1);
  world.advance(60_000);
  const update = { ...active(6), counted: { score: 6, of: "" } };
  await world.db.doc(playerPath(guilds, "cat")).set(update);
  await write(guilds, "cat", { ...update, segments: own });
  expect(errors()).toHaveLength(2);
});

test("values that are right, none, or of a segment that is gone are not told, and cost no read", async () => {
  await createBoard(world, "guilds", { segments: [...segments, { name: "city", from: "server" }] });
  await world.follow(
    guilds,
    "ann",
    await world.writeDirectly(guilds, "ann", { score: 6, segments: { city: "x" } }),
  );
  await world.call("saveLeaderboard", { leaderboard: "guilds", definition: { segments } }, admin);
  world.advance(120_000);
  await write(guilds, "bob", { score: 6, segments: { city: "x", guild: "red", country: "" } });
  await write(guilds, "cat", { score: 6, segments: { guild: null, country: "DE" } });
  await write(allTime("arena"), "dan", { score: 6, segments: { level: 3 } });
  expect(errors()).toEqual([]);

  const cat = (await world.db.doc(playerPath(guilds, "cat")).get()).data();
  world.advance(120_000);
  const event = await world.writeDirectly(guilds, "cat", { ...cat, own: 1 });
  expect(await world.reads(() => world.follow(guilds, "cat", event))).toBe(0);
});

test("a time that is none is told, and counts as that of the write", async () => {
  const key = allTime("arena");
  for (const player of ["ann", "bob"]) await write(key, player, { score: 6, achieved_at: "2026-11-01" });
  await write(key, "cat", { score: 6, achieved_at: null });
  expect(world.logged.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
    'player ann has the time of the write: achieved_at is a string ("2026-11-01"), not a timestamp',
  ]);
  expect(errors()).toEqual([]);
});

test("columns without their score, or beside another, are told", async () => {
  const column = { min: 0, max: 9, order: "descending" as const };
  await createBoard(world, "cups", { columns: ["points", "goals"].map((name) => ({ name, ...column })) });
  const key = allTime("cups");
  await write(key, "ann", { columns: { points: 3, goals: 4 } });
  world.advance(60_000);
  await write(key, "ann", { score: 34, columns: { points: 3, goals: 4 } });
  await write(key, "bob", { score: 34, columns: { points: 5, goals: 4 } });
  await write(key, "cat", { score: 34 });
  expect(errors()).toEqual([
    "player ann is not ranked by its columns: it has no score, into which columns are packed",
    "player bob is not ranked by its columns: its score counts, which is that of other columns",
  ]);
});

test("a batch that is wrong in several ways is told of each, and of each season that takes none of it", async () => {
  await createBoard(world, "guilds", {
    segments: [{ name: "guild", from: "server" }],
    columns: [{ name: "points", min: 0, max: 9, order: "descending" }],
  });
  const daily = { ...guilds, season: "daily-2100-01-02" };
  for (const player of ["ann", "bob", "cat"]) {
    await write(guilds, player, { ...active(6), columns: { points: 7 }, segments: { guild: 7 } });
    await write(daily, player);
    await write({ ...guilds, season: "cup" }, player);
  }
  expect(errors()).toEqual([
    "player ann is not ranked by its columns: its score counts, which is that of other columns",
    `player ann is not ranked as the document says: segments.guild is a value of type number, and ${said}`,
    'player ann is not ranked: leaderboard "guilds" has no span daily; it has all_time',
    expect.stringContaining('player ann is not ranked: leaderboard "guilds" has no season "cup"'),
  ]);
});

test("of many seasons that a board does not have, ten are told in a minute", async () => {
  const cups = async () => {
    for (let i = 0; i < 12; i++) await write({ leaderboard: "arena", season: `cup-${i}` }, "ann");
  };
  await cups();
  await cups();
  expect(errors()).toHaveLength(10);
  world.advance(60_000);
  await cups();
  expect(errors()).toHaveLength(20);
});
