/** A refresh of the top on a board with decimals, and of a large one with metadata, reads what has changed: docs/costs.md. */
import { expect, test } from "vitest";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");

async function play(submissions: { player: string; score: number; metadata?: object }[]): Promise<void> {
  world.advance(1);
  for (let from = 0; from < submissions.length; from += 500)
    await world.call(
      "submitScores",
      { leaderboard: "board", submissions: submissions.slice(from, from + 500) },
      admin,
    );
}

/** What a score costs that comes into the quiet, full top of a board, whose call shows it there. */
async function billOfEntrant(definition: object, metadata?: object): Promise<number> {
  const { top_size: size = 100 } = definition as { top_size?: number };
  await createBoard(world, "board", { aggregation: "latest", ...definition });
  await play(
    Array.from({ length: size + 20 }, (_, i) => ({
      player: `p${i}`,
      score: 10_000 - 5 * i,
      ...(metadata && { metadata }),
    })),
  );
  world.advance(60_000);
  await world.publish(key);
  world.advance(60_000);
  await boardCacheOf(world.services).load(key);
  world.refreshes.clear();
  const { reads } = await world.bill(() => play([{ player: `p${size + 10}`, score: 9_998 }]));
  expect(world.refreshes.size).toBe(0);
  return reads;
}

/** The player, the gate; the top, a shard and the player found by the score. */
const most = 1 + 1 + 1 + 1 + 2;

test("without decimals", async () => {
  expect(await billOfEntrant({})).toBeLessThanOrEqual(most);
});

test("with decimals", async () => {
  expect(await billOfEntrant({ decimals: 2 })).toBeLessThanOrEqual(most);
});

test("with the metadata of 500 players, of some 1,000 bytes each", async () => {
  expect(await billOfEntrant({ top_size: 500 }, { car: "x".repeat(950) })).toBeLessThanOrEqual(most);
});
