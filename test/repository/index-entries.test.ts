/** No document has more than a few of the 40,000 index entries that Firestore takes, which the emulators do not count. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { storedDefinition } from "../../functions/src/model/definition.ts";
import {
  metadataBytesMax,
  rowsPerPageMax,
  submissionIdsMax,
  topSizeMax,
} from "../../functions/src/model/limits.ts";
import { scoreToField } from "../../functions/src/model/score.ts";
import { submitScoreSpec } from "../../functions/src/operations/submit-score.ts";
import { packPages } from "../../functions/src/ranking/pack-pages.ts";
import { publishRanking } from "../../functions/src/ranking/run.ts";
import { submissionFields } from "../../functions/src/submit/schema.ts";
import { buildTop } from "../../functions/src/top/build-top.ts";
import { root } from "../../scripts/project.ts";
import { allTime, createBoard, createWorld, user, type World } from "../support/world.ts";
import { entriesOfContainers, indexEntries, type IndexFile } from "./index-check.ts";

const file = JSON.parse(readFileSync(join(root, "firestore.indexes.json"), "utf8")) as IndexFile;
const noExemptions: IndexFile = { ...file, fieldOverrides: [] };
const firestoreMax = 40_000;
const few = 100;
const ofMetadata = 1_000;

const manyKeys = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`k${i}`, 1]));
const columns = Array.from({ length: 8 }, (_, i) => ({ name: `column_${i}`, min: 0, max: 9 }));
const tiers = Array.from({ length: 20 }, (_, i) => ({ name: `tier ${i}`, top_percent: i + 1 }));
const key = allTime("board");

/** Documents of a board with everything in it, by collection. */
const stored = new Map<string, Record<string, unknown>[]>();

beforeAll(async () => {
  const world = createWorld();
  await createBoard(world, "board", { aggregation: "sum", columns, tiers });
  for (let i = 0; i <= submissionIdsMax; i++) await submit(world, `try-${i}`);
  await world.deliver(key, "ann");
  await publishRanking(world.services, key, { includeOpenSlot: true });
  await submit(world, "last", 1);
  await world.deliver(key, "ann");
  await read(world);
});

test("the board has a document of every kind", () => {
  const kinds = [
    "events",
    "index_entries",
    "leaderboards",
    "players",
    "runs",
    "scores",
    "scores_ranking",
    "seasons",
    "top",
  ];
  expect([...stored.keys()].sort()).toEqual(kinds);
  expect(stored.get("players")).toMatchObject([
    { columns: { column_0: 1 }, metadata: { k0: 1 }, submission_ids: { length: submissionIdsMax } },
  ]);
});

test("every map or array that is stored is exempt from indexing or stays small", () => {
  for (const [collection, documents] of stored) {
    for (const document of documents) {
      for (const [field, entries] of Object.entries(entriesOfContainers(collection, document, file))) {
        const most = field === "metadata" ? ofMetadata : few;
        expect(entries, `${collection}: ${field}`).toBeLessThan(most);
      }
    }
  }
});

test("metadata, which a game's own players may have as well, keeps its indexes: 1 KB holds few hundred entries", () => {
  const { metadata: schema } = submissionFields;
  const numbers = Array.from({ length: 1_000 }, (_, i) => i % 10);
  const letters = Array.from({ length: 1_000 }, (_, i) => String.fromCharCode(0x100 + i));
  const largest = [
    (size: number) => ({ list: numbers.slice(0, size) }),
    (size: number) => Object.fromEntries(letters.slice(0, size).map((name) => [name, 0])),
    (size: number) => ({ lists: letters.slice(0, size).map((name) => ({ [name]: 0 })) }),
  ].map((make) => make(numbers.findIndex((_, size) => !schema.safeParse(make(size + 1)).success)));
  for (const metadata of largest) {
    expect(JSON.stringify(metadata).length).toBeGreaterThan(metadataBytesMax / 2);
    const document = { ...stored.get("players")?.[0], metadata };
    expect(indexEntries("players", document, file)).toBeLessThan(ofMetadata);
  }
});

test("maps and arrays that grow with the players have no index entries", () => {
  const growing = {
    scores: ["player_count"],
    scores_ranking: ["scores", "players_above"],
    top: ["entries"],
  };
  for (const [collection, fields] of Object.entries(growing)) {
    const document = stored.get(collection)?.[0] ?? {};
    const entries = entriesOfContainers(collection, document, file);
    expect(entries).toEqual(Object.fromEntries(Object.keys(entries).map((field) => [field, 0])));
    expect(Object.keys(entries).sort()).toEqual(fields.toSorted());
  }
});

describe("the largest", () => {
  const shard = () => ({
    ...stored.get("scores")?.[0],
    player_count: Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [scoreToField(i / 8), 1])),
  });
  const page = () => {
    const scores = Float64Array.from({ length: rowsPerPageMax + 9_000 }, (_, i) => -i * 2);
    const lows = scores.map((score) => score - 1);
    const players = scores.map((_, i) => (i < rowsPerPageMax ? 2 : -1));
    const now = Timestamp.now();
    const generation = { generation: 1, unusable_scores: 0, as_of: now, read_at: now, next_publish_at: now };
    return packPages("descending", { scores, lows, players }, generation)[0] ?? {};
  };
  const top = () => {
    const definition = storedDefinition.parse({ columns, top_size: topSizeMax });
    const player = stored.get("players")?.[0] ?? {};
    const listed = Array.from({ length: topSizeMax }, (_, i) => ({ id: `player-${i}`, data: player }));
    return buildTop("top", definition, listed, {
      generation: 1,
      as_of: Timestamp.now(),
      players: topSizeMax,
    });
  };
  const largest: [kind: string, collection: string, make: () => object][] = [
    ["shard, of 20,000 different scores,", "scores", shard],
    ["page, of 256 merged rows and 9,000 owed ones,", "scores_ranking", page],
    ["top, of 1,000 players,", "top", top],
  ];

  test.each(largest)("%s has few index entries", (_kind, collection, make) => {
    const document = make();
    expect(Object.values(document).length).toBeGreaterThan(2);
    expect(indexEntries(collection, document, file)).toBeLessThan(few);
  });

  test("shard and page could not be stored without their exemptions", () => {
    expect(indexEntries("scores", shard(), noExemptions)).toBeGreaterThan(firestoreMax);
    const { owed = [], lows = [] } = page() as { owed?: unknown[]; lows?: unknown[] };
    expect([owed.length, lows.length]).toEqual([9_000, rowsPerPageMax]);
    expect(indexEntries("scores_ranking", page(), noExemptions)).toBeGreaterThan(9_000);
    expect(indexEntries("top", top(), noExemptions)).toBeGreaterThan(topSizeMax);
  });
});

test("the estimate counts scalars in both directions, elements once, maps by what they hold, and composite indexes", () => {
  const none: IndexFile = { indexes: [], fieldOverrides: [] };
  expect(indexEntries("c", {}, none)).toBe(0);
  expect(indexEntries("c", { a: 1, b: null, c: Timestamp.now() }, none)).toBe(6);
  expect(indexEntries("c", { list: [1, 2, 3] }, none)).toBe(2 + 3);
  expect(indexEntries("c", { map: { a: 1, inner: { b: 2 }, list: [1] } }, none)).toBe(
    2 + 2 + (2 + 2) + (2 + 1),
  );
  const composite = {
    collectionGroup: "c",
    queryScope: "COLLECTION",
    fields: [{ fieldPath: "a", order: "ASCENDING" }],
  };
  expect(indexEntries("c", { a: 1 }, { ...none, indexes: [composite] })).toBe(3);
  const exempt = { collectionGroup: "c", fieldPath: "map", indexes: [] };
  const kept = {
    collectionGroup: "c",
    fieldPath: "map.a",
    indexes: [{ order: "ASCENDING", queryScope: "COLLECTION" }],
  };
  expect(indexEntries("c", { map: { a: 1, b: 1 } }, { ...none, fieldOverrides: [exempt] })).toBe(0);
  expect(indexEntries("c", { map: { a: 1, b: 1 } }, { ...none, fieldOverrides: [exempt, kept] })).toBe(1);
});

async function submit(world: World, id: string, value = 0): Promise<void> {
  const values = Object.fromEntries(columns.map(({ name }) => [name, value]));
  const submission = { leaderboard: "board", columns: values, submission_id: id, metadata: manyKeys };
  await world.call(submitScoreSpec, submission, user("ann"));
}

async function read({ db }: World): Promise<void> {
  const pending = await db.listCollections();
  for (let collection = pending.pop(); collection !== undefined; collection = pending.pop()) {
    const { docs } = await collection.get();
    stored.set(collection.id, [
      ...(stored.get(collection.id) ?? []),
      ...docs.map((document) => document.data()),
    ]);
    for (const { ref } of docs) pending.push(...(await ref.listCollections()));
  }
}
