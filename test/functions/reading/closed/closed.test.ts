/** Lists of a closed season: what the simulation's seasons have not, and what they keep over their end. */
import { beforeEach, describe, expect, test } from "vitest";
import { leaderboardPath } from "../../../../functions/src/documents/paths.ts";
import type { Entry } from "../../../../functions/src/model/answers.ts";
import type { Finalist } from "../../../support/standings.ts";
import { closeSeasonOf } from "../../../support/closed.ts";
import { populateAndRank } from "../../../support/crowd.ts";
import { allTime, createBoard, eachWorld, presentOf, user } from "../../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
const ordering = { order: "descending", ties: "first" } as const;
const world = eachWorld();

const page = (asked: { offset?: number; cursor?: string; limit?: number } = {}) =>
  world.call("getPage", { leaderboard, ...asked }, anyone);
const around = (player: string) =>
  world.call("getAround", { leaderboard, player, above: 2, below: 2 }, anyone);
const placesIn = ({ entries }: { entries: Entry[] }) =>
  entries.map(({ player, position }) => `${player} ${position}`);

test("columns are in ranks and entries", async () => {
  const columns = ["points", "goals"].map((name) => ({ name, min: 0, max: 9, order: "descending" as const }));
  await createBoard(world, leaderboard, { columns });
  const all = [12, 12, 99, 7].map((score, i): Finalist => ({ id: `p${i}`, score, achievedMs: i }));
  await populateAndRank(world, key, all);
  await closeSeasonOf(world, key, ordering, all, 2);
  const { entries } = await page();
  expect(entries.map(({ player, rank, columns: values }) => [player, rank, values])).toEqual([
    ["p2", 1, { points: 9, goals: 9 }],
    ["p0", 2, { points: 1, goals: 2 }],
    ["p1", 2, { points: 1, goals: 2 }],
    ["p3", 4, { points: 0, goals: 7 }],
  ]);
  const asked = { leaderboard, columns: { points: 1, goals: 0 } };
  expect(await world.call("getRank", asked, anyone)).toMatchObject({ score: 10, rank: 4, exact: true });
});

describe("a small season", () => {
  const all = Array.from({ length: 60 }, (_, i): Finalist => {
    return { id: `p${i}`, score: 100 - Math.floor(i / 4), achievedMs: i };
  });
  beforeEach(async () => {
    await createBoard(world, leaderboard);
    await populateAndRank(world, key, all);
  });

  test("continues after a cursor from when it was open, even if that was at another place", async () => {
    const { next_cursor: cursor = "" } = await page({ offset: 13, limit: 5 });
    const season = await closeSeasonOf(world, key, ordering, all, 10);
    expect(placesIn(await page({ cursor, limit: 3 }))).toEqual(["p18 19", "p19 20", "p20 21"]);
    await season.takeOut(["p2", "p3", "p17"]);
    world.advance(61_000);
    expect(placesIn(await page({ cursor, limit: 3 }))).toEqual(["p18 16", "p19 17", "p20 18"]);
  });

  test("keeps the order that it closed with, whatever the board's own order is now", async () => {
    const { next_cursor: cursor = "" } = await page({ limit: 22 });
    await closeSeasonOf(world, key, ordering, all, 10);
    await world.db.doc(leaderboardPath(leaderboard)).update({ ties: "last" });
    world.services.boards.forget(leaderboard);
    expect(placesIn(await around("p33"))).toEqual(["p31 32", "p32 33", "p33 34", "p34 35", "p35 36"]);
    expect(placesIn(await page({ cursor, limit: 2 }))).toEqual(["p22 23", "p23 24"]);
  });
});

test("a season of nobody lists nobody", async () => {
  await createBoard(world, leaderboard);
  await world.services.boards.open(presentOf(key));
  await world.publish(key);
  await closeSeasonOf(world, key, ordering, []);
  expect(await page()).toMatchObject({ entries: [], players: 0 });
  const asked = { leaderboard, score: 3 };
  expect(await world.call("getRank", asked, anyone)).toMatchObject({ rank: 1, players: 0, exact: true });
  await expect(around("p1")).rejects.toThrow("has no ranked score");
});
