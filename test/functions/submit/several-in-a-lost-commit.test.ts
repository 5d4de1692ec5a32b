/**
 * A commit with several submissions of a player goes through, and its answer is lost. What it refused stays refused, though
 * by what came after it in the same commit it would be allowed now: "a player's submissions apply in their order".
 */
import { describe, expect, test } from "vitest";
import { allTime, admin, createBoard, eachWorld } from "../../support/world.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { loseAnswer } from "../../support/commits.ts";

const world = eachWorld();

const boards: Record<
  string,
  [definition: object, scores: [first: number, ...two: number[]], stored: number]
> = {
  "latest, with max_change": [{ aggregation: "latest", max_change: 20 }, [50, 75, 65], 65],
  "best, with max_change": [{ aggregation: "best", max_change: 20 }, [50, 75, 65], 65],
  "sum, with max_score": [{ aggregation: "sum", max_score: 30 }, [15, 20, -10], 5],
  // Sent again it would be too frequent, of which a caller is told to try again.
  "latest, with a time between": [
    { aggregation: "latest", max_change: 20, min_seconds_between: 1 },
    [50, 75, 65],
    65,
  ],
};

describe.each(Object.entries(boards))("a board of the %s", (_, [definition, [first, ...two], stored]) => {
  test.each([
    ["where its answer comes", { isLost: false, hasIds: true }],
    ["where its answer is lost", { isLost: true, hasIds: true }],
    ["where its answer is lost, without ids", { isLost: true, hasIds: false }],
  ])("%s", async (_, { isLost, hasIds }) => {
    await createBoard(world, "board", definition);
    await world.submit("ann", first);
    world.advance(10_000);
    if (isLost) loseAnswer(world);
    const submissions = two.map((score, i) => ({
      player: "ann",
      score,
      ...(hasIds && { submission_id: `s${i}` }),
    }));
    const { results } = await world.call("submitScores", { leaderboard: "board", submissions }, admin);
    const said = results.map((one) => ("error" in one ? one.error.code : one.seasons[0]?.score));
    expect(said).toEqual(["score_out_of_range", stored]);
    expect((await world.db.doc(playerPath(allTime("board"), "ann")).get()).get("score")).toBe(stored);
  });
});

// What an attempt left unchanged is in no document: after what came later it would change something.
test("the same score, and then another: the other one stays, where the answer is lost", async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  await world.submit("ann", 50);
  loseAnswer(world);
  const submissions = [50, 65].map((score) => ({ player: "ann", score }));
  const { results } = await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  expect(results).toMatchObject([{ seasons: [{ score: 50 }] }, { seasons: [{ score: 65 }] }]);
  expect((await world.db.doc(playerPath(allTime("board"), "ann")).get()).get("score")).toBe(65);
});

test.each([{}, { max_change: 20 }])(
  "best with %o: a name, and then another: the other one stays",
  async (limits) => {
    await createBoard(world, "board", { aggregation: "best", ...limits });
    await world.submit("ann", 50, { display_name: "Ann" });
    world.advance(10_000);
    loseAnswer(world);
    const submissions = ["Ann", "Beth"].map((name) => ({ player: "ann", score: 50, display_name: name }));
    await world.call("submitScores", { leaderboard: "board", submissions }, admin);
    expect((await world.db.doc(playerPath(allTime("board"), "ann")).get()).get("display_name")).toBe("Beth");
  },
);
