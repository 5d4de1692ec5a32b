/** What a call about one player of a template costs does not grow with the boards that others have opened. */
import { expect, test } from "vitest";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

/** Levels that only others have played. */
async function openLevels(from: number, until: number): Promise<void> {
  const { db } = world;
  const season = (await db.doc(seasonPath(allTime("level:own"))).get()).data() ?? {};
  const writer = db.bulkWriter({ throttling: false });
  for (let i = from; i < until; i++) void writer.set(db.doc(seasonPath(allTime(`level:${i}`))), season);
  await writer.close();
}

// docs/levels.md: a server calls it once for a guest who signs in to an account, without a board.
test("mergePlayers without a board costs as much with 510 levels as with 10", async () => {
  await createBoard(world, "level", { template: { ids: "any" } });
  for (const player of ["ann", "bob", "cyd", "dan"])
    await world.call("submitScore", { leaderboard: "level:own", score: 5 }, user(player));
  const merge = (from: string, to: string) =>
    world.bill(() => world.call("mergePlayers", { from, to }, admin)).then(({ reads }) => reads);
  await openLevels(0, 10);
  const few = await merge("ann", "bob");
  await openLevels(10, 510);
  expect((await merge("cyd", "dan")) - few).toBeLessThan(10);
});
