/** Players' ids of all kinds on their way through the trigger, which gets them in an HTTP header. */
import { expect, test } from "vitest";
import { useLive } from "../../support/live.ts";

const live = useLive();

const ids = ["Jürgen X", "玩家", "😀", "a+b%20c", "ann@example.com", "#1?", "it's"];

test("players are ranked whatever letters their ids have, and unranked when they go", async () => {
  const board = await live.board({ aggregation: "latest" });
  const { leaderboard } = board;
  const submissions = ids.map((player, i) => ({ player, score: 10 * i }));
  await live.admin.call("submitScores", { leaderboard, submissions });
  expect(await board.rank()).toMatchObject({ players: ids.length });
  for (const [i, player] of ids.entries()) {
    expect(await board.rankOf({ player })).toMatchObject({ player, rank: ids.length - i });
  }

  await live.admin.call("submitScores", { leaderboard, submissions: [{ player: "玩家", score: 1_000 }] });
  await live.admin.call("removePlayer", { player: "😀", leaderboard });
  expect(await board.rank()).toMatchObject({ players: ids.length - 1 });
  expect(await board.rankOf({ player: "玩家" })).toMatchObject({ rank: 1 });
});
