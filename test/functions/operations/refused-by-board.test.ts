/** Submissions that a board's own rules refuse, alone and in a batch. */
import { expect, test } from "vitest";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import type { ErrorCode } from "../../../functions/src/model/errors.ts";
import { submissionsPerCallMax } from "../../../functions/src/model/limits.ts";
import { type Refused } from "../../../functions/src/operations/submit-scores.ts";
import { expectRefusal, outOfRange, pathsOf, type Refusal } from "../../support/refusals.ts";
import { callOn, admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
type Definition = Parameters<typeof createBoard>[2];
const board = (definition: Definition) => createBoard(world, "board", definition);
const submit = (score: number) => world.submit("ann", score);
const submitMany = (submissions: unknown[]) =>
  callOn(world.services, "submitScores", { leaderboard: "board", submissions }, admin);
const hasSeason = async () => (await world.db.doc(seasonPath(key)).get()).exists;

test.each<
  [what: string, definition: Definition, taken: number[], refused: number, refusal: ErrorCode | Refusal]
>([
  ["outside the bounds", { min_score: -5, max_score: 5 }, [], -5.000001, outOfRange("score")],
  ["too far from the last", { aggregation: "latest", max_change: 10 }, [1_000], 989, outOfRange("score")],
  ["to a sum beyond 2^53 - 1", { aggregation: "sum" }, [2 ** 53 - 1], 1, outOfRange("score")],
  ["too soon after the last", { min_seconds_between: 10 }, [1], 2, "too_frequent"],
  // One that does not improve counts as an attempt too.
  ["after the last attempt", { max_attempts: 2 }, [5, 3], 9, "too_many_attempts"],
  ["of a player where only the server sends them", { submit: "server" }, [], 1, "server_scores_only"],
])("a score %s is refused, and opens no season", async (_what, definition, taken, refused, refusal) => {
  await board(definition);
  for (const score of taken) await submit(score);
  await expectRefusal(world, refusal, () => submit(refused));
  expect(await hasSeason()).toBe(taken.length > 0);
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
