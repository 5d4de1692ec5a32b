/**
 * A commit with several submissions of a player goes through, and its answer is lost. One of them left the score as it was,
 * so the document does not know its id: it must not be applied again after those that came after it.
 */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { failure, watchCommits } from "../../support/commits.ts";
import { admin, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

async function play(definition: object, [first, ...two]: readonly number[], isLost: boolean) {
  const key = await createBoard(world, "board", definition);
  await world.submit("ann", first ?? 0);
  world.advance(10_000);
  let isOver = !isLost;
  watchCommits(world, async (_writes, perform) => {
    const done = await perform();
    if (isOver) return done;
    isOver = true;
    throw failure("unavailable");
  });
  const submissions = two.map((score) => ({ player: "ann", score }));
  const { results } = await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  const said = results.map((one) => ("error" in one ? one.error.code : one.seasons[0]?.score));
  return [...said, (await world.db.doc(playerPath(key, "ann")).get()).get("score")];
}

test.each([false, true])("latest: the same score, and then another; the answer is lost: %s", async (isLost) => {
  expect(await play({ aggregation: "latest" }, [50, 50, 65], isLost)).toEqual([50, 65, 65]);
});

test.each([{}, { max_change: 20 }])("best with %s: the name as it was, and then another one", async (limits) => {
  const key = await createBoard(world, "board", { aggregation: "best", ...limits });
  await world.call("submitScores", { leaderboard: "board", submissions: [{ player: "ann", score: 50, display_name: "Ann" }] }, admin);
  world.advance(10_000);
  let isOver = false;
  watchCommits(world, async (_writes, perform) => {
    const done = await perform();
    if (isOver) return done;
    isOver = true;
    throw failure("unavailable");
  });
  const submissions = ["Ann", "Beth"].map((name) => ({ player: "ann", score: 50, display_name: name }));
  await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  expect((await world.db.doc(playerPath(key, "ann")).get()).get("display_name")).toBe("Beth");
});
