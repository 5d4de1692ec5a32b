/** A server's metadata may be as deep as Firestore takes it, which is 20 levels. A top has it two levels deeper. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { closeNow, createEnding, playerFields, seasonOf } from "../../support/closing.ts";
import { allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = { end: 1 };
  for (let i = 1; i < levels; i++) value = { a: value };
  return value;
}

test("a player's deep metadata stops no publication, and no top", async () => {
  const key = allTime("board");
  await createBoard(world, "board");
  await world.call("submitScore", { leaderboard: "board", score: 5 }, user("ann"));
  await world.db.doc(playerPath(key, "ann")).update({ metadata: nested(19) });
  await world.deliver(key, "ann");
  expect((await world.publish(key)).outcome).toBe("published");
  const { entries } = await world.call("getTop", { leaderboard: "board" }, user("bob"));
  expect(entries.map(({ player }) => player)).toEqual(["ann"]);
});

test("nor the end of a season", async () => {
  const key = await createEnding(world, "board", {
    ann: playerFields(5, 0, { metadata: nested(19) }),
    bob: playerFields(4, 1),
  });
  await closeNow(world, key);
  expect((await seasonOf(world, key)).status).toBe("closed");
});

test("nor a refresh for somebody else's score", async () => {
  const key = allTime("board");
  await createBoard(world, "board");
  await world.call("submitScore", { leaderboard: "board", score: 5 }, user("ann"));
  await world.publish(key);
  await world.db.doc(playerPath(key, "ann")).update({ metadata: nested(19) });
  await world.deliver(key, "ann");
  world.advance(10_000);
  await world.call("submitScore", { leaderboard: "board", score: 6 }, user("bob"));
  const { entries } = await world.call("getTop", { leaderboard: "board" }, user("bob"));
  expect(entries.map(({ player }) => player)).toEqual(["bob", "ann"]);
});
