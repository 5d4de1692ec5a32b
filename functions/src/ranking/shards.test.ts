import fc from "fast-check";
import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { readShard } from "../documents/shard.ts";
import { documentSize } from "../model/document-size.ts";
import { changesPerShardMax, shardBytesMax } from "../model/limits.ts";
import { someRows } from "../../../test/support/rows.ts";
import { addShard, foldPending, noChanges, searchFrom, shardDocuments, shardsFromOf } from "./shards.ts";

const at = (ms: number) => Timestamp.fromMillis(ms);

test("shard documents add up, their changes and their counts", async () => {
  const documents = [
    { slot_ends_at: at(120_000), player_count: { "5": 2, "-0.5": -1 }, marks: 3, unusable: 2 },
    { slot_ends_at: at(60_000), player_count: { "5": 1, "7": -1 }, marks: 4, unusable: -1 },
    { slot_ends_at: at(120_000), player_count: { "7": 1, "8 a=b": 1 }, marks: 5 },
    { slot_ends_at: at(90_000), player_count: { seven: 1 } },
  ].map((fields) => ({ data: () => fields }));
  const { pending, sums, shards } = await foldPending("descending", [
    documents.slice(0, 3),
    documents.slice(3),
  ]);
  expect(pending.rows).toEqual(someRows([8, 1], [5, 3], [-0.5, -1]));
  expect(pending.segments.get("a=b")).toEqual(someRows([8, 1]));
  const counts = { unusable: 1, marks: 12, changes: 6, unreadable: 1 };
  expect(shards).toBe(4);
  expect(sums).toEqual({ ...counts, oldestSlotEndMs: 60_000, newestSlotEndMs: 120_000 });
});

const slotEndMs = 120_000;
const end = Timestamp.fromMillis(slotEndMs);

/** The sum of some documents of the slot. */
function together(...documents: Record<string, unknown>[]) {
  const changes = noChanges(slotEndMs);
  for (const data of documents) addShard(changes, readShard({ slot_ends_at: end, ...data }));
  return changes;
}

const anyDocuments = fc.array(
  fc.record(
    {
      player_count: fc.dictionary(fc.constantFrom("5", "7", "-1.5"), fc.integer({ min: -2, max: 2 })),
      marks: fc.integer({ min: -1, max: 3 }),
      unusable: fc.integer({ min: -1, max: 1 }),
    },
    { requiredKeys: [] },
  ),
);

test("documents of a slot become one with the same sum, or none; reversed changes undo them in their slot", () => {
  fc.assert(
    fc.property(anyDocuments, (documents) => {
      const joined = shardDocuments(together(...documents)) as Record<string, unknown>[];
      expect(joined.length).toBeLessThanOrEqual(1);
      for (const document of joined) expect(document["slot_ends_at"]).toEqual(end);
      const reversed = shardDocuments(together(...documents), -1) as Record<string, unknown>[];
      expect(shardDocuments(together(...documents, ...reversed))).toEqual([]);
      expect(shardDocuments(together(...joined, ...reversed))).toEqual([]);
      if (joined.length === 0) expect(together(...documents).changes.size).toBe(0);
    }),
  );
  const data = { player_count: { "5": 3, "-2": -1 }, marks: 5, unusable: 4 };
  const opposite = { player_count: { "5": -3, "-2": 1 }, marks: -5, unusable: -4 };
  expect(shardDocuments(together(data), -1)).toEqual([{ slot_ends_at: end, ...opposite }]);
  expect(shardDocuments(together({ marks: 1 }))).toEqual([{ slot_ends_at: end, marks: 1 }]);
});

test("changes with segments fill a document by their bytes, to the last one", () => {
  const segments = `${"m".repeat(40)}=${"v".repeat(16)} ${"n".repeat(40)}=${"v".repeat(15)}`;
  const fields = Array.from({ length: 5_000 }, (_, i) => [`${1_000 + i} ${segments}`, 1] as const);
  const documents = shardDocuments(together({ player_count: Object.fromEntries(fields) }));
  const sizes = documents.map(({ player_count: counts = {} }) => Object.keys(counts).length);
  // Each takes 128 bytes.
  expect(sizes).toEqual([shardBytesMax / 128, shardBytesMax / 128, 5_000 - shardBytesMax / 64]);
  for (const data of documents) expect(documentSize("a/b", data)).toBeLessThan(shardBytesMax + 1_024);
});

test("more scores than one document holds fill several, the counts in the first", () => {
  const scores = Array.from({ length: 2 * changesPerShardMax + 1 }, (_, score) => [String(score), score + 1]);
  const data = { player_count: Object.fromEntries(scores) as object, marks: 9 };
  const documents = shardDocuments(together(data)) as { player_count: object; marks?: number }[];
  const sizes = documents.map(({ player_count: counts }) => Object.keys(counts).length);
  expect(sizes).toEqual([changesPerShardMax, changesPerShardMax, 1]);
  expect(documents.map(({ marks }) => marks)).toEqual([9, undefined, undefined]);
  expect(Object.assign({}, ...documents.map((document) => document.player_count))).toEqual(data.player_count);
});

const page = (from: number | undefined, generation = 7) =>
  from === undefined ? { generation } : { generation, shards_from: at(from) };

test("a search begins where the last publication ended, and each sixtieth generation at the very beginning", () => {
  expect(shardsFromOf(60, at(5))).toBeNull();
  expect(shardsFromOf(61, at(5))).toEqual(at(5));
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
