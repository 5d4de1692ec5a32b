import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { listOf } from "../testing/rows.ts";
import { createFold } from "./fold.ts";
import { noRows } from "./rows.ts";
import { addShard, addSums, addWrites, noSums, peakPerSecond } from "./shard-sums.ts";

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
    { slot_ends_at: at(120_000), player_count: { "5": 2, "-0.5": -1 }, writes: 3, retries: 1, unusable: 2 },
    { slot_ends_at: at(60_000), player_count: { "5": 1, "7": -1 }, writes: 4, unusable: -1 },
    { slot_ends_at: at(120_000), player_count: { "7": 1 }, writes: 5, retries: 2 },
  );
  expect(changes).toEqual([
    [5, 3],
    [-0.5, -1],
  ]);
  expect(sums).toEqual({
    unusable: 1,
    writes: 12,
    retries: 3,
    writesOfSlot: new Map([
      [120_000, 8],
      [60_000, 4],
    ]),
    changes: 5,
    unreadable: 0,
    newestSlotEndMs: 120_000,
  });
});

test("anything but a score or a whole number is ignored and counted, and a change by 0 players is no change", () => {
  const counts = { best: 1, "1e3": 1, "5": 1.5, "6": "1", "7": null, "8": 0, "9": 1 };
  const { changes, sums } = sumOf({ slot_ends_at: at(1), player_count: counts });
  expect(changes).toEqual([[9, 1]]);
  expect(sums).toMatchObject({ changes: 1, unreadable: 5 });
});

test("a document without counts of its own changes no counts, not even those of its slot", () => {
  const { changes, sums } = sumOf(
    { slot_ends_at: at(9) },
    { slot_ends_at: at(8), writes: "2", unusable: "1" },
  );
  expect(changes).toEqual([]);
  expect(sums).toEqual({ ...noSums(), newestSlotEndMs: 9 });
});

test("the sums of two parts add up to those of all documents", () => {
  const first = { slot_ends_at: at(2), player_count: { "1": 1, x: 1 }, writes: 1, retries: 3, unusable: 1 };
  const second = {
    slot_ends_at: at(1),
    player_count: { "2": 1, y: 1, z: 1 },
    writes: 2,
    retries: 4,
    unusable: 5,
  };
  const third = { slot_ends_at: at(2), writes: 7 };
  const parts = addSums(sumOf(first).sums, sumOf(second, third).sums);
  expect(parts).toEqual(sumOf(first, second, third).sums);
  expect(addSums(sumOf(second).sums, sumOf(first).sums).newestSlotEndMs).toBe(2);
});

test("writes of the same slot add up, in a map of their own", () => {
  const a = new Map([[1, 2]]);
  expect(
    addWrites(
      a,
      new Map([
        [1, 3],
        [2, 4],
      ]),
    ),
  ).toEqual(
    new Map([
      [1, 5],
      [2, 4],
    ]),
  );
  expect(a).toEqual(new Map([[1, 2]]));
});

test("the peak is the busiest slot's writes a second, and 0 where no slot has any", () => {
  const writes = new Map([
    [60_000, 30],
    [120_000, 90],
  ]);
  expect(peakPerSecond(writes, 60_000)).toBe(1.5);
  expect(peakPerSecond(new Map(), 60_000)).toBe(0);
  expect(peakPerSecond(new Map([[60_000, -30]]), 60_000)).toBe(0);
});
