/** Crowds that enter a merged row and are more than a run reads again. The limits are small. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { pagesPath, playerPath } from "../../../functions/src/documents/paths.ts";
import { readPage } from "../../../functions/src/documents/page.ts";
import { splitReadsMax } from "../../../functions/src/model/limits.ts";
import type { Order } from "../../../functions/src/model/score.ts";
import { unpackPages } from "../../../functions/src/ranking/pack-pages.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { type Member, populate, populateAndRank } from "../../support/crowd.ts";
import { listOf } from "../../support/rows.ts";
import { allTime, createBoard, createWorld, type World } from "../../support/world.ts";

vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const small = { rowsPerPageMax: 16, pagesMax: 4, rowsMax: 64, rowBoundMax: 0.15, splitReadsMax: 40 };
  return { ...(await original<object>()), ...small };
});

const leaderboard = "board";
const key = allTime(leaderboard);
const run = () => publishRanking(world.services, key, { includeOpenSlot: true });

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

describe.each(["descending", "ascending"] as const)("1,000 players in merged rows, %s", (order) => {
  const best = (score: number) => (order === "descending" ? score : -score);
  const spread = Array.from({ length: 1_000 }, (_, i) => best(i));

  beforeEach(async () => {
    world = createWorld();
    await createBoard(world, leaderboard, { order });
    await populateAndRank(world, key, members("old", spread));
    world.advance(60_000);
  });

  test("a crowd at one score is counted, and gets a row of its own", async () => {
    const merged = (await rows(order)).find(({ score, low }) => Math.abs(score - low) >= 4);
    const score = (merged?.low ?? NaN) + best(2);
    const crowd = splitReadsMax * 5;
    await populate(world, key, members("new", Array<number>(crowd).fill(score)));
    const record = await run();
    expect(await rows(order)).toContainEqual(
      expect.objectContaining({ score, low: score, players: crowd + 1 }),
    );
    expect(record.found.wide_players).toBe(0);
    expect(record.billed.reads).toBeLessThan(crowd);
  });

  test("two crowds and those between them are told apart", async () => {
    const [one, two] = [best(300.25), best(300.5)];
    const between = Array.from({ length: splitReadsMax / 2 }, (_, i) => best(300.25 + (i + 1) / 1_000));
    const crowds = [one, two].flatMap((score) => Array<number>(splitReadsMax * 5).fill(score));
    await populate(world, key, members("new", [...crowds, ...between]));
    await run();
    for (const score of [one, two])
      expect(await rows(order)).toContainEqual(
        expect.objectContaining({ score, low: score, players: splitReadsMax * 5 }),
      );
  });

  test("players spread over more scores than a run reads stay in their row, which costs little", async () => {
    const scores = Array.from({ length: splitReadsMax * 5 }, (_, i) => best(300.25 + i / 1_000));
    await populate(world, key, members("new", scores));
    const record = await run();
    expect(record.found.wide_players).toBeGreaterThanOrEqual(scores.length);
    world.advance(60_000);
    await populate(world, key, members("last", [best(2_000)]));
    expect((await run()).billed.reads).toBeLessThan(splitReadsMax * 40);
  });

  test("a crowd of which one is not counted yet stays in its row until that is known", async () => {
    const score = best(300.5);
    await populate(world, key, members("new", Array<number>(splitReadsMax * 5).fill(score)));
    await world.db.doc(playerPath(key, "new0")).delete();
    expect((await run()).found.wide_players).toBeGreaterThan(splitReadsMax);
    expect(await rows(order)).not.toContainEqual(expect.objectContaining({ score, low: score }));
  });
});
