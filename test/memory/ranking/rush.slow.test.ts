/**
 * A rush: the 7,000 changed scores a second that the model of load carries, packed into shard documents as the instances
 * pack them. Whole slots of it fit Firestore's commit, whose limit no emulator has: here each commit is weighed, with its
 * deletions and index entries.
 */
import { beforeEach, expect, test } from "vitest";
import { instancesOf, ratePerSecondMax } from "../../../bench/load/scenarios.ts";
import { createOwnShards, type OwnShards } from "../../../functions/src/counting/own-shards.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { shardPath, shardsPath } from "../../../functions/src/documents/paths.ts";
import { documentSize } from "../../../functions/src/model/document-size.ts";
import {
  pagesMax,
  rowsMax,
  shardBytesMax,
  shardChangeBytesMax,
  shardCommitsApartMs,
  shardsPerPublicationMax,
  slotMs,
} from "../../../functions/src/model/limits.ts";
import { scoreToField } from "../../../functions/src/model/score.ts";
import { slotEnd } from "../../../functions/src/model/slot.ts";
import { publicationExtraWrites } from "../../../functions/src/ranking/publication.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { weighCommits } from "../../support/commits.ts";
import { publishRows } from "../../support/crowd.ts";
import { allTime, createBoard, createWorld, presentOf, type World } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const key = allTime("board");
const perSecond = ratePerSecondMax;
const players = (perSecond * slotMs) / 1_000;
let world: World;

beforeEach(async () => {
  world = createWorld();
  await createBoard(world, "board", { ranking_interval_minutes: 1 });
  await boardCacheOf(world.services).open(presentOf(key));
});

/** The ranking before: everybody has a score of their own, so that the pages are full. */
async function publishBefore(scoreOf: (i: number) => number): Promise<void> {
  const scores = Array.from({ length: players }, (_, i) => scoreOf(i)).sort((a, b) => b - a);
  const single = 2 * rowsMax - players;
  const rows = Array.from({ length: rowsMax }, (_, i) => {
    const at = i < single ? i : single + 2 * (i - single);
    const [score = NaN, next = NaN] = [scores[at], scores[at + 1]];
    return i < single ? { score, low: score, players: 1 } : { score, low: next, players: 2 };
  });
  await publishRows(
    world,
    key,
    "descending",
    rows.filter(({ score }) => !Number.isNaN(score)),
  );
}

/** Writes the shard documents of one slot, in which each player goes from one score to another. */
async function rush(
  instances: number,
  everyMs: number,
  from: (i: number) => number,
  to: (i: number) => number,
) {
  const slotEndsAtMs = slotEnd(world.services.now(), slotMs);
  let nowMs = slotEndsAtMs - slotMs;
  const all: OwnShards[] = Array.from({ length: instances }, (_, i) =>
    createOwnShards({
      now: () => nowMs,
      process: `instance-${i}`,
      apartMs: shardCommitsApartMs,
      bytesMax: shardBytesMax,
    }),
  );
  const documents = new Map<string, Map<number, number>>();
  let player = 0;
  for (let due = 0; nowMs < slotEndsAtMs; nowMs += everyMs) {
    due += (perSecond * everyMs) / 1_000 / instances;
    const each = Math.floor(due);
    due -= each;
    for (const shards of all) {
      const changed = Math.min(each, players - player);
      const shard = shards.take(key, slotEndsAtMs, 2 * changed * shardChangeBytesMax);
      const counts = documents.get(shard.name) ?? new Map<number, number>();
      documents.set(shard.name, counts);
      for (let i = 0; i < changed; i++, player++) {
        counts.set(from(player), (counts.get(from(player)) ?? 0) - 1);
        counts.set(to(player), (counts.get(to(player)) ?? 0) + 1);
      }
      shard.giveBack();
    }
  }
  expect(player).toBeGreaterThan(0.95 * players);
  const writer = world.db.bulkWriter({ throttling: false });
  for (const [name, counts] of documents) {
    const path = shardPath(key, name, slotEndsAtMs);
    const fields = {
      slot_ends_at: Timestamp.fromMillis(slotEndsAtMs),
      player_count: Object.fromEntries([...counts].map(([score, delta]) => [scoreToField(score), delta])),
      marks: counts.size / 2,
    };
    expect(documentSize(path, fields)).toBeLessThanOrEqual(shardBytesMax);
    void writer.set(world.db.doc(path), fields);
  }
  await writer.close();
  return documents.size;
}

test.each([
  ["on the instances of the model, in their own documents", instancesOf(perSecond), 250, 1],
  ["on 1,200 instances, in documents that are joined first", 1_200, 500, 1],
  ["of the longest scores there are", 40, 250, 1e-7 / 3],
])("a slot of 7,000 changes a second is published whole, %s", async (_, instances, everyMs, unit) => {
  const from = (i: number) => -(3 * i + 1) * unit;
  const to = (i: number) => -(3 * i + 2) * unit;
  await publishBefore(from);
  const documents = await rush(instances, everyMs, from, to);
  expect(documents > shardsPerPublicationMax).toBe(instances === 1_200);
  world.advance(60_000);
  const expectThatTheyFit = weighCommits(world);
  const record = await publishRanking(world.services, key);
  expect(record).toMatchObject({
    outcome: "published",
    generation: 2,
    attempts: 1,
    players,
    found: { owed_rows: 0 },
    wrote: { pages: pagesMax },
  });
  expect(record.shards_joined > 0).toBe(documents > shardsPerPublicationMax || unit < 1);
  if (record.shards_joined === 0) expect(record.billed.writes).toBe(pagesMax + publicationExtraWrites);
  expectThatTheyFit();
  expect((await world.db.collection(shardsPath(key)).get()).size).toBe(0);
});
