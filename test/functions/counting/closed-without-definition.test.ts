/** Nothing is counted in a season that has closed, also where its board's definition was deleted by hand. */
import { expect, test } from "vitest";
import { leaderboardPath, shardsPath } from "../../../functions/src/documents/paths.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();

test("a direct write after the end leaves no shard that nothing would fold", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(5, 0) });
  await endSeason(world, key);
  await world.db.doc(leaderboardPath("board")).delete();
  world.advance(120_000);
  const write = await world.writeDirectly(key, "ann", { score: 50 });
  await world.follow(key, "ann", write);
  expect((await world.db.collection(shardsPath(key)).get()).size).toBe(0);
});
