/** More values of segments than are ranked. The limit is small. */
import { beforeEach, expect, test, vi } from "vitest";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  return { ...(await original<object>()), valuesRankedMax: 4 };
});

const key = allTime("board");
const world = eachWorld();
beforeEach(async () => {
  await createBoard(world, "board", {
    aggregation: "latest",
    segments: [{ name: "guild", from: "server" }],
  });
});

const submit = (...lines: (readonly [player: string, score: number, guild: string])[]) => {
  const submissions = lines.map(([player, score, guild]) => ({ player, score, segments: { guild } }));
  return world.call("submitScores", { leaderboard: "board", submissions }, admin);
};

/** A run over all slots that have ended. */
async function run() {
  world.advance(20_000);
  return publishRanking(world.services, key);
}

test("changes of a segment that is ranked count live, and in an audit, behind those of many others", async () => {
  for (const guild of ["a", "b", "c", "d"]) await submit([guild, 1, guild]);
  await run();
  for (const guild of ["e", "f", "g", "h"]) await submit([guild, 2, guild]);
  await submit(["late", 3, "d"]);
  const asked = { leaderboard: "board", score: 1, segment: { guild: "d" }, freshness: "live" } as const;
  expect(await world.call("getRank", asked, admin)).toMatchObject({ rank: 2, players: 2, exact: true });
  const audit = await world.call("auditSeason", { leaderboard: "board", full: true }, admin);
  expect(audit).toMatchObject({ repair: "none", found: { conservation: { scores: 0, examples: [] } } });
});

test("a value that nobody has any more leaves its place to another, and may come back", async () => {
  for (const guild of ["a", "b", "c", "d", "e", "f", "a"]) {
    await submit(["ann", 1, guild]);
    const { generation, found } = await run();
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
  const guilds = ["m", "n", "o", "p"];
  await submit(...Array.from({ length: 12 }, (_, i) => [`player ${i}`, i, guilds[i % 4] ?? ""] as const));
  await run();
  await submit(...["a", "b", "c", "d"].map((guild, i) => [`the latest of ${guild}`, i, guild] as const));
  const { generation } = await world.call("repairSeason", { leaderboard: "board" }, admin);
  for (const guild of guilds) {
    const asked = { leaderboard: "board", score: 1, segment: { guild }, min_generation: generation ?? 0 };
    expect(await world.call("getRank", asked, admin)).toMatchObject({ players: 3, exact: true });
  }
});
