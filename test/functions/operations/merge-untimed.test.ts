/** A score that a server has written without a time has the time of that write, also before the event of the write has come. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const documentOf = (player: string) => world.db.doc(playerPath(key, player)).get();

test.each(["best", "latest"] as const)(
  "a merge takes that time along on a board of %s",
  async (aggregation) => {
    await createBoard(world, "board", { aggregation });
    await world.submit("bob", 5);
    world.advance(60_000);
    const last = { last_submission_at: new Date(world.services.now()) };
    await world.writeDirectly(key, "ann", { score: 500, ...(aggregation === "latest" && last) });
    const written = (await documentOf("ann")).updateTime;
    await world.call("mergePlayers", { from: "ann", to: "bob" }, admin);
    // Came out: the time of bob's 5.
    expect((await documentOf("bob")).data()).toMatchObject({ score: 500, achieved_at: written });
  },
);

test("a worse submission leaves that time", async () => {
  await createBoard(world, "board");
  await world.writeDirectly(key, "ann", { score: 500 });
  const written = (await documentOf("ann")).updateTime;
  world.advance(60_000);
  await world.submit("ann", 5);
  // Came out: the time of the worse submission.
  expect((await documentOf("ann")).data()).toMatchObject({ score: 500, achieved_at: written });
});
