/** Times finer than a millisecond, which servers, imports and calls with many scores store: each call says the same. */
import { expect, test } from "vitest";
import { recordOf } from "../../../cli/records/player-record.ts";
import { definitionSchema } from "../../../functions/src/model/definition.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const time = new Timestamp(1_700_000_000, 999_600_000); // 2023-11-14T22:13:20.999600Z

test("getMyBoards tells the same time of a score as lists", async () => {
  await createBoard(world, "level", { template: { ids: "any" } });
  const key = allTime("level:7");
  await world.call("submitScore", { leaderboard: "level:7", score: 5 }, user("ann"));
  await world.db.doc(playerPath(key, "ann")).update({ achieved_at: time });
  await world.deliver(key, "ann");
  await world.publish(key);
  const { entries } = await world.call(
    "getPlayers",
    { leaderboard: "level:7", players: ["ann"] },
    user("ann"),
  );
  const { boards } = await world.call("getMyBoards", {}, user("ann"));
  expect(entries[0]?.achieved_at).toBe("2023-11-14T22:13:20.999Z");
  expect(boards[0]?.achieved_at).toBe("2023-11-14T22:13:20.999Z");
});

test("an export of a player has a server's own times as they are stored", async () => {
  const key = await createBoard(world, "board", {});
  await world.call("submitScore", { leaderboard: "board", score: 5 }, user("ann"));
  await world.db.doc(playerPath(key, "ann")).update({ born_at: time });
  const { seasons } = await world.call("exportPlayer", { leaderboard: "board", player: "ann" }, admin);
  expect(seasons[0]?.player?.["born_at"]).toBe("2023-11-14T22:13:20.9996Z");
});

test("a time in a server's metadata is a time in lists, in a final table and in a file, not the client library's own fields", async () => {
  const key = await createBoard(world, "board", {});
  await world.call("submitScore", { leaderboard: "board", score: 5 }, user("ann"));
  await world.db
    .doc(playerPath(key, "ann"))
    .update({ metadata: { joined_at: Timestamp.fromMillis(1_700_000_000_000) } });
  await world.deliver(key, "ann");
  await world.publish(key);
  const { entries } = await world.call("getPlayers", { leaderboard: "board", players: ["ann"] }, user("ann"));
  const { seasons } = await world.call("exportPlayer", { leaderboard: "board", player: "ann" }, admin);
  const metadata = { joined_at: "2023-11-14T22:13:20.000Z" };
  expect(seasons[0]?.player?.["metadata"]).toEqual(metadata);
  expect(entries[0]?.metadata).toEqual(metadata);
});

test("a time in a server's metadata, in a file", () => {
  const data = { score: 5, metadata: { joined_at: Timestamp.fromMillis(1_700_000_000_000) } };
  const record = recordOf(definitionSchema(0).parse({}), "ann", data);
  expect(JSON.stringify(record && "metadata" in record && record.metadata)).toMatch(
    /^\{"joined_at":"2023-11-14T22:13:20/,
  );
});
