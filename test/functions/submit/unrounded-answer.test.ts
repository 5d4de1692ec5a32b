/** The answer to a submission has a server's value as the board ranks it, also where the submission changes nothing. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const leaderboard = "board";
const world = eachWorld();
const noisy = 0.1 + 0.2;

test("the answer to a submission that is sent again", async () => {
  await createBoard(world, leaderboard, { decimals: 1, order: "ascending" });
  await world.call("submitScore", { leaderboard, score: 0.3 }, user("ann"));
  const sent = { leaderboard, score: 0.5, submission_id: "x" };
  await world.call("submitScore", sent, user("bob"));
  await world.publish(allTime(leaderboard));
  await world.db.doc(playerPath(allTime(leaderboard), "bob")).update({ score: noisy });
  const { seasons } = await world.call("submitScore", sent, user("bob"));
  expect(seasons).toMatchObject([{ repeated: true, score: 0.3, rank: { score: 0.3, rank: 1 } }]);
});

test("the answer of a season where the attempts are used up", async () => {
  const spans = ["all_time", "daily"] as const;
  await createBoard(world, leaderboard, {
    decimals: 1,
    order: "ascending",
    spans: [...spans],
    max_attempts: { daily: 1 },
  });
  const submit = () => world.call("submitScore", { leaderboard, score: 0.5 }, user("bob"));
  const [, daily] = (await submit()).seasons;
  const season = daily?.season ?? "";
  await world.db.doc(playerPath({ leaderboard, season }, "bob")).update({ score: noisy });
  const { seasons } = await submit();
  expect(seasons[1]).toMatchObject({ season, error: { code: "too_many_attempts" }, score: 0.3 });
});

test("the columns of an answer are those of its score, whatever a server has left beside it", async () => {
  const points = { name: "points", min: 0, max: 9, order: "descending" as const };
  await createBoard(world, leaderboard, { columns: [points] });
  const submit = () => world.call("submitScore", { leaderboard, columns: { points: 1 } }, user("bob"));
  await submit();
  await world.db.doc(playerPath(allTime(leaderboard), "bob")).update({ score: 7 });
  const [answer] = (await submit()).seasons;
  expect(answer).toMatchObject({ improved: false, score: 7, columns: { points: 7 } });
});
