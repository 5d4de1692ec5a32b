import { expect, test } from "vitest";
import { Timestamp } from "./firestore.ts";
import { readShard } from "./shard.ts";

const slot = { slot_ends_at: Timestamp.fromMillis(60_000) };
const nothing = { slotEndMs: 60_000, changes: [], unreadable: 0, unusable: 0, marks: 0 };

test("a shard without a field of changes has none", () => {
  expect(readShard(slot)).toEqual(nothing);
});

test("a shard's changes say by how many players each score has more or fewer", () => {
  const shard = {
    ...slot,
    player_count: { "20": 2, "-1.5": -1, "7": 0 },
    marks: 2,
    unusable: -1,
  };
  expect(readShard(shard)).toEqual({
    ...nothing,
    changes: [
      [20, 2],
      [-1.5, -1],
    ],
    marks: 2,
    unusable: -1,
  });
});

test("keys that are not a score and counts that are not a whole number are ignored and counted", () => {
  const player_count = { twenty: 1, "1e400": 1, "20": "1", "21": 0.5, "22": null, "23": 1 };
  expect(readShard({ ...slot, player_count })).toEqual({ ...nothing, changes: [[23, 1]], unreadable: 5 });
});

test.each(["twenty", 20, null, true])(
  "changes that are not a map, such as %j, make a shard unreadable",
  (changes) => {
    expect(() => readShard({ ...slot, player_count: changes })).toThrow(/player_count/);
  },
);

test("a sum that is not a number counts as 0", () => {
  expect(readShard({ ...slot, marks: "many" })).toEqual(nothing);
});

test("a shard without a slot cannot be read", () => {
  expect(() => readShard({ slot_ends_at: 60_000 })).toThrow(/slot_ends_at/);
});
