/** A server's score whose event has not come when the season closes is the nearest step of the board in the final table. */
import { expect, test } from "vitest";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { playerPath, standingsCollection, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import {
  closed,
  createEnding,
  endSeason,
  expectFinal,
  playerFields,
  recordOf,
  writePlayers,
} from "../../support/closing.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const definition = { decimals: 1 };
const noisy = 0.1 + 0.2;

async function table(key: SeasonKey) {
  const { entries } = await world.call("getPage", { ...key }, user("reader"));
  return entries.map(({ player, rank, score }) => [player, rank, score]);
}

test("scores that are one step of the board share a rank in the final table", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(0.3, 0) }, { definition });
  await writePlayers(world, key, { bob: playerFields(noisy, 1) });
  await endSeason(world, key);
  expect(await table(key)).toEqual([
    ["ann", 1, 0.3],
    ["bob", 1, 0.3],
  ]);
});

test("one noisy score among many, which ranges of small steps write, leaves one table of all players", async () => {
  const many = Array.from({ length: 40 }, (_, i) => [`p${i}`, playerFields((i % 8) / 10, i)] as const);
  const key = await createEnding(world, "board", Object.fromEntries(many), { definition });
  await writePlayers(world, key, { late: playerFields(noisy, 3) });
  const small = { budgetMs: 0, documentsPerRead: 4, rangePlayers: 10 };
  const { services } = world;
  const step = () => stepEnd(services, { ...key, step: 0 }, small);
  await endSeason(world, key, { until: closed, step });
  expect(await recordOf(world, key)).toMatchObject({ pass: 1, completed: { players: 1, rounds: 1 } });
  await endSeason(world, key, { step });
  await expectFinal(world, key);
  expect((await world.db.doc(playerPath(key, "late")).get()).get("score")).toBe(0.3);
});

test("a table without such scores is written at the first reading", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(0.3, 0) }, { definition });
  await endSeason(world, key);
  expect(await recordOf(world, key)).toMatchObject({ pass: 0, completed: { rounds: 0 } });
});

test("a document that has no room to be written again stays as it is, after one search", async () => {
  const full = playerFields(noisy, 1, { text: "x".repeat(1_048_400) });
  const key = await createEnding(world, "board", { ann: playerFields(0.3, 0) }, { definition });
  await writePlayers(world, key, { full });
  await endSeason(world, key, { until: closed });
  expect(await recordOf(world, key)).toMatchObject({ pass: 1, completed: { players: 0, rounds: 1 } });
  await endSeason(world, key);
  expect((await world.db.collection(standingsCollection(key)).get()).size).toBe(2);
});

test("who is hidden before the event, and comes back after the season's end, is among equals", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(0.3, 0) }, { definition });
  await writePlayers(world, key, { bob: playerFields(noisy, 1) });
  const set = (status: "active" | "hidden") =>
    world.call("setPlayerStatus", { leaderboard: "board", player: "bob", status }, admin);
  await endSeason(world, key, { until: ({ status }) => status === "closing" });
  await set("hidden");
  await endSeason(world, key);
  await set("active");
  await endSeason(world, key);
  expect(await table(key)).toEqual([
    ["ann", 1, 0.3],
    ["bob", 1, 0.3],
  ]);
});
