/** Boards from the first score to the rank, as apps and trusted servers use them: everything real, nothing called by hand. */
import { expect, test } from "vitest";
import { playerPath, receiptPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { codeOf, useLive, eventually } from "../../support/live.ts";

const live = useLive();

test("tied leaders share rank 1, and the next player is third", async () => {
  const board = await live.board();
  const { leaderboard } = board;
  const ann = await live.as("ann");
  const first = await ann.call("submitScore", {
    leaderboard,
    score: 50,
    display_name: "Ann",
    metadata: { from: "AT" },
  });
  expect(first.seasons).toMatchObject([
    { season: "all_time", score: 50, improved: true, attempts: 1, rank: null },
  ]);
  await board.submit({ bob: 50, cyd: 30, dan: 10 });
  expect(await board.rank()).toMatchObject({
    outcome: "published",
    generation: 1,
    players: 4,
    rows: 3,
    exact: true,
  });

  expect(await board.top()).toEqual([
    ["ann", 1, 1],
    ["bob", 1, 2],
    ["cyd", 3, 3],
    ["dan", 4, 4],
  ]);
  const ranks = await Promise.all(
    ["ann", "bob", "cyd", "dan"].map((name) => board.rankOf({ player: live.uid(name) })),
  );
  expect(ranks.map(({ rank, dense_rank: dense }) => [rank, dense])).toEqual([
    [1, 1],
    [1, 1],
    [3, 2],
    [4, 3],
  ]);
  expect(ranks.map(({ percentile }) => Math.round(percentile))).toEqual([100, 100, 33, 0]);
  expect(ranks[2]).toMatchObject({
    ...board.key,
    score: 30,
    exact: true,
    rank_best: 3,
    rank_worst: 3,
    players: 4,
    freshness: "published",
  });
  expect(await ann.call("getRank", { leaderboard })).toMatchObject({ player: live.uid("ann"), rank: 1 });
  const { entries, lowest_score: lowest } = await ann.call("getTop", { leaderboard, limit: 1 });
  expect(entries).toMatchObject([{ score: 50, display_name: "Ann", metadata: { from: "AT" } }]);
  expect(lowest).toBeNull();
});

test("a player deleted by a trusted server leaves the ranking, and comes back when created again", async () => {
  const board = await live.board();
  const { leaderboard, key } = board;
  await board.submit({ ann: 9, bob: 7 });
  await board.rank();
  const document = live.db.doc(playerPath(key, live.uid("ann")));
  await document.delete();
  // Only the receipt shows that the deletion was followed.
  const receipts = live.db.doc(receiptPath(key, "any")).parent;
  await eventually(async () => {
    expect((await receipts.get()).size).toBe(1);
  });
  expect(await board.rank()).toMatchObject({ generation: 2, players: 1, rows: 1 });
  expect(await board.top()).toEqual([["bob", 1, 1]]);
  await expect(codeOf((await live.as("ann")).call("getRank", { leaderboard }))).resolves.toBe(
    "player_not_ranked",
  );

  await document.set({ score: 5 });
  expect(await board.rank()).toMatchObject({ generation: 3, players: 2, rows: 2 });
  expect(await board.top()).toEqual([
    ["bob", 1, 1],
    ["ann", 2, 2],
  ]);
  expect(await board.rankOf({ player: live.uid("ann") })).toMatchObject({ score: 5, rank: 2 });
});

test("a trusted server's own document, nothing but a score, opens the season and is ranked", async () => {
  const board = await live.board();
  const { leaderboard, key } = board;
  const document = live.db.doc(playerPath(key, live.uid("ann")));
  await document.set({ score: 12 });
  await eventually(async () => {
    expect((await live.db.doc(seasonPath(key)).get()).get("status")).toBe("open");
    expect((await document.get()).data()).toMatchObject({ score: 12, status: "active", achieved_at: {} });
  });
  expect(await board.rank()).toMatchObject({ generation: 1, players: 1 });
  expect(await board.rankOf({ player: live.uid("ann") })).toMatchObject({ score: 12, rank: 1 });
  const better = await (await live.as("ann")).call("submitScore", { leaderboard, score: 13 });
  expect(better.seasons).toMatchObject([{ score: 13, improved: true, attempts: 1 }]);
});

test("a score that is not a finite number does not count, shows in the run record, and can be corrected", async () => {
  const board = await live.board();
  const { leaderboard, key } = board;
  await board.submit({ ann: 1 });
  const bad = { bob: "12", cyd: NaN, dan: 2 ** 54 };
  for (const [name, score] of Object.entries(bad))
    await live.db.doc(playerPath(key, live.uid(name))).set({ score });
  expect(await board.rank()).toMatchObject({ players: 1, found: { unusable_scores: 3 } });
  expect(await board.top()).toEqual([["ann", 1, 1]]);
  const unusable = await live.db.doc(playerPath(key, live.uid("bob"))).get();
  expect(unusable.get("counted")).toMatchObject({ score: null, unusable: true });
  await expect(codeOf((await live.as("cyd")).call("getRank", { leaderboard }))).resolves.toBe(
    "player_not_ranked",
  );

  for (const name of ["bob", "cyd"]) await live.db.doc(playerPath(key, live.uid(name))).update({ score: 12 });
  expect(await board.rank()).toMatchObject({ players: 3, found: { unusable_scores: 1 } });
  const top = await board.top();
  expect(top.map(([player, rank]) => [player, rank]).sort()).toEqual([
    ["ann", 3],
    ["bob", 1],
    ["cyd", 1],
  ]);
});
