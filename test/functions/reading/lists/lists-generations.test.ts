/** Lists while the ranking and the scores change: one answer, one generation, one order. */
import { beforeEach, describe, expect, test } from "vitest";
import { pagePath } from "../../../../functions/src/documents/paths.ts";
import type { Entry } from "../../../../functions/src/model/answers.ts";
import { generationAttemptsMax, rowsPerPageMax } from "../../../../functions/src/model/limits.ts";
import { bestPossible } from "../../../../functions/src/model/score.ts";
import { publishRanking } from "../../../../functions/src/ranking/run.ts";
import type { PageCache } from "../../../../functions/src/reading/page-cache.ts";
import { emptyPage } from "../../../../functions/src/reading/page-memory.ts";
import { placesOf } from "../../../../functions/src/reading/live.ts";
import { seededRandom } from "../../../support/arbitraries.ts";
import {
  type Member,
  type Placed,
  placed,
  populate,
  populateAndRank,
  publishRows,
} from "../../../support/crowd.ts";
import { allTime, createBoard, createWorld, user, type World } from "../../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
const random = seededRandom(Number(process.env["FIRERANK_SEED"]));
const names = ({ entries }: { entries: Entry[] }) => entries.map(({ player }) => player);

let world: World;
beforeEach(() => {
  world = createWorld();
});

const around = (player: string, above = 4, below = 4) =>
  world.call("getAround", { leaderboard, player, above, below }, anyone);
const page = (offset: number) => world.call("getPage", { leaderboard, offset }, anyone);
const rankOf = (score: number) => world.call("getRank", { leaderboard, score }, anyone);

function singles(size: number): Member[] {
  return Array.from({ length: size }, (_, i) => ({ id: `p${i}`, score: size - i, achievedMs: i }));
}

/** Publishes another player at the top, as another instance would. */
async function publishNewBest(): Promise<void> {
  await populate(world, key, [{ id: "best", score: 1_000_000, achievedMs: 0 }]);
  await publishRanking(world.anotherInstance(), key, { includeOpenSlot: true });
}

describe("two pages, the first of them in memory when the next generation is published", () => {
  const edge = rowsPerPageMax;
  beforeEach(async () => {
    await createBoard(world, leaderboard);
    await populateAndRank(world, key, singles(400));
    await rankOf(400);
    await publishNewBest();
  });

  test("neighbours across the edge are all of the new one", async () => {
    const list = await around(`p${edge}`);
    expect(list.generation).toBe(2);
    expect(list.entries.map(({ rank, position }) => [rank, position])).toEqual(
      list.entries.map((_, i) => [edge - 2 + i, edge - 2 + i]),
    );
    for (const { score, rank } of list.entries) expect((await rankOf(score)).rank).toBe(rank);
  });

  test("a page across the edge is all of the new one, and begins at the offset there", async () => {
    const list = await page(edge - 10);
    expect(list.generation).toBe(2);
    expect(list.entries[0]).toMatchObject({ player: `p${edge - 11}`, rank: edge - 9, position: edge - 9 });
    expect(list.entries.map(({ rank }) => rank)).toEqual(list.entries.map(({ position }) => position));
  });

  test("friends on both pages are all of the new one", async () => {
    const list = await world.call("getPlayers", { leaderboard, players: ["p399", "p0", "p100"] }, anyone);
    expect(list.generation).toBe(2);
    expect(list.entries.map(({ player, rank }) => [player, rank])).toEqual([
      ["p0", 2],
      ["p100", 102],
      ["p399", 401],
    ]);
  });
});

describe("pages of the memory that never agree", () => {
  const disagreeing = (): World["services"]["pages"] => {
    let generation = 10;
    const pageOf = async (_key: unknown, order: "descending" | "ascending", score: number) => {
      const empty = emptyPage(order, (await world.db.doc("any/thing").get()).readTime);
      return { ...empty, generation: (generation += 1), from_score: score, until_score: score - 1 };
    };
    const pageAt: PageCache["pageAt"] = (season, order) => pageOf(season, order, 0);
    return {
      pageOf,
      pageAt,
      keep: () => undefined,
      mark: () => 0,
      generationOf: () => generation,
      freshUntilMs: () => undefined,
    };
  };

  test("are finally read in one transaction, and give the published ranks", async () => {
    await createBoard(world, leaderboard);
    await populateAndRank(world, key, singles(300));
    const pages = disagreeing();
    const asked = [1, 150, 300];
    const { result: places, bill } = await world.meter.measure(() =>
      placesOf({ db: world.db, pages }, key, "descending", asked),
    );
    expect(places).toMatchObject({ generation: 1, players: 300 });
    expect(asked.map((score) => places.of(score).rank)).toEqual([300, 151, 1]);
    expect(bill.reads).toBe(generationAttemptsMax * asked.length + 2);
  });

  test("because the ranking is damaged cause an error that says how to repair it", async () => {
    await createBoard(world, leaderboard);
    await populateAndRank(world, key, singles(300));
    await world.db.doc(pagePath(key, 1)).update({ generation: 7 });
    await expect(
      placesOf({ db: world.db, pages: disagreeing() }, key, "descending", [1, 300]),
    ).rejects.toThrow("repairSeason");
  });
});

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
