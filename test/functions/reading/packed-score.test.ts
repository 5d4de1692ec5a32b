/** docs/calls.md: on a board with columns a `score` that is asked for is the number into which they are packed. */
import { expect, test } from "vitest";
import { admin, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

test("the score of an entry may be asked for, and means what its columns mean", async () => {
  const columns = [
    { name: "points", min: 0, max: 300 },
    { name: "fouls", min: 0, max: 99, order: "ascending" as const },
  ];
  const key = await createBoard(world, "board", { columns });
  const { leaderboard } = key;
  const submissions = ["ann", "bob", "cyd"].map((player, i) => ({
    player,
    columns: { points: 3 + i, fouls: i },
  }));
  await world.call("submitScores", { leaderboard, submissions }, admin);
  await world.publish(key);
  const { entries } = await world.call("getPage", { leaderboard }, user("ann"));
  expect(entries.map(({ player }) => player)).toEqual(["cyd", "bob", "ann"]);
  for (const [i, { score, columns: own, rank }] of entries.entries()) {
    const ofScore = await world.call("getRank", { leaderboard, score }, user("ann"));
    expect(ofScore).toMatchObject({ score, columns: own, rank });
    expect(await world.call("getRank", { leaderboard, columns: own }, user("ann"))).toEqual(ofScore);
    const page = await world.call("getPage", { leaderboard, score }, user("ann"));
    expect(page.entries.map(({ player }) => player)).toEqual(["cyd", "bob", "ann"].slice(i));
    expect(await world.call("getPage", { leaderboard, columns: own }, user("ann"))).toEqual(page);
  }
  // The number 3 is packed columns of 0 points, and no 3 points.
  const { columns: ofThree } = await world.call("getRank", { leaderboard, score: 3 }, user("ann"));
  expect(ofThree).toMatchObject({ points: 0 });
});
