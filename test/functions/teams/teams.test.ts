/** Teams of a segment: exact sums, means and best players, beside a plain sort. */
import { beforeEach, describe, expect, test } from "vitest";
import { teamsPath } from "../../../functions/src/documents/paths.ts";
import { seededRandom } from "../../support/arbitraries.ts";
import { teamsSorted, type TeamsBy } from "../../support/teams.ts";
import { admin, allPages, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const random = seededRandom(Number(process.env["FIRERANK_SEED"]));

const guilds = ["red", "blue", "green", "grey", "gold"];
const guildsOf = (teams: TeamsBy) => ({ segments: [{ name: "guild", from: "server" as const, teams }] });

const hundredths = (score: number) => Math.round(100 * score) / 100;

interface Playing {
  player: string;
  score: number;
  guild: string;
}

async function submit(players: readonly Playing[]): Promise<void> {
  const submissions = players.map(({ guild, ...one }) => ({ ...one, segments: { guild } }));
  await world.call("submitScores", { leaderboard: "board", submissions }, admin);
}

const teams = async (more: object = {}) => {
  const asked = { leaderboard: "board", segment: "guild", limit: 100, ...more };
  return (await world.call("getTeams", asked, user("ann"))).entries;
};

describe.each(["descending", "ascending"] as const)("on a board %s", (order) => {
  const ways: TeamsBy[] = [
    { by: "sum" },
    { by: "mean" },
    { by: "mean", min_players: 12 },
    { by: "best", best: 3 },
    { by: "best", best: 3, min_players: 3 },
  ];

  test.each(ways)("teams are those of a plain sort: %j", async (by) => {
    await createBoard(world, "board", { order, aggregation: "latest", ...guildsOf(by) });
    const players = Array.from({ length: 60 }, (_, i): Playing => {
      const fraction = random() < 0.5 ? 0 : Math.floor(100 * random()) / 100;
      const guild = guilds[Math.floor(guilds.length * random())] ?? "red";
      return { player: `p${i}`, score: hundredths(Math.floor(200 * random()) - 50 + fraction), guild };
    });
    await submit(players);
    await world.publish(key);
    expect(await teams()).toEqual(teamsSorted(order, by, players));

    // Some play again, and some of these for another guild; some are hidden and some removed.
    for (const one of players.slice(0, 30)) {
      one.score = hundredths(one.score + Math.floor(30 * random()) - 10);
      if (random() < 0.4) one.guild = guilds[Math.floor(guilds.length * random())] ?? "red";
    }
    await submit(players.slice(0, 30));
    for (const { player } of players.slice(30, 33))
      await world.call("setPlayerStatus", { leaderboard: "board", player, status: "hidden" }, admin);
    for (const { player } of players.slice(33, 36))
      await world.call("removePlayer", { leaderboard: "board", player }, admin);
    await world.publish(key);
    const left = players.filter((_, i) => i < 30 || i >= 36);
    expect(await teams()).toEqual(teamsSorted(order, by, left));
  });
});

describe("of guilds by sum", () => {
  beforeEach(() => createBoard(world, "board", { aggregation: "latest", ...guildsOf({ by: "sum" }) }));

  test("sums are exact beyond 2^53, and equal ones share a rank but no place", async () => {
    const most = Number.MAX_SAFE_INTEGER;
    await submit([
      ...["a", "b", "c"].map((player) => ({ player, score: most, guild: "red" })),
      ...["d", "e"].map((player) => ({ player, score: most, guild: "blue" })),
      { player: "f", score: most - 1, guild: "blue" },
      ...["g", "h", "i"].map((player) => ({ player, score: most, guild: "gold" })),
    ]);
    await world.publish(key);
    expect((await teams()).map(({ team, place, rank }) => [team, place, rank])).toEqual([
      ["gold", 1, 1],
      ["red", 2, 1],
      ["blue", 3, 3],
    ]);
  });

  test("a list goes on where a page ended", async () => {
    const players = Array.from({ length: 30 }, (_, i) => ({ player: `p${i}`, score: i, guild: `g${i}` }));
    await submit(players);
    await world.publish(key);
    const ask = (more: object) =>
      world.call("getTeams", { leaderboard: "board", segment: "guild", limit: 12, ...more }, user("ann"));
    const pages = await allPages(ask);
    expect(pages.map(({ entries, teams: count }) => [entries.length, count])).toEqual([
      [12, 30],
      [12, 30],
      [6, 30],
    ]);
    expect(pages.flatMap(({ entries }) => entries)).toEqual(
      teamsSorted("descending", { by: "sum" }, players),
    );
  });

  test("a segment that has teams no more loses its document with the next publication", async () => {
    await submit([{ player: "ann", score: 5, guild: "red" }]);
    await world.publish(key);
    const stored = () => world.db.doc(teamsPath(key, "guild")).get();
    expect((await stored()).exists).toBe(true);
    await createBoard(world, "board", { segments: [{ name: "guild", from: "server" }] });
    world.advance(60_001);
    await submit([{ player: "ann", score: 6, guild: "red" }]);
    const published = await world.publish(key);
    expect((await stored()).exists).toBe(false);
    expect(published.billed.deletes).toBe(1 + 1);
    await expect(teams()).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("before the first publication there are none, of generation 0", async () => {
    const asked = { leaderboard: "board", segment: "guild" };
    expect(await world.call("getTeams", asked, user("ann"))).toMatchObject({
      entries: [],
      teams: 0,
      generation: 0,
    });
  });
});

test("a board that gets teams has them with the next publication", async () => {
  await createBoard(world, "board", { segments: [{ name: "guild", from: "server" }] });
  await submit([{ player: "ann", score: 5, guild: "red" }]);
  await world.publish(key);
  await createBoard(world, "board", guildsOf({ by: "sum" }));
  world.advance(60_001);
  expect(await teams()).toEqual([]);
  await submit([{ player: "bob", score: 6, guild: "blue" }]);
  await world.publish(key);
  expect(await teams()).toEqual([
    { team: "blue", place: 1, rank: 1, score: 6, players: 1 },
    { team: "red", place: 2, rank: 2, score: 5, players: 1 },
  ]);
});
