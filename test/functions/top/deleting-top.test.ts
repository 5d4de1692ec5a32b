/** A refresh of a top that comes late: its season has ended, and is already being deleted. */
import { expect, test } from "vitest";
import { seasonPath, topPath } from "../../../functions/src/documents/paths.ts";
import { refreshTopWhenDue } from "../../../functions/src/top/keep-live.ts";
import { createEnding, crowd, endSeason } from "../../support/closing.ts";
import { createWorld } from "../../support/world.ts";

test("the top of a season that is being deleted is not renewed, and read once or twice", async () => {
  const world = createWorld();
  const key = await createEnding(world, "board", crowd(20));
  await endSeason(world, key);
  await world.db.doc(seasonPath(key)).update({ status: "deleting" });
  const top = (await world.db.doc(topPath(key)).get()).updateTime;
  const request = {
    ...key,
    due_at: new Date(world.services.now()).toISOString(),
    follows: "change" as const,
  };
  const { bill } = await world.meter.measure(() => refreshTopWhenDue(world.anotherInstance(), request));
  expect(bill.reads).toBeLessThan(60);
  expect((await world.db.doc(topPath(key)).get()).updateTime).toEqual(top);
});
