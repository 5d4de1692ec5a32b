import { expect, test } from "vitest";
import { Timestamp } from "./firestore.ts";
import { isShard, readShard } from "./shard.ts";

const slot = { slot_ends_at: Timestamp.fromMillis(60_000) };
const nothing = { slotEndMs: 60_000, changes: [], unreadable: 0, unusable: 0, marks: 0 };

test.each([
  ["a shard without a field of changes has none", {}, {}],
  [
    "a shard's changes say by how many players each score has more or fewer",
    { player_count: { "20": 2, "7": 0 }, marks: 2, unusable: -1 },
    { changes: [{ field: "20", mark: { score: 20, segments: [] }, delta: 2 }], marks: 2, unusable: -1 },
  ],
  [
    "keys that are not a score and counts that are not a whole number are ignored and counted",
    {
      player_count: {
        twenty: 1,
        "5 country": 1,
        "5  a=b": 1,
        "1e400": 1,
        "20": "1",
        "21": 0.5,
        "22": null,
        "23": 1,
      },
    },
    { changes: [{ field: "23", mark: { score: 23, segments: [] }, delta: 1 }], unreadable: 7 },
  ],
  [
    "a mark may have segments",
    { player_count: { "20 country=AT platform=ios": -1 } },
    {
      changes: [
        {
          field: "20 country=AT platform=ios",
          mark: { score: 20, segments: ["country=AT", "platform=ios"] },
          delta: -1,
        },
      ],
    },
  ],
  ["a sum that is not a number counts as 0", { marks: "many" }, {}],
])("%s", (_, data, expected) => {
  expect(readShard({ ...slot, ...data })).toEqual({ ...nothing, ...expected });
});

test("what has no slot is no shard", () => {
  expect(() => readShard({ slot_ends_at: 60_000 })).toThrow(/slot_ends_at/);
  for (const foreign of [{}, { slot_ends_at: 60_000 }, { slot_ends_at: "noon" }])
    expect(isShard(foreign)).toBe(false);
  expect(isShard(slot)).toBe(true);
});

test("changes that are not a map are one entry that cannot be read", () => {
  for (const changes of ["twenty", 20, null, true])
    expect(readShard({ ...slot, player_count: changes })).toEqual({ ...nothing, unreadable: 1 });
});
