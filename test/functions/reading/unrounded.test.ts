/** A server's score whose event has not come is shown as the nearest step of the board, in every answer. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { countAll, playerFields } from "../../support/closing.ts";
import { allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const reader = user("reader");

test("answers and the top have a score that is no step of the board as its nearest step", async () => {
  await createBoard(world, "board", { decimals: 1, segments: [{ name: "guild", from: "server" }] });
  const key = allTime("board");
  const write = (player: string, fields: object) => world.db.doc(playerPath(key, player)).set(fields);
  await write("ann", playerFields(0.3, 0));
  await write("cid", playerFields(0.2, 0));
  await countAll(world.services, key, ["ann", "cid"]);
  const noisy = 0.1 + 0.2;
  await write("bob", playerFields(noisy, 1));
  await world.publish(key);

  expect(await world.call("getRank", { ...key, player: "bob" }, reader)).toMatchObject({
    rank: 1,
    score: 0.3,
  });
  const bob = { player: "bob", rank: 1, score: 0.3 };
  const ann = { player: "ann", rank: 1, score: 0.3 };
  const page = await world.call("getPage", { ...key }, reader);
  expect(page.entries).toMatchObject([bob, ann, { player: "cid" }]);
  const first = await world.call("getPage", { ...key, limit: 1 }, reader);
  const behind = await world.call("getPage", { ...key, cursor: first.next_cursor }, reader);
  expect(behind.entries).toMatchObject([ann, { player: "cid" }]);
  const around = await world.call("getAround", { ...key, player: "bob", above: 5, below: 1 }, reader);
  expect(around.entries).toMatchObject([bob, ann]);
  // The earlier of equals comes first, whatever the documents say.
  const friends = await world.call("getPlayers", { ...key, players: ["bob", "ann"] }, reader);
  expect(friends.entries).toMatchObject([ann, bob]);
  const top = await world.call("getTop", key, reader);
  expect(top.entries).toMatchObject([bob, ann, { player: "cid", rank: 3 }]);
});
