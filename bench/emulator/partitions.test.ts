/** What the shared cases do not ask of partitions by month: the next month. */
import { expect, onTestFinished, test } from "vitest";
import { createMeteredClient } from "../contest/bill.ts";
import { partitionByMonth } from "../systems/partition-by-hash.ts";

test("a new month begins without players", async () => {
  const { db, meter } = createMeteredClient();
  onTestFinished(() => db.terminate());
  let nowMs = Date.parse("2100-01-31T23:59:59Z");
  const board = await partitionByMonth.open({ db, meter, now: () => nowMs, random: () => 0, folder: "" });
  await board.submit({ player: "ann", score: 40 });
  expect(await board.rank?.("ann")).toBe(1);
  nowMs += 1_000;
  expect(await board.rank?.("ann")).toBeNull();
  await board.submit({ player: "ben", score: 30 });
  expect(await board.top?.(10)).toEqual([{ player: "ben", score: 30 }]);
});
