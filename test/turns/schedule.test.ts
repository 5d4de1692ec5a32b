/** The way of a score to a rank by itself: the trigger, the schedule, the task. */
import { expect, test } from "vitest";
import { runPath, seasonPath } from "../../functions/src/documents/paths.ts";
import { addressesIn } from "../../scripts/callable-client.ts";
import { startClock } from "../../scripts/clock.ts";
import { useLive, eventually } from "../support/live.ts";

const live = useLive();

test("the schedule leads to a published ranking, and to nothing more while nothing changes", async () => {
  const board = await live.board({ ranking_interval_minutes: 0.05 });
  const { key, leaderboard } = board;
  await board.submit({ ann: 1, bob: 2 });
  const problems: string[] = [];
  const { functions } = addressesIn(process.env);
  const clock = startClock(functions, 1_000, (problem) => problems.push(problem));
  try {
    const season = await eventually(async () => {
      const found = await live.db.doc(seasonPath(key)).get();
      expect(found.get("ranking.players")).toBe(2);
      return found;
    });
    const generation = Number(season.get("ranking.generation"));
    expect(await board.top()).toEqual([
      ["bob", 1, 1],
      ["ann", 2, 2],
    ]);
    expect(await board.rankOf({ player: live.uid("ann") })).toMatchObject({ rank: 2, players: 2 });
    const runs = await live.db.collection(runPath(key, "any").replace(/\/any$/, "")).get();
    expect(runs.docs.map((run) => run.get("outcome") as unknown)).toEqual(
      Array.from({ length: generation }, () => "published"),
    );

    // A further score goes the same way, in the next generation.
    await board.submit({ cyd: 3 });
    await eventually(async () => {
      expect((await live.admin.call("getTop", { leaderboard })).players).toBe(3);
    });
    // The top may show the score before the ranking does.
    await eventually(async () => {
      const found = await live.db.doc(seasonPath(key)).get();
      expect(found.get("ranking.players")).toBe(3);
      expect(found.get("ranking.generation")).toBe(generation + 1);
    });
  } finally {
    await clock.stop();
  }
  expect(problems).toEqual([]);
});
