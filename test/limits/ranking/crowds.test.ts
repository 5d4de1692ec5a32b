/** Crowds that enter a merged row and are more than a run reads again. The limits are small. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { pagesPath, playerPath } from "../../../functions/src/documents/paths.ts";
import { readPage } from "../../../functions/src/documents/page.ts";
import { splitReadsMax } from "../../../functions/src/model/limits.ts";
import type { Order } from "../../../functions/src/model/score.ts";
import { unpackPages } from "../../../functions/src/ranking/pack-pages.ts";
import { type Member, populate, populateAndRank } from "../../support/crowd.ts";
import { listOf } from "../../support/rows.ts";
import { allTime, createBoard, createWorld, type World } from "../../support/world.ts";

vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const small = {
    onePageRowsMax: 16,
    rowsPerPageMax: 16,
    pagesMax: 4,
    rowsMax: 64,
    rowBoundMax: 0.15,
    splitReadsMax: 100,
    partsPerDivision: 8,
  };
  return { ...(await original<object>()), ...small };
});

const leaderboard = "board";
const key = allTime(leaderboard);
const crowd = splitReadsMax * 3;
const run = () => world.publish(key);

let world: World;

/** Members with these scores, later than those before. */
function members(name: string, scores: readonly number[]): Member[] {
  return scores.map((score, i) => ({ id: `${name}${i}`, score, achievedMs: i }));
}

async function rows(order: Order) {
  const { docs } = await world.db.collection(pagesPath(key)).orderBy("page").get();
  return listOf(
    unpackPages(
      order,
      docs.map((page) => readPage(page.data())),
    ),
  );
}

async function crowded(order: Order): Promise<void> {
  world = createWorld();
  await createBoard(world, leaderboard, { order });
  const scores = Array.from({ length: 1_000 }, (_, i) => (order === "descending" ? i : -i));
  await populateAndRank(world, key, members("old", scores));
  world.advance(60_000);
}

const oneScore = (score: number, players: unknown): unknown =>
  expect.objectContaining({ score, low: score, players });

test.each([
  ["descending", 300.5],
  ["ascending", -300.5],
] as const)("a crowd at one score is counted, and gets a row of its own: %s", async (order, score) => {
  await crowded(order);
  await populate(world, key, members("new", Array<number>(crowd).fill(score)));
  const record = await run();
  expect(await rows(order)).toContainEqual(oneScore(score, crowd));
  expect(record.found.wide_players).toBe(0);
  expect(record.billed.reads).toBeLessThan(crowd);
});

describe("descending", () => {
  beforeEach(() => crowded("descending"));

  test("two crowds and those between them are told apart", async () => {
    const between = Array.from({ length: 20 }, (_, i) => 300.25 + (i + 1) / 1_000);
    const crowds = [300.25, 300.5].flatMap((score) => Array<number>(crowd).fill(score));
    await populate(world, key, members("new", [...crowds, ...between]));
    await run();
    for (const score of [300.25, 300.5])
      expect(await rows("descending")).toContainEqual(oneScore(score, crowd));
  });

  test("players spread over more scores than a run reads stay in their row, which costs little", async () => {
    const scores = Array.from({ length: splitReadsMax * 4 }, (_, i) => 300.25 + i / 1_000);
    await populate(world, key, members("new", scores));
    const record = await run();
    expect(record.found.wide_players).toBeGreaterThanOrEqual(scores.length);
    expect(record.billed.reads).toBeLessThan(scores.length * 2);
  });

  test("a crowd of which one is not counted yet stays in its row until that is known", async () => {
    await populate(world, key, members("new", Array<number>(crowd).fill(300.5)));
    await world.db.doc(playerPath(key, "new0")).delete();
    expect((await run()).found.wide_players).toBeGreaterThanOrEqual(crowd);
    expect(await rows("descending")).not.toContainEqual(oneScore(300.5, expect.anything()));
  });
});
