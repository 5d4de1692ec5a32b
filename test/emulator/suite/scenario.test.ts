/** Boards from the first score to the rank, as apps and trusted servers use them: everything real, nothing called by hand. */
import { expect, test } from "vitest";
import { playerPath, receiptPath } from "../../../functions/src/documents/paths.ts";
import { soon, useLive } from "../../support/live.ts";

const live = useLive();

test("a trusted server's documents open the season, count if they can, and leave the top without a run when they are deleted", async () => {
  const board = await live.board();
  const top = async () => (await board.top()).map(([player, rank]) => `${player} ${rank}`);
  const of = (name: string) => live.db.doc(playerPath(board.key, live.uid(name)));
  await of("ann").set({ score: 9 });
  await soon(async () => (await of("ann").get()).data()).toMatchObject({ status: "active", achieved_at: {} });
  await board.submit({ bob: 7 });
  for (const [name, score] of Object.entries({ cyd: "12", dan: NaN, eve: 2 ** 54 }))
    await of(name).set({ score });
  expect(await board.rank()).toMatchObject({ players: 2, found: { unusable_scores: 3 } });
  expect(await top()).toEqual(["ann 1", "bob 2"]);

  await of("ann").delete();
  // Only the receipt shows that the deletion was followed.
  const receipts = live.db.doc(receiptPath(board.key, "any")).parent;
  await soon(async () => (await receipts.get()).size).toBe(1);
  await soon(top).toEqual(["bob 1"]);
  expect(await board.rank()).toMatchObject({ generation: 2, players: 1, rows: 1 });

  await of("ann").set({ score: 5 });
  await of("cyd").update({ score: 12 });
  expect(await board.rank()).toMatchObject({ generation: 3, players: 3, found: { unusable_scores: 2 } });
  expect(await top()).toEqual(["cyd 1", "bob 2", "ann 3"]);
});

// The trigger gets an id in an HTTP header.
test("players are ranked whatever letters their ids have, and unranked when they go", async () => {
  const ids = ["Jürgen X", "玩家", "😀", "a+b%20c", "ann@example.com", "#1?", "it's"];
  const board = await live.board({ aggregation: "latest" });
  const { leaderboard } = board;
  const submissions = ids.map((player, i) => ({ player, score: 10 * i }));
  await live.admin.call("submitScores", { leaderboard, submissions });
  expect(await board.rank()).toMatchObject({ players: ids.length });
  for (const [i, player] of ids.entries())
    expect(await board.rankOf({ player })).toMatchObject({ player, rank: ids.length - i });
  await live.db.doc(playerPath(board.key, "玩家")).update({ score: 1_000 });
  await live.admin.call("removePlayer", { player: "😀", leaderboard });
  expect(await board.rank()).toMatchObject({ players: ids.length - 1 });
  expect(await board.rankOf({ player: "玩家" })).toMatchObject({ rank: 1 });
});
