import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { changesPerShardMax } from "../model/limits.ts";
import { addDocument, noChanges, shardDocuments, takenBack } from "./shard-documents.ts";

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
  const opposite = takenBack(together(data));
  expect(shardDocuments(opposite)).toEqual([
    { slot_ends_at: end, player_count: { "5": -3, "-2": 1 }, marks: -5, unusable: -4 },
  ]);
  const both = together(data, ...(shardDocuments(opposite) as Record<string, unknown>[]));
  expect(shardDocuments(both)).toEqual([]);
});
