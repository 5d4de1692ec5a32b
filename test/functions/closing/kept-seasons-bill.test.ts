/** docs/costs.md, "The end of a season": it costs no more on a board that keeps many seasons. */
import { expect, test } from "vitest";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const dayMs = 86_400_000;

/** What all starts of the schedule read from a day's end until the day is cleared. */
async function readsOfEnd(score: number): Promise<number> {
  await world.submit("ann", score);
  world.advance(dayMs - (world.services.now() % dayMs));
  const { reads } = await world.bill(async () => {
    for (let minute = 0; minute < 30; minute++) {
      world.advance(60_000);
      await world.tick();
    }
  });
  return reads;
}

test("a day's end on a board that keeps 400 days, with 1 and with 365 days behind it", async () => {
  await createBoard(world, "board", { spans: ["daily"], keep_seasons: 400 });
  await readsOfEnd(1);
  const few = await readsOfEnd(2);
  const [closed] = (await world.db.collection("leaderboards/board/seasons").get()).docs;
  expect(closed?.get("status")).toBe("closed");
  const writer = world.db.bulkWriter({ throttling: false });
  for (let day = 0; day < 365; day++) {
    const season = `daily-${new Date(Date.UTC(2099, 0, 1) + day * dayMs).toISOString().slice(0, 10)}`;
    const path = seasonPath({ leaderboard: "board", season });
    void writer.set(world.db.doc(path), { ...closed?.data(), end_due_at: null });
  }
  await writer.close();
  expect((await readsOfEnd(3)) - few).toBeLessThan(20);
});
