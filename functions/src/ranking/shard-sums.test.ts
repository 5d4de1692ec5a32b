import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { listOf } from "../../../test/support/rows.ts";
import { createFold } from "./fold.ts";
import { noRows } from "./rows.ts";
import { addShard, noSums } from "./shard-sums.ts";

const at = (ms: number) => Timestamp.fromMillis(ms);

/** The changes and sums of some shard documents. */
function sumOf(...documents: Record<string, unknown>[]) {
  const fold = createFold("descending", noRows);
  const sums = noSums();
  for (const data of documents) addShard(fold, sums, data);
  return { changes: listOf(fold.finish()).map(({ score, players }) => [score, players]), sums };
}

test("shard documents add up, their changes and their counts", () => {
  const { changes, sums } = sumOf(
    { slot_ends_at: at(120_000), player_count: { "5": 2, "-0.5": -1 }, marks: 3, unusable: 2 },
    { slot_ends_at: at(60_000), player_count: { "5": 1, "7": -1 }, marks: 4, unusable: -1 },
    { slot_ends_at: at(120_000), player_count: { "7": 1 }, marks: 5 },
  );
  expect(changes).toEqual([
    [5, 3],
    [-0.5, -1],
  ]);
  expect(sums).toEqual({
    unusable: 1,
    marks: 12,
    changes: 5,
    unreadable: 0,
    oldestSlotEndMs: 60_000,
    newestSlotEndMs: 120_000,
  });
});

test("anything but a score or a whole number is ignored and counted, and a change by 0 players is no change", () => {
  const counts = { best: 1, "1e3": 1, "5": 1.5, "6": "1", "7": null, "8": 0, "9": 1 };
  const { changes, sums } = sumOf({ slot_ends_at: at(1), player_count: counts });
  expect(changes).toEqual([[9, 1]]);
  expect(sums).toMatchObject({ changes: 1, unreadable: 5 });
});

test("a document without counts of its own changes no counts", () => {
  const { changes, sums } = sumOf(
    { slot_ends_at: at(9) },
    { slot_ends_at: at(8), marks: "2", unusable: "1" },
  );
  expect(changes).toEqual([]);
  expect(sums).toEqual({ ...noSums(), oldestSlotEndMs: 8, newestSlotEndMs: 9 });
});
