/**
 * A commit with several submissions of a player goes through, and its answer is lost. What it refused stays refused, though
 * by what came after it in the same commit it would be allowed now: "a player's submissions apply in their order".
 */
import { expect, test } from "vitest";
import { allTime, admin, createBoard, eachWorld } from "../../support/world.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { failure, watchCommits } from "../../support/commits.ts";

const world = eachWorld();

/** What two scores of ann come to after a first one, in one call: a score or a refusal for each, and what is stored. */
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
  const submissions = two.map((score, i) => ({ player: "ann", score, submission_id: `s${i}` }));
  const { results } = await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  const said = results.map((one) => ("error" in one ? one.error.code : one.seasons[0]?.score));
  return [...said, (await world.db.doc(playerPath(allTime(key.leaderboard), "ann")).get()).get("score")];
}

test.each([
  ["latest, with max_change", { aggregation: "latest", max_change: 20 }, [50, 75, 65], 65],
  ["best, with max_change", { aggregation: "best", max_change: 20 }, [50, 75, 65], 65],
  ["sum, with max_score", { aggregation: "sum", max_score: 30 }, [15, 20, -10], 5],
])("a board of the %s", async (_name, definition, scores, stored) => {
  expect(await play(definition, scores, false)).toEqual(["score_out_of_range", stored, stored]);
});

test.each([
  ["latest, with max_change", { aggregation: "latest", max_change: 20 }, [50, 75, 65], 65],
  ["best, with max_change", { aggregation: "best", max_change: 20 }, [50, 75, 65], 65],
  ["sum, with max_score", { aggregation: "sum", max_score: 30 }, [15, 20, -10], 5],
])("a board of the %s, where the answer of the commit is lost", async (_name, definition, scores, stored) => {
  expect(await play(definition, scores, true)).toEqual(["score_out_of_range", stored, stored]);
});
