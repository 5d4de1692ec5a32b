/** Scores that a device kept over the end of a season: they count in the season in which they arrive. */
import { expect, test } from "vitest";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { playerPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import type { Services } from "../../../functions/src/operations/services.ts";
import { submitScoreRequest } from "../../../functions/src/operations/submit-score.ts";
import { callOn, createBoard, createWorld, user } from "../../support/world.ts";

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
    world.call("submitScore", { leaderboard: "board", score, submission_id: id }, user("ann"));
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

test("what a closing overtakes counts for the next season of its span when it is sent again", async () => {
  const world = createWorld();
  await createBoard(world, "board", { spans: ["daily"] });
  const submit = (services: Services) =>
    callOn(
      services,
      "submitScore",
      submitScoreRequest.parse({ leaderboard: "board", score: 7, submission_id: "only" }),
      user("ann"),
    );
  await world.call("submitScore", { leaderboard: "board", score: 1 }, user("bob"));
  world.advance(12 * hour);
  const cameMs = world.services.now() - 1_000;
  await stepEnd(world.services, { leaderboard: "board", season: firstDay, step: 1 });
  await expect(submit({ ...world.services, now: () => cameMs })).rejects.toMatchObject({
    code: "contention",
    message: expect.stringContaining("nothing was recorded; send it again") as unknown,
  });
  expect(await submit(world.services)).toMatchObject({ seasons: [{ season: secondDay, score: 7 }] });
});

test("a damaged season of yesterday refuses nobody today", async () => {
  const world = createWorld();
  await createBoard(world, "board", { spans: ["daily"] });
  const submit = (score: number) =>
    world.call("submitScore", { leaderboard: "board", score, submission_id: `id-${score}` }, user("ann"));
  await submit(7);
  await world.db.doc(seasonPath({ leaderboard: "board", season: firstDay })).update({ opens_at: "long ago" });
  // Within the first quarter of an hour, in which a score may have been sent to yesterday's season before.
  world.advance(12 * hour + 60_000);
  expect(await submit(9)).toMatchObject({ seasons: [{ season: secondDay, score: 9 }] });
});
