/** Lists of players in a merged row: ranks and positions are guesses, and say so. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Entry } from "../../../functions/src/model/answers.ts";
import { bestPossible } from "../../../functions/src/model/score.ts";
import { seededRandom } from "../../support/arbitraries.ts";
import { type Member, type Placed, placed, populate, publishRows } from "../../support/crowd.ts";
import { allTime, createBoard, user, eachWorld } from "../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
const random = seededRandom(Number(process.env["FIRERANK_SEED"]));
const names = ({ entries }: { entries: Entry[] }) => entries.map(({ player }) => player);

const world = eachWorld();
const around = (player: string, above = 4, below = 4) =>
  world.call("getAround", { leaderboard, player, above, below }, anyone);
const page = (offset: number) => world.call("getPage", { leaderboard, offset }, anyone);
const rankOf = (score: number) => world.call("getRank", { leaderboard, score }, anyone);

describe.each(["descending", "ascending"] as const)("a merged row of 500 on a %s board", (order) => {
  const before = 100_000;
  let sorted: Placed[];
  beforeEach(async () => {
    await createBoard(world, leaderboard, { order });
    const members = Array.from({ length: 500 }, (_, i): Member => {
      return { id: `p${i}`, score: Math.floor(200 * random()), achievedMs: i };
    });
    await populate(world, key, members);
    sorted = placed(order, "first", members);
    const best = bestPossible(order);
    await publishRows(world, key, order, [
      { score: best, low: best / 10, players: before },
      { score: sorted[0]?.score ?? NaN, low: sorted.at(-1)?.score ?? NaN, players: 500 },
    ]);
  });

  test("lists its players with ranks that are getRank's guesses and say so", async () => {
    const list = await page(before + 250);
    expect(names(list)).toEqual(sorted.slice(250, 275).map(({ id }) => id));
    for (const { score, rank, exact, position_exact: certain } of list.entries) {
      const own = await rankOf(score);
      expect([rank, exact ?? true, certain]).toEqual([own.rank, own.exact, false]);
    }
    expect(list.entries.some(({ exact }) => exact === false)).toBe(true);
  });

  test("has consecutive positions that are not certain, except those anchored by its best score", async () => {
    const own = sorted[250]?.id ?? "";
    const list = await around(own, 20, 20);
    expect(names(list)).toEqual(sorted.slice(230, 271).map(({ id }) => id));
    list.entries.forEach(({ position, position_exact: exact }, i) => {
      expect(position).toBe((list.entries[0]?.position ?? NaN) + i);
      expect(exact).toBe(false);
    });
    const top = await around(sorted[3]?.id ?? "", 50, 50);
    expect(top.entries.map(({ position }) => position)).toEqual(top.entries.map((_, i) => i + 1));
    expect(top.entries.every((entry) => entry.position_exact === undefined)).toBe(true);
  });

  test("lists friends at their best possible positions, never two at the same one", async () => {
    const players = sorted.slice(100, 200).map(({ id }) => id);
    const list = await world.call("getPlayers", { leaderboard, players }, anyone);
    expect(names(list)).toEqual(players);
    list.entries.forEach(({ position, position_exact: exact }, i) => {
      expect(position).toBeGreaterThan(list.entries[i - 1]?.position ?? 0);
      expect(exact).toBe(false);
    });
  });
});
