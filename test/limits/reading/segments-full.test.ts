/** More values of segments than are ranked. The limit is small. */
import { expect, test, vi } from "vitest";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { admin, allTime, createBoard, createWorld } from "../../support/world.ts";

vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  return { ...(await original<object>()), segmentsRankedMax: 4 };
});

const key = allTime("board");

test("changes of a segment that is ranked count live, and in an audit, behind those of many others", async () => {
  const world = createWorld();
  await createBoard(world, "board", { segments: [{ name: "guild", from: "server" }] });
  const submit = (player: string, score: number, guild: string) =>
    world.call(
      "submitScores",
      { leaderboard: "board", submissions: [{ player, score, segments: { guild } }] },
      admin,
    );
  for (const guild of ["a", "b", "c", "d"]) await submit(guild, 1, guild);
  world.advance(20_000);
  await publishRanking(world.services, key);
  for (const guild of ["e", "f", "g", "h"]) await submit(guild, 2, guild);
  await submit("late", 3, "d");
  const asked = { leaderboard: "board", score: 1, segment: { guild: "d" }, freshness: "live" } as const;
  expect(await world.call("getRank", asked, admin)).toMatchObject({ rank: 2, players: 2, exact: true });
  const audit = await world.call("auditSeason", { leaderboard: "board", full: true }, admin);
  expect(audit).toMatchObject({ repair: "none", found: { conservation: { scores: 0, examples: [] } } });
});

test("a value that nobody has any more leaves its place to another, and may come back", async () => {
  const world = createWorld();
  await createBoard(world, "board", {
    aggregation: "latest",
    segments: [{ name: "guild", from: "server" }],
  });
  for (const guild of ["a", "b", "c", "d", "e", "f", "a"]) {
    const submissions = [{ player: "ann", score: 1, segments: { guild } }];
    await world.call("submitScores", { leaderboard: "board", submissions }, admin);
    world.advance(20_000);
    const { generation, found } = await publishRanking(world.services, key);
    expect(found).toMatchObject({ segments: 1 });
    const asked = { leaderboard: "board", score: 1, min_generation: generation ?? 0 };
    for (const [value, players] of [
      [guild, 1],
      ["b", guild === "b" ? 1 : 0],
    ] as const)
      expect(await world.call("getRank", { ...asked, segment: { guild: value } }, admin)).toMatchObject({
        players,
        exact: true,
      });
  }
});

test("a repair keeps the values that many players have before those of the latest", async () => {
  const world = createWorld();
  await createBoard(world, "board", { segments: [{ name: "guild", from: "server" }] });
  const submit = (players: [player: string, guild: string][]) =>
    world.call(
      "submitScores",
      {
        leaderboard: "board",
        submissions: players.map(([player, guild], score) => ({ player, score, segments: { guild } })),
      },
      admin,
    );
  const guilds = ["m", "n", "o", "p"];
  await submit(Array.from({ length: 12 }, (_, i) => [`player ${i}`, guilds[i % 4] ?? ""]));
  world.advance(20_000);
  await publishRanking(world.services, key);
  await submit(["a", "b", "c", "d"].map((guild) => [`the latest of ${guild}`, guild]));
  const { generation } = await world.call("repairSeason", { leaderboard: "board" }, admin);
  for (const guild of guilds) {
    const asked = { leaderboard: "board", score: 1, segment: { guild }, min_generation: generation ?? 0 };
    expect(await world.call("getRank", asked, admin)).toMatchObject({ players: 3, exact: true });
  }
});
