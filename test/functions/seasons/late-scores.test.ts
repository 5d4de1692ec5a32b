/** Scores that a device kept over the end of a season: they count in the season in which they arrive. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { submitScoreSpec } from "../../../functions/src/operations/submit-score.ts";
import { createBoard, createWorld, user } from "../../support/world.ts";

const hour = 3_600_000;
const [firstDay, secondDay] = ["daily-2100-01-02", "daily-2100-01-03"];

test.each([
  ["best", { first: 7, second: 9, ever: 9 }],
  ["latest", { first: 7, second: 5, ever: 5 }],
  ["sum", { first: 7, second: 14, ever: 21 }],
] as const)("by %s yesterday's scores count for today and for all time", async (aggregation, expected) => {
  const world = createWorld();
  await createBoard(world, "board", { aggregation, spans: ["all_time", "daily"] });
  const submit = (score: number, id: string) =>
    world.call(submitScoreSpec, { leaderboard: "board", score, submission_id: id }, user("ann"));
  const scoreIn = async (season: string): Promise<unknown> =>
    (await world.db.doc(playerPath({ leaderboard: "board", season }, "ann")).get()).get("score");

  await submit(7, "in time");
  world.advance(24 * hour);
  for (const [score, id] of [
    [9, "late"],
    [5, "later"],
    [9, "late"],
  ] as const)
    await submit(score, id);
  expect({
    first: await scoreIn(firstDay),
    second: await scoreIn(secondDay),
    ever: await scoreIn("all_time"),
  }).toEqual(expected);
});
