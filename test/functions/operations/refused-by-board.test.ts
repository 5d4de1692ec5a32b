/** Submissions that a board's own rules refuse, alone and in a batch. */
import { expect, test } from "vitest";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { submissionsPerCallMax } from "../../../functions/src/model/limits.ts";
import { type Refused } from "../../../functions/src/operations/submit-scores.ts";
import { expectRefusal, outOfRange, pathsOf } from "../../support/refusals.ts";
import { callOn, admin, allTime, createBoard, user, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const board = (definition: Parameters<typeof createBoard>[2]) => createBoard(world, "board", definition);
const submit = (score: number, player = "ann", more: object = {}) =>
  world.call("submitScore", { leaderboard: "board", score, ...more }, user(player));
const submitMany = (submissions: unknown[]) =>
  callOn(world.services, "submitScores", { leaderboard: "board", submissions }, admin);
const hasSeason = async () => (await world.db.doc(seasonPath(key)).get()).exists;

test.each<
  [what: string, definition: Parameters<typeof createBoard>[2], taken: number | undefined, refused: number[]]
>([
  ["outside min_score and max_score", { min_score: -5, max_score: 5 }, undefined, [-5.000001, 2 ** 53 - 1]],
  ["further from the last than max_change", { aggregation: "latest", max_change: 10 }, 1_000, [1_010.5, 989]],
  ["above max_change for a first sum", { aggregation: "sum", max_change: 60 }, undefined, [61]],
  ["to a sum above max_score", { aggregation: "sum", max_score: 100 }, 60, [41]],
  ["to a sum beyond 2^53 - 1", { aggregation: "sum" }, 2 ** 53 - 1, [1, 2]],
])("a score %s is refused, and opens no season", async (_what, definition, taken, refused) => {
  await board(definition);
  if (taken !== undefined) await submit(taken);
  for (const score of refused) await expectRefusal(world, outOfRange("score"), () => submit(score));
  expect(await hasSeason()).toBe(taken !== undefined);
});

test("a sum of columns outside a column's range is refused, even the first one, which opens no season", async () => {
  await board({ aggregation: "sum", columns: [{ name: "points", min: 0, max: 10 }] });
  const add = (points: number) =>
    world.call("submitScore", { leaderboard: "board", columns: { points } }, user("ann"));
  for (const points of [11, -1]) await expectRefusal(world, outOfRange("columns.points"), () => add(points));
  expect(await hasSeason()).toBe(false);
  await add(10);
  await expectRefusal(world, outOfRange("columns.points"), () => add(1));
});

test("a submission too soon after the last is refused, and the error says how long to wait", async () => {
  await board({ min_seconds_between: 10 });
  await submit(1);
  world.advance(7_500);
  const error = await expectRefusal(world, "too_frequent", () => submit(2));
  expect(error.details).toEqual({ retry_after_seconds: 3 });
  world.advance(2_500);
  expect(await submit(2)).toMatchObject({ seasons: [{ score: 2 }] });
});

test("a submission after the last attempt is refused", async () => {
  await board({ max_attempts: 2 });
  await submit(5);
  await submit(3); // does not improve, but still counts as an attempt
  await expectRefusal(world, "too_many_attempts", () => submit(9));
});

test("a player's own submission to a board that takes scores from its server only is refused", async () => {
  await board({ submit: "server" });
  await expectRefusal(world, "server_scores_only", () => submit(1));
  expect(await submitMany([{ player: "ann", score: 1 }])).toMatchObject({ results: [{ player: "ann" }] });
});

test("a batch of nothing but bad submissions writes nothing", async () => {
  await board({ max_score: 9 });
  const bad = [
    null,
    {},
    { player: "ann", score: NaN },
    { player: "a/b", score: 1 },
    { player: "ann", score: 10 },
  ];
  const { result, bill } = await world.meter.measure(() => submitMany(bad));
  expect(result.results.map(refusalIn)).toEqual([
    "invalid_request: submissions.0",
    "invalid_request: submissions.1.player",
    "invalid_request: submissions.2.score",
    "invalid_request: submissions.3.player",
    "score_out_of_range: submissions.4.score",
  ]);
  expect(bill).toMatchObject({ writes: 0, deletes: 0 });
  expect(await hasSeason()).toBe(false);
});

test("in a batch invalid submissions do not affect the others, and the results stay in order", async () => {
  await board({ max_score: 600 });
  const bad = [
    { player: "__id__", score: 1 },
    { player: "p1", score: "1" },
    { player: "p1", score: 601 },
    { player: "p1", columns: { points: 1 } },
    { player: "p1", score: 1, metadata: { text: "x".repeat(1_024) } },
    { player: "p1", score: 1, rank: 1 },
    "p1",
  ];
  const submissions = Array.from({ length: submissionsPerCallMax }, (_, i) =>
    i % 10 === 3 ? bad[Math.floor(i / 10) % bad.length] : { player: `p${i}`, score: i },
  );
  const { results } = await submitMany(submissions);
  expect(results).toHaveLength(submissionsPerCallMax);
  results.forEach((result, i) => {
    if (i % 10 === 3) expect(refusalIn(result)).toMatch(new RegExp(`: submissions\\.${i}(\\.|$)`));
    else expect(result).toMatchObject({ player: `p${i}`, seasons: [{ score: i }] });
  });
});

function refusalIn(result: object): string {
  if (!("error" in result)) return "taken";
  const { error } = result as Refused;
  return `${error.code}: ${pathsOf(error).join(", ")}`;
}
