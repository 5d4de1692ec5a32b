/** A board whose movement is switched off for a while: only the midnights in between are missing (docs/movement.md). */
import { expect, test } from "vitest";
import { baselinesPath } from "../../../functions/src/documents/paths.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const hour = 3_600_000;

const save = (movement: boolean) =>
  world.call("saveLeaderboard", { leaderboard: "board", definition: { movement } }, admin);

async function score(player: string, value: number): Promise<void> {
  await world.submit(player, value);
  world.advance(60_000);
  await publishRanking(world.services, key);
}

const days = async () =>
  (await world.call("getHistory", { leaderboard: "board" }, user("ann"))).days.map(({ day, rank }) => [
    day,
    rank,
  ]);

test("an hour without movement loses no midnight", async () => {
  await createBoard(world, "board", { aggregation: "latest", movement: true });
  for (let day = 0; day < 3; day++) {
    await score("ann", 10 + day);
    await score("bob", 20 - 3 * day);
    world.advance(24 * hour);
  }
  await score("bob", 30);
  const before = await days();
  expect(before.length).toBeGreaterThan(2);
  await save(false);
  world.advance(hour);
  await score("bob", 31);
  await save(true);
  world.advance(hour);
  await score("bob", 32);
  // The copies are still there.
  expect((await world.db.collection(baselinesPath(key)).listDocuments()).length).toBeGreaterThan(2);
  expect(await days()).toEqual(before);
});
