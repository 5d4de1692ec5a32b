/** Boards from the first score to the rank, as apps and trusted servers use them: everything real, nothing called by hand. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { playerPath, receiptPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { codeOf, createLive, eventually, type Live } from "../../support/live.ts";

let live: Live;
beforeAll(async () => {
  live = await createLive();
});
afterAll(() => live.end());

test("a board without scores has an empty top, and a player without a score gets an error that says so", async () => {
  const board = await live.board();
  const { leaderboard } = board;
  expect(await live.admin.call("getTop", { leaderboard })).toMatchObject({
    entries: [],
    players: 0,
    generation: 0,
  });
  await expect(codeOf(live.admin.call("getRank", { leaderboard, player: "nobody" }))).resolves.toBe(
    "player_not_ranked",
  );
  const ann = await live.as("ann");
  await expect(codeOf(ann.call("getRank", { leaderboard }))).resolves.toBe("player_not_ranked");
  await expect(codeOf(ann.call("getRank", { leaderboard, score: 5 }))).resolves.toBe("player_not_ranked");
  expect(await live.admin.call("runRanking", { leaderboard })).toMatchObject({ outcome: "nothing_to_do" });
});

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

test("scores that rise, fall, stay, become zero, negative or fractional move players to their new ranks", async () => {
  const board = await live.board({ aggregation: "latest" });
  const { leaderboard } = board;
  await board.submit({ ann: 50, bob: 50, cyd: 30, dan: 10 });
  await board.rank();
  expect(await board.top()).toEqual([
    ["ann", 1, 1],
    ["bob", 1, 2],
    ["cyd", 3, 3],
    ["dan", 4, 4],
  ]);

  const fallen = await (await live.as("ann")).call("submitScore", { leaderboard, score: -5 });
  expect(fallen.seasons).toMatchObject([{ score: -5, improved: false, rank: { rank: 5, generation: 1 } }]);
  const same = await (await live.as("bob")).call("submitScore", { leaderboard, score: 50 });
  expect(same.seasons).toMatchObject([{ score: 50, improved: false, attempts: 1 }]);
  await board.submit({ cyd: 72.25, dan: 0 });
  expect(await board.rank()).toMatchObject({ generation: 2, players: 4, rows: 4, found: { owed_rows: 0 } });

  expect(await board.top()).toEqual([
    ["cyd", 1, 1],
    ["bob", 2, 2],
    ["dan", 3, 3],
    ["ann", 4, 4],
  ]);
  for (const [i, name] of ["cyd", "bob", "dan", "ann"].entries()) {
    expect(await board.rankOf({ player: live.uid(name) })).toMatchObject({
      rank: i + 1,
      dense_rank: i + 1,
      exact: true,
    });
  }
  // Scores that nobody has, two of which somebody had.
  for (const [score, rank] of [
    [100, 1],
    [72, 2],
    [30, 3],
    [0.5, 3],
    [-4.9, 4],
    [-6, 5],
  ]) {
    expect(await board.rankOf({ score })).toMatchObject({ score, rank, dense_rank: rank, exact: true });
  }
});

test("on an ascending board the lowest score leads, and a higher one does not count", async () => {
  const board = await live.board({ order: "ascending", ties: "last" });
  await board.submit({ ann: 12.5, bob: 11, cyd: 11, dan: 60 });
  await board.submit({ bob: 99, dan: 59.9 });
  await board.rank();
  expect(await board.top()).toEqual([
    ["cyd", 1, 1],
    ["bob", 1, 2],
    ["ann", 3, 3],
    ["dan", 4, 4],
  ]);
  expect(await board.rankOf({ player: live.uid("dan") })).toMatchObject({
    score: 59.9,
    rank: 4,
    dense_rank: 3,
  });
  expect(await board.rankOf({ score: 11.5 })).toMatchObject({ rank: 3 });
});

test("sums of columns rank by the first column, then the next, and a retried submission counts once", async () => {
  const columns = [
    { name: "points", min: 0, max: 300 },
    { name: "goal_difference", min: -500, max: 500 },
    { name: "minutes", min: 0, max: 10_000, order: "ascending" },
  ];
  const board = await live.board({ aggregation: "sum", columns });
  const { leaderboard } = board;
  const play = async (name: string, id: string, [points, goals, minutes]: number[]) => {
    const played = { points, goal_difference: goals, minutes };
    return (await live.as(name)).call("submitScore", { leaderboard, columns: played, submission_id: id });
  };
  await play("ann", "1", [3, 2, 90]);
  await play("ann", "2", [0, -4, 90]);
  await play("bob", "1", [3, -2, 170]);
  const retried = await play("ann", "2", [0, -4, 90]);
  expect(retried.seasons).toMatchObject([
    { repeated: true, improved: false, attempts: 2, columns: { points: 3 } },
  ]);
  await play("cyd", "1", [1, 9, 1]);
  await board.rank();
  expect(await board.top()).toEqual([
    ["bob", 1, 1],
    ["ann", 2, 2],
    ["cyd", 3, 3],
  ]);
  const own = { points: 3, goal_difference: -2, minutes: 180 };
  expect(await board.rankOf({ player: live.uid("ann") })).toMatchObject({ columns: own, rank: 2 });
  expect(await board.rankOf({ columns: { ...own, minutes: 179 } })).toMatchObject({ rank: 2 });
  expect(await board.rankOf({ columns: { ...own, goal_difference: -3 } })).toMatchObject({ rank: 3 });
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
