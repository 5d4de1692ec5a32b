/** An edge between two steps of a board with `decimals`. */
import { expect, test } from "vitest";
import { createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

test("a bin has only players whose scores lie in it", async () => {
  const key = await createBoard(world, "board", { decimals: 0 });
  await world.call("submitScore", { leaderboard: "board", score: 1 }, user("ann"));
  await world.publish(key);
  const range = { best: 0.6, worst: 0.6 };
  const { bins, better, exact } = await world.call(
    "getHistogram",
    { leaderboard: "board", ...range },
    user("ann"),
  );
  const inBins = bins
    .filter(({ from, to }) => from >= 1 && to <= 1)
    .reduce((sum, { players }) => sum + players, 0);
  expect({
    inBins,
    better,
    exact,
    all: bins.reduce((sum, { players }) => sum + players, 0) + better,
  }).toEqual({
    inBins: bins.some(({ from }) => from >= 1) ? 1 : 0,
    better: bins.some(({ from }) => from >= 1) ? 0 : 1,
    exact: true,
    all: 1,
  });
});
