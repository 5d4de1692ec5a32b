/** What a server writes for a level before the template of the levels is there. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { admin, allTime, callOn, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const active = (score: number) => ({
  score,
  status: "active",
  achieved_at: Timestamp.fromMillis(world.services.now()),
});

test("what is written before its template is there counts by the steps of the template", async () => {
  const key = allTime("level:7");
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", active(5.57)), 2);
  world.advance(10_000);
  await createBoard(world, "level", { template: { ids: "any" }, submit: "server", order: "ascending", decimals: 1 });
  await world.follow(key, "ann", await world.writeDirectly(key, "ann", active(5.6)));
  await world.publish(key);
  const other = world.anotherInstance();
  const rankOf = (player: string) => callOn(other, "getRank", { ...key, player }, admin);
  const both = [await rankOf("ann"), await rankOf("npc")].map(({ rank, score, exact }) => ({ rank, score, exact }));
  const first = { rank: 1, score: 5.6, exact: true };
  expect(both).toEqual([first, first]);
});

test("a level's player who is deleted before the template is there does not count", async () => {
  const key = allTime("level:7");
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", active(5.5)));
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", undefined));
  world.advance(10_000);
  await createBoard(world, "level", { template: { ids: "any" }, submit: "server", order: "ascending" });
  await world.follow(key, "ann", await world.writeDirectly(key, "ann", active(9)));
  await world.publish(key);
  expect(await world.call("getRank", { ...key, player: "ann" }, admin)).toMatchObject({ rank: 1, players: 1 });
});
