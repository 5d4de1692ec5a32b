/** A server's documents of a board that its template does not have so far. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const active = (score: number) => ({
  score,
  status: "active",
  achieved_at: Timestamp.fromMillis(world.services.now()),
});

const key = allTime("level:late");

async function begin() {
  await createBoard(world, "level", { template: { ids: { collection: "levels" } }, order: "descending" });
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", active(50)));
}

async function end() {
  await world.db.doc("levels/late").set({});
  await world.follow(key, "bot", await world.writeDirectly(key, "bot", active(10)));
  await world.publish(key);
  return world.call("getRank", { ...key, player: "bot" }, admin);
}

test("whom a server deletes and writes anew before the board is there counts once", async () => {
  await begin();
  const deleted = await world.writeDirectly(key, "npc", undefined);
  world.advance(10);
  const written = await world.writeDirectly(key, "npc", active(60));
  await world.follow(key, "npc", deleted);
  await world.follow(key, "npc", written);
  expect(await end()).toMatchObject({ rank: 2, players: 2 });
});
