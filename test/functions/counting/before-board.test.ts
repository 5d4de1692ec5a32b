/** What a server writes before its board is there, and takes back. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const active = (score: number) => ({
  score,
  status: "active",
  achieved_at: Timestamp.fromMillis(world.services.now()),
});

test("whom a server writes and deletes before its board's first save does not count", async () => {
  const key = allTime("sprint");
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", active(50)));
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", undefined));
  world.advance(10_000);
  await createBoard(world, "sprint", { order: "descending" });
  await world.call("submitScore", { leaderboard: "sprint", score: 9 }, user("ann"));
  await world.publish(key);
  expect(await world.call("getRank", { ...key, player: "ann" }, admin)).toMatchObject({ rank: 1, players: 1 });
});
