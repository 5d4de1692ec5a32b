import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { changesPerShardMax } from "../model/limits.ts";
import { listOf } from "../../../test/support/rows.ts";
import { createFold } from "./fold.ts";
import { noRows } from "./rows.ts";
import {
  addDocument,
  addShard,
  noChanges,
  noSums,
  searchFrom,
  shardDocuments,
  shardsFromOf,
} from "./shards.ts";

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

const slotEndMs = 120_000;
const end = Timestamp.fromMillis(slotEndMs);

/** The sum of some documents of the slot. */
function together(...documents: Record<string, unknown>[]) {
  const changes = noChanges(slotEndMs);
  for (const data of documents) addDocument(changes, { slot_ends_at: end, ...data });
  return changes;
}

test("documents of a slot become one with the same sum", () => {
  const changes = together(
    { player_count: { "5": 2, "7": -1, "1.5": 1 }, marks: 1, unusable: 1 },
    { player_count: { "5": 1, "7": 1 }, marks: 4, unusable: 2 },
  );
  expect(shardDocuments(changes)).toEqual([
    { slot_ends_at: end, player_count: { "5": 3, "1.5": 1 }, marks: 5, unusable: 3 },
  ]);
});

test("documents that cancel each other out leave none", () => {
  const changes = together(
    { player_count: { "5": 1 }, unusable: 1, marks: 1 },
    { player_count: { "5": -1 }, unusable: -1, marks: -1 },
  );
  expect(shardDocuments(changes)).toEqual([]);
});

test("counts without scores make a document of their own", () => {
  expect(shardDocuments(together({ unusable: 2 }))).toEqual([{ slot_ends_at: end, unusable: 2 }]);
  expect(shardDocuments(together({ marks: 1 }))).toEqual([{ slot_ends_at: end, marks: 1 }]);
});

test("more scores than one document holds fill several, the counts in the first", () => {
  const scores = Array.from({ length: 2 * changesPerShardMax + 1 }, (_, score) => [String(score), score + 1]);
  const documents = shardDocuments(
    together({ player_count: Object.fromEntries(scores) as object, marks: 9 }),
  ) as { player_count: Record<string, number>; slot_ends_at: Timestamp; marks?: number }[];
  expect(documents.map((document) => Object.keys(document.player_count).length)).toEqual([
    changesPerShardMax,
    changesPerShardMax,
    1,
  ]);
  expect(documents.map(({ marks }) => marks)).toEqual([9, undefined, undefined]);
  expect(documents.every((document) => document.slot_ends_at.isEqual(end))).toBe(true);
  expect(Object.assign({}, ...documents.map((document) => document.player_count))).toEqual(
    Object.fromEntries(scores),
  );
});

test("reversed changes undo the original ones, and stay in their slot", () => {
  const data = { player_count: { "5": 3, "-2": -1 }, marks: 5, unusable: 4 };
  const opposite = shardDocuments(together(data), -1);
  expect(opposite).toEqual([
    { slot_ends_at: end, player_count: { "5": -3, "-2": 1 }, marks: -5, unusable: -4 },
  ]);
  const both = together(data, ...(opposite as Record<string, unknown>[]));
  expect(shardDocuments(both)).toEqual([]);
});

const page = (from: number | undefined, generation = 7) =>
  from === undefined ? { generation } : { generation, shards_from: at(from) };

test("a search begins where the last publication ended, and each sixtieth generation at the very beginning", () => {
  expect(shardsFromOf(59, at(5))).toEqual(at(5));
  expect(shardsFromOf(60, at(5))).toBeNull();
  expect(shardsFromOf(61, at(5))).toEqual(at(5));
  expect(shardsFromOf(61, null)).toBeNull();
  expect(shardsFromOf(61, undefined)).toBeNull();
});

test.each([
  ["the pages", page(5_000), 9_000, 5_000],
  ["memory, if that is earlier", page(9_000), 5_000, 5_000],
  ["both", page(5_000), 5_000, 5_000],
  ["the very beginning after a rebuild, whose pages have no bound", page(undefined), 5_000, null],
  ["the very beginning before the first generation", undefined, 5_000, null],
  ["the very beginning if the caller asks for it", page(5_000), null, null],
  ["the very beginning after the sixtieth generation", page(5_000, 60), 9_000, null],
])("a search begins by %s", (_, published, remembered, expected) => {
  const from = searchFrom(published, remembered === null ? null : at(remembered));
  expect(from?.toMillis() ?? null).toBe(expected);
});

test("a search that begins as remembered is known by the same bound", () => {
  const remembered = at(5_000);
  expect(searchFrom(page(5_000), remembered)).toBe(remembered);
});
