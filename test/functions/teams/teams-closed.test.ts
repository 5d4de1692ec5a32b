/** The teams of a season that ends are those of its final table, and change with what an admin does to a player. */
import { expect, test } from "vitest";
import { teamsPath } from "../../../functions/src/documents/paths.ts";
import { closed, createEnding, endSeason, playerFields, seasonOf } from "../../support/closing.ts";
import { teamsSorted } from "../../support/teams.ts";
import { admin, createWorld, user } from "../../support/world.ts";

const guilds = ["red", "blue", "gold"];
const by = { by: "best", best: 3 } as const;

test("final teams are a plain sort of the final table, also after a player was removed", async () => {
  const world = createWorld();
  const players = Array.from({ length: 20 }, (_, i) => ({
    player: `p${i}`,
    score: (i * 37) % 100,
    guild: guilds[(i * i) % 3] ?? "red",
  }));
  const documents = Object.fromEntries(
    players.map(({ player, score, guild }, i) => [player, playerFields(score, i, { segments: { guild } })]),
  );
  const segments = [{ name: "guild", from: "server" as const, teams: by }];
  const key = await createEnding(world, "board", documents, { definition: { segments } });
  await endSeason(world, key);
  expect(closed(await seasonOf(world, key))).toBe(true);
  const { leaderboard, season } = key;
  const teams = async () =>
    (await world.call("getTeams", { leaderboard, season, segment: "guild" }, user("ann"))).entries;
  expect(await teams()).toEqual(teamsSorted("descending", by, players));

  const best = players.reduce((a, b) => (a.score > b.score ? a : b));
  await world.call("removePlayer", { leaderboard, player: best.player }, admin);
  await endSeason(world, key);
  expect(await teams()).toEqual(
    teamsSorted(
      "descending",
      by,
      players.filter((one) => one !== best),
    ),
  );

  await world.call("deleteLeaderboard", { leaderboard }, admin);
  await endSeason(world, key);
  expect((await world.db.doc(teamsPath(key, "guild")).get()).exists).toBe(false);
});

test.each([
  ["another rule", [{ name: "guild", from: "server" as const, teams: { by: "sum" } as const }]],
  ["no teams", [{ name: "guild", from: "server" as const }]],
])(
  "a ban long after the end leaves final teams by the rule of the season, though the board has %s by now",
  async (_what, next) => {
    const world = createWorld();
    const players = [
      { player: "ann", score: 10, guild: "red" },
      { player: "bob", score: 6, guild: "blue" },
      { player: "cem", score: 6, guild: "blue" },
      { player: "dan", score: 1, guild: "gold" },
    ];
    const documents = Object.fromEntries(
      players.map(({ player, score, guild }, i) => [player, playerFields(score, i, { segments: { guild } })]),
    );
    const best = { by: "best", best: 1 } as const;
    const segments = [{ name: "guild", from: "server" as const, teams: best }];
    const key = await createEnding(world, "board", documents, { definition: { segments } });
    await endSeason(world, key);
    const { leaderboard } = key;
    const stored = async () =>
      ((await world.db.doc(teamsPath(key, "guild")).get()).get("entries") ?? []) as {
        team: string;
        rank: number;
        score: number;
      }[];
    expect((await stored()).map(({ team, score }) => [team, score])).toEqual([
      ["red", 10],
      ["blue", 6],
      ["gold", 1],
    ]);
    await world.call("saveLeaderboard", { leaderboard, definition: { segments: next } }, admin);
    world.advance(61_000);
    await world.call("setPlayerStatus", { leaderboard, player: "dan", status: "banned" }, admin);
    await endSeason(world, key);
    // Came out: blue leads red by 12 to 10, or no teams at all.
    expect((await stored()).map(({ team, score }) => [team, score])).toEqual([
      ["red", 10],
      ["blue", 6],
    ]);
  },
);
