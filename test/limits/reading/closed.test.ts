/** Lists of a closed season: what the simulation's seasons have not, and what they keep over their end. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { leaderboardPath } from "../../../functions/src/documents/paths.ts";
import type { Entry } from "../../../functions/src/model/answers.ts";
import type { Finalist } from "../../support/standings.ts";
import { closeNow, hidePlayers } from "../../support/closing.ts";
import { populateAndRank } from "../../support/crowd.ts";
import { allTime, createBoard, eachWorld, presentOf, user } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  return { ...(await original<object>()), standingsPerDocument: 10 };
});

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
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
  await closeNow(world, key);
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
    await closeNow(world, key);
    expect(placesIn(await page({ cursor, limit: 3 }))).toEqual(["p18 19", "p19 20", "p20 21"]);
    await hidePlayers(world, key, "p2", "p3", "p17");
    world.advance(61_000);
    expect(placesIn(await page({ cursor, limit: 3 }))).toEqual(["p18 16", "p19 17", "p20 18"]);
  });

  test("keeps the order that it closed with, whatever the board's own order is now", async () => {
    const { next_cursor: cursor = "" } = await page({ limit: 22 });
    await closeNow(world, key);
    await world.db.doc(leaderboardPath(leaderboard)).update({ ties: "last" });
    boardCacheOf(world.services).forget(leaderboard);
    expect(placesIn(await around("p33"))).toEqual(["p31 32", "p32 33", "p33 34", "p34 35", "p35 36"]);
    expect(placesIn(await page({ cursor, limit: 2 }))).toEqual(["p22 23", "p23 24"]);
  });
});

test("a season of nobody lists nobody", async () => {
  await createBoard(world, leaderboard);
  await boardCacheOf(world.services).open(presentOf(key));
  await world.publish(key);
  await closeNow(world, key);
  expect(await page()).toMatchObject({ entries: [], players: 0 });
  const asked = { leaderboard, score: 3 };
  expect(await world.call("getRank", asked, anyone)).toMatchObject({ rank: 1, players: 0, exact: true });
  await expect(around("p1")).rejects.toThrow("has no ranked score");
});
