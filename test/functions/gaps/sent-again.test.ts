/** A known gap of docs/simulation.md, "Known and not fixed": a submission that is sent again after a season's end. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const leaderboard = "board";

async function storedScore(season: string): Promise<unknown> {
  return (await world.db.doc(playerPath({ leaderboard, season }, "ann")).get()).get("score");
}

// "A submission that is sent again may reach an instance whose clock is behind by more than the time in between. It may
// then also count in the season before."
test("gap: a submission that is sent again to an instance whose clock is behind also counts in the day before", async () => {
  await createBoard(world, leaderboard, { spans: ["daily"], aggregation: "sum" });
  const slow = world.anotherInstance();
  const submission = { leaderboard, score: 5, submission_id: "one" };
  await callOn(slow, "submitScore", { leaderboard, score: 1 }, user("ann"));
  // Two seconds after midnight; the other instance's clock is five seconds behind.
  world.advance(12 * 3_600_000 + 2_000);
  await world.call("submitScore", submission, user("ann"));
  const behind = { ...slow, now: () => world.services.now() - 5_000 };
  const again = await callOn(behind, "submitScore", submission, user("ann"));
  expect(again.seasons).toMatchObject([{ season: "daily-2100-01-02", score: 6 }]);
  expect(again.seasons[0]).not.toHaveProperty("repeated");
  expect([await storedScore("daily-2100-01-02"), await storedScore("daily-2100-01-03")]).toEqual([6, 5]);
});
