/** What submissions are answered and store; the simulation shows that none is lost, and that none counts twice. */
import { expect, test } from "vitest";
import { playerPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { callOn, admin, allTime, createBoard, user, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const stored = async (player: string) => (await world.db.doc(playerPath(key, player)).get()).data();

test("a repeated submission says so and returns the current score", async () => {
  await createBoard(world, "board", { aggregation: "sum" });
  const request = { leaderboard: "board", score: 5, submission_id: "same" };
  const first = await world.call("submitScore", request, user("ann"));
  expect(first.seasons).toMatchObject([{ score: 5, improved: true, attempts: 1 }]);
  const second = await world.call("submitScore", request, user("ann"));
  expect(second.seasons).toMatchObject([{ score: 5, improved: false, attempts: 1, repeated: true }]);
});

test("the answer has the published rank of the new score, and null before there is one", async () => {
  await createBoard(world, "board");
  const first = await world.call("submitScore", { leaderboard: "board", score: 5 }, user("ann"));
  expect(first.seasons[0]?.rank).toBeNull();
  await world.deliver(key, "ann");
  await world.publish(key);
  const second = await world.call("submitScore", { leaderboard: "board", score: 3 }, user("bob"));
  expect(second.seasons[0]?.rank).toMatchObject({
    player: "bob",
    score: 3,
    rank: 2,
    players: 1,
    generation: 1,
  });
});

test("a batch keeps each player's submissions in order, and the order of the list within a tie", async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  const submissions = [
    { player: "zed", score: 7 },
    { player: "ann", score: 1 },
    { player: "ann", score: 7 },
    { player: "bob", score: 7 },
  ];
  const { results } = await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  expect(results).toMatchObject([
    { player: "zed", seasons: [{ score: 7, attempts: 1 }] },
    { player: "ann", seasons: [{ score: 1, attempts: 1 }] },
    { player: "ann", seasons: [{ score: 7, attempts: 2 }] },
    { player: "bob", seasons: [{ score: 7, attempts: 1 }] },
  ]);
  await world.deliverAll(key);
  await world.publish(key);
  const top = await world.db.doc(`${seasonPath(key)}/top/current`).get();
  expect(top.get("entries")).toMatchObject([{ player: "zed" }, { player: "ann" }, { player: "bob" }]);
});

test("a trusted server's own fields survive a submission", async () => {
  await createBoard(world, "board");
  await world.db.doc(playerPath(key, "ann")).set({ score: 3, status: "active", country: "at" });
  await world.call("submitScore", { leaderboard: "board", score: 5 }, user("ann"));
  expect(await stored("ann")).toMatchObject({ score: 5, country: "at", attempts: 1 });
});

test("an instance that remembers another ordering takes the one that the season was opened with", async () => {
  await createBoard(world, "board", { order: "descending" });
  const behind = await world.coldInstance(key);
  await world.call("saveLeaderboard", { leaderboard: "board", definition: { order: "ascending" } }, admin);
  await world.call("submitScore", { leaderboard: "board", score: 10 }, user("ann"));
  const lower = await callOn(behind, "submitScore", { leaderboard: "board", score: 8 }, user("ann"));
  expect(lower.seasons).toMatchObject([{ score: 8, improved: true }]);
});
