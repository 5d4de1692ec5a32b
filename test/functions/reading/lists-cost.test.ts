/** What lists cost in document reads: the promises of docs/costs.md and of docstrings, measured. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FirerankError } from "../../../functions/src/model/errors.ts";
import { rowsPerPageMax, skippedMax } from "../../../functions/src/model/limits.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { seededRandom } from "../../support/arbitraries.ts";
import {
  type Member,
  type Placed,
  placed,
  populate,
  populateAndRank,
  publishRows,
} from "../../support/crowd.ts";
import { callOn, allTime, createBoard, createWorld, user, type World } from "../../support/world.ts";
import { skippedAim } from "../../../functions/src/reading/offset.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
const random = seededRandom(Number(process.env["FIRERANK_SEED"]));
const sides = { above: 4, below: 4 };

let world: World;
let services: Services;

const around = (player: string) =>
  callOn(services, "getAround", { leaderboard, player, ...sides, freshness: "published" }, anyone);
const page = (asked: { offset?: number; cursor?: string }, limit = 25) =>
  callOn(services, "getPage", { leaderboard, limit, freshness: "published", ...asked }, anyone);
const friends = (...players: string[]) =>
  callOn(services, "getPlayers", { leaderboard, players, freshness: "published" }, anyone);

/** Another instance of the functions, with the board in memory but no page. */
async function coldInstance(): Promise<void> {
  services = await world.coldInstance(key);
}

describe("a board of five pages, 1,100 different scores and 1,300 equals below", () => {
  const singles = 1_100;
  const equals = 1_300;
  beforeAll(async () => {
    world = createWorld();
    await createBoard(world, leaderboard);
    const members = Array.from({ length: singles + equals }, (_, i): Member => {
      return { id: `p${i}`, score: Math.max(0, singles - i), achievedMs: i };
    });
    await populateAndRank(world, key, members);
  });
  beforeEach(coldInstance);

  test.each<[what: string, ask: () => Promise<unknown>, cold: number, again: number]>([
    ["neighbours", () => around("p100"), 9 + 1, 9],
    ["neighbours on two pages", () => around(`p${rowsPerPageMax}`), 9 + 2, 9],
    // 1 for each 1,000 of them above.
    ["neighbours among equals", () => around(`p${singles + 500}`), 9 + 2, 9 + 1],
    ["neighbours deep among equals", () => around(`p${singles + 1_200}`), 9 + 3, 9 + 2],
    ["a page from any offset", () => page({ offset: 300 }), 25 + 1, 25],
    ["an offset beyond the end", () => page({ offset: singles + equals }), 2, 0],
    ["friends on three pages", () => friends("p1", "p2", "p300", "p599"), 4 + 3, 4],
    ["a friend, and nobody", () => friends("nobody", "p1"), 2 + 1, 2],
  ])("%s is read from a cold instance, and again", async (_what, ask, cold, again) => {
    expect(await world.reads(ask)).toBe(cold);
    expect(await world.reads(ask)).toBe(again);
  });

  test("a page behind a cursor costs its entries and the page of the ranking", async () => {
    const { next_cursor: cursor = "" } = await page({ offset: 300 });
    expect(await world.reads(() => page({ cursor }))).toBe(25);
    await coldInstance();
    expect(await world.reads(() => page({ cursor }))).toBe(25 + 1);
  });

  test("an offset among equals costs those that it skips, and a cursor none", async () => {
    await page({ offset: singles });
    expect(await world.reads(() => page({ offset: singles + 700 }))).toBe(700 + 25);
    expect(await world.reads(() => page({ offset: singles + skippedMax }))).toBe(skippedMax + 25);
    const { next_cursor: cursor = "" } = await page({ offset: singles + skippedMax });
    expect(await world.reads(() => page({ cursor }))).toBe(25);
    const tooDeep = () => page({ offset: singles + skippedMax + 1 }).catch((error: unknown) => error);
    expect(await tooDeep()).toBeInstanceOf(FirerankError);
    expect(await world.reads(tooDeep)).toBe(0);
  });
});

describe("offset 5,000,000 of 10 million players", () => {
  const size = 2_000;
  const before = 4_999_000;
  const orders = ["descending", "ascending"] as const;
  const total = 2 * before + size;

  /** Players of a merged row in the middle of ten million; the others are only in the ranking. */
  async function publishRow(order: (typeof orders)[number], draw: (i: number) => number): Promise<Placed[]> {
    world = createWorld();
    await createBoard(world, leaderboard, { order });
    const members = Array.from({ length: size }, (_, i): Member => {
      return { id: `p${i}`, score: draw(i), achievedMs: i };
    });
    await populate(world, key, members);
    const sorted = placed(order, "first", members);
    const [best, worst] = order === "descending" ? [1e9, -1e9] : [-1e9, 1e9];
    await publishRows(world, key, order, [
      { score: best, low: best / 10, players: before },
      { score: sorted[0]?.score ?? NaN, low: sorted.at(-1)?.score ?? NaN, players: size },
      { score: worst / 10, low: worst, players: before },
    ]);
    await coldInstance();
    return sorted;
  }

  test.each(orders)(
    "costs 25 reads, a page, and fewer than 50 reads to find it, on a %s board",
    async (order) => {
      const sorted = await publishRow(order, () => 1_000 * random() * random());
      let most = 0;
      for (const skip of [1_000, 0, 3, skippedAim, 100, 777, 1_500, 1_990]) {
        const offset = before + skip;
        const { result, bill } = await world.meter.measure(() => page({ offset }));
        expect(result.entries.map(({ player, position }) => [player, position])).toEqual(
          sorted.slice(skip, skip + 25).map(({ id, position }) => [id, before + position]),
        );
        expect(result.players).toBe(total);
        most = Math.max(most, bill.reads - result.entries.length);
      }
      expect(most).toBeGreaterThan(1);
      expect(most).toBeLessThan(50);
    },
  );

  test.each(orders)("deep among equals refers to where they begin, on a %s board", async (order) => {
    const sorted = await publishRow(order, (i) => (i < 1_600 ? 0.1 : 1_000 * random()));
    const first = sorted.findIndex(({ score }) => score === 0.1);
    const skip = first + skippedMax + 1;
    const { result, bill } = await world.meter.measure(() =>
      page({ offset: before + skip }).catch((error: unknown) => error),
    );
    expect(result).toBeInstanceOf(FirerankError);
    const begins = before + first;
    expect((result as FirerankError).message).toContain(`among 1600 players with the score 0.1`);
    expect((result as FirerankError).message).toContain(`from ${begins} to ${begins + skippedMax} `);
    expect(bill.reads).toBeLessThan(2 * 64);
    const { next_cursor: cursor = "" } = await page({ offset: begins + skippedMax }, 1);
    expect((await page({ cursor }, 1)).entries[0]).toMatchObject({ player: sorted[skip]?.id });
  });
});
