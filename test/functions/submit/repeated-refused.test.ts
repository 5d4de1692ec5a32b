/** A total that one span refuses counts nowhere there, also where the submission is sent again. */
import { expect, test } from "vitest";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

/** Each season with its score and the code of its refusal. */
async function play(score: number, id: string) {
  const { seasons } = await world.submit("ann", score, { submission_id: id });
  return seasons.map(({ season, score: total, error }) => [season, total, ...(error ? [error.code] : [])]);
}

const board = { spans: ["all_time" as const, "daily" as const], aggregation: "sum" as const };
const hourMs = 3_600_000;

test.each([
  ["a minute after midnight", 12 * hourMs + 60_000],
  ["at noon", 24 * hourMs],
])("the same is answered, of the same seasons, %s", async (_when, laterMs) => {
  await createBoard(world, "board", { ...board, min_score: 0 });
  await play(100, "a");
  world.advance(laterMs);
  const first = await play(-5, "b");
  expect(first).toEqual([
    ["all_time", 95],
    ["daily-2100-01-03", 0, "score_out_of_range"],
  ]);
  expect(await play(-5, "b")).toEqual(first);
});

test("it still counts nowhere once the total is not too high any more", async () => {
  await createBoard(world, "board", { ...board, max_score: 105 });
  await play(100, "a");
  world.advance(24 * hourMs);
  expect(await play(10, "b")).toContainEqual(["all_time", 100, "score_out_of_range"]);
  await play(-20, "c");
  expect(await play(10, "b")).toContainEqual(["all_time", 80, "score_out_of_range"]);
});

test("a day does not say that it refused it, once nothing tells whether it had begun then", async () => {
  await createBoard(world, "board", { ...board, min_score: 0 });
  await play(100, "a");
  world.advance(24 * hourMs);
  expect(await play(-5, "b")).toContainEqual(["daily-2100-01-03", 0, "score_out_of_range"]);
  await play(10, "c");
  expect(await play(-5, "b")).toContainEqual(["daily-2100-01-03", 10]);
});
