/** Repairs of seasons with a shard document in a slot that ended long ago, as from a backup or a foreign hand. */
import { beforeEach, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  pagePath,
  type SeasonKey,
  seasonPath,
  shardPath,
  shardsPath,
} from "../../../functions/src/documents/paths.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { rebuild } from "../../../functions/src/jobs/repair/rebuild.ts";
import { createSeason, play, repair } from "../../support/damage.ts";
import { expectConserved, expectRanked } from "../../support/oracle.ts";
import { createWorld, type World } from "../../support/world.ts";

const minute = 60_000;
const everything = { includeOpenSlot: true };
const nothing = { attempts: 0, marks: 0, pending_shards: 0, players: 0, rows: 0, pages: 0, settles_at: null };
let world: World;
let key: SeasonKey;

/** A season of players p0 to p9 with the scores 0, 10, …, 90, whose runs search only the last minutes for shards. */
beforeEach(async () => {
  world = createWorld();
  key = await createSeason(world, "board", 10);
  world.advance(30 * minute);
  await play(world, key, "p1", 15);
  world.advance(10 * minute);
  await publishRanking(world.services, key);
  world.advance(2 * minute);
});

/** Adds a player whom nobody has at 50, in a slot of 20 minutes ago. */
async function addStraggler(): Promise<void> {
  const endMs = Math.floor(world.services.now() / minute) * minute - 20 * minute;
  await world.db.doc(shardPath(key, 9, endMs)).set({
    slot_ends_at: Timestamp.fromMillis(endMs),
    player_count: { "50": 1 },
    marks: 1,
  });
}

test("a repair ends with right ranks although an old slot has a shard that nobody wrote", async () => {
  await addStraggler();
  expect(await repair(world, key, { kind: "audit" })).toMatchObject({ repair: "repair" });
  expect(await repair(world, key)).toMatchObject({ outcome: "done" });
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("an instance that remembers the ranking of before a repair publishes right ranks too", async () => {
  const other = world.anotherInstance();
  const board = await other.boards.load(key);
  await addStraggler();
  // Without its last run, as if the process had died.
  await rebuild(world.services, board, "a-repair", nothing);
  await play(world, key, "p2", 25);
  await publishRanking(other, key, everything);
  await expectRanked(world, key);
  await expectConserved(world, key);
});

test("an instance that remembers a later ranking than a restored one finds all of its shards", async () => {
  const backup = await Promise.all(
    [seasonPath(key), pagePath(key, 0)].map((path) => world.db.doc(path).get()),
  );
  world.advance(10 * minute);
  await play(world, key, "p3", 35);
  const shards = await world.db.collection(shardsPath(key)).get();
  world.advance(20 * minute);
  await publishRanking(world.services, key);
  const other = world.anotherInstance();
  await other.boards.load(key);
  for (const document of [...backup, ...shards.docs]) await document.ref.set(document.data() ?? {});
  await play(world, key, "p4", 45);
  await publishRanking(other, key, everything);
  await expectRanked(world, key);
  await expectConserved(world, key);
});
