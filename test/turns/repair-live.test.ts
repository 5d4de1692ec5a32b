/** The repairs as they are deployed: callables over HTTP. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { pagePath } from "../../functions/src/documents/paths.ts";
import { createLive, type Live } from "../support/live.ts";

let live: Live;
beforeAll(async () => {
  live = await createLive();
});
afterAll(() => live.end());

test("an audit says that a damaged board needs a repair, and a repair mends it", async () => {
  const board = await live.board();
  const { key, leaderboard } = board;
  await board.submit({ ann: 1, bob: 2 });
  await board.rank();
  await live.db.doc(pagePath(key, 0)).update({ players: 7 });
  expect(await live.admin.call("auditSeason", { leaderboard })).toMatchObject({ repair: "repair" });
  expect(await live.admin.call("repairSeason", { leaderboard })).toMatchObject({ outcome: "done" });
  expect(await live.admin.call("auditSeason", { leaderboard, full: true })).toMatchObject({ repair: "none" });
  expect(await board.rankOf({ player: live.uid("ann") })).toMatchObject({ rank: 2, players: 2 });
});

test("a player is hidden, shown again and erased by calls", async () => {
  // So that the calls change the top, and not the refreshes that follow the events of their writes.
  const board = await live.board({ top_refresh_seconds: 60 });
  const { leaderboard } = board;
  await board.submit({ ann: 1, bob: 2 });
  await board.rank();
  const player = live.uid("bob");
  await live.admin.call("setPlayerStatus", { leaderboard, player, status: "hidden" });
  expect(await board.top()).toEqual([["ann", 1, 1]]);
  await live.admin.call("setPlayerStatus", { leaderboard, player, status: "active" });
  await board.rank();
  expect(await board.top()).toHaveLength(2);
  expect(await live.admin.call("removePlayer", { leaderboard, player })).toMatchObject({
    removed: [{ player: true, top: true }],
  });
  expect(await board.top()).toEqual([["ann", 1, 1]]);
});
