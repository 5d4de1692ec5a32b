/** A server's own field `player_id` on a board that is of no template: each event would make another write, without end. */
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { createBoard, eachWorld, versionOf } from "../../support/world.ts";

const world = eachWorld();

test.each(["ann", "u-17"])("player_id: %s", async (id) => {
  const key = await createBoard(world, "board", { aggregation: "latest" });
  await world.submit("bob", 1);
  const ref = world.db.doc(playerPath(key, "ann"));
  let write = await world.writeDirectly(key, "ann", { score: 5, status: "active", player_id: id });
  // The event of the server's write, and those of what follows from it.
  let events = 0;
  for (; events < 20; events++) {
    const before = versionOf(await ref.get());
    await world.follow(key, "ann", write);
    const after = versionOf(await ref.get());
    if (isDeepStrictEqual(after?.updateTime, before?.updateTime)) break;
    write = { before, after, atMs: world.services.now() };
  }
  expect(events).toBeLessThan(3);
});
