/** A submission that counted in each season of its day, and is sent again later, as by a queue without a network, was refused nowhere. */
import { expect, test } from "vitest";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const hourMs = 3_600_000;
const board = { spans: ["all_time" as const, "daily" as const], aggregation: "sum" as const };

/** The seasons of an answer that say an error. */
async function refusedBy(score: number, id: string) {
  const { seasons } = await world.submit("ann", score, { submission_id: id });
  return seasons.flatMap(({ season, error }) => (error ? [[season, error.code]] : []));
}

test.each([
  ["the next day at noon", 24, board],
  ["five minutes after the midnight of the day after", 36 + 5 / 60, board],
  ["the next day, of the latest score", 24, { ...board, aggregation: "latest" as const }],
])("no season says that it refused it, %s", async (_when, hours, definition) => {
  await createBoard(world, "board", definition);
  expect(await refusedBy(100, "a")).toEqual([]);
  world.advance(hours * hourMs);
  expect(await refusedBy(100, "a")).toEqual([]);
});

test("nor where the player has played in the new season", async () => {
  await createBoard(world, "board", board);
  await refusedBy(100, "a");
  world.advance(24 * hourMs);
  await refusedBy(10, "b");
  expect(await refusedBy(100, "a")).toEqual([]);
});

test("a day that came after the refusal does not say that it refused it", async () => {
  await createBoard(world, "board", { ...board, min_score: 0 });
  await refusedBy(100, "a");
  world.advance(24 * hourMs);
  expect(await refusedBy(-5, "b")).toEqual([["daily-2100-01-03", "score_out_of_range"]]);
  world.advance(24 * hourMs);
  expect((await refusedBy(-5, "b")).map(([season]) => season)).not.toContain("daily-2100-01-04");
});

test("nor does a span that the board got since", async () => {
  await createBoard(world, "board", { ...board, spans: ["all_time"] });
  await refusedBy(100, "a");
  await createBoard(world, "board", board);
  world.advance(120_000);
  expect(await refusedBy(100, "a")).toEqual([]);
});
