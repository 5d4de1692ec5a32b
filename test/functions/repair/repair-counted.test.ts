/** Audits and repairs of boards of the source `count`, and the change from one source to the other. */
import { beforeEach, expect, test } from "vitest";
import { indexEntryPath, pagePath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { sourceKnownMs } from "../../../functions/src/model/limits.ts";
import { removePlayerSpec } from "../../../functions/src/operations/remove-player.ts";
import { saveLeaderboardSpec } from "../../../functions/src/operations/save-leaderboard.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { createSeason, play, repair } from "../../support/damage.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { admin, createWorld, type World } from "../../support/world.ts";

let world: World;
let key: SeasonKey;
const everything = { includeOpenSlot: true };
async function save(source: "index" | "count"): Promise<void> {
  const definition = { aggregation: "latest" as const, top_size: 10, source };
  await world.call(saveLeaderboardSpec, { leaderboard: "board", definition }, admin);
  // Until every instance knows, a rebuild is refused.
  world.advance(sourceKnownMs);
}

/** A board that was indexed, is counted now, and has players who are in no index. */
beforeEach(async () => {
  world = createWorld();
  key = await createSeason(world, "board", 40);
  await save("count");
  await play(world, key, "p1", 4_321);
  await play(world, key, "newcomer", 55);
  await publishRanking(world.services, key, everything);
});

test("a counted board whose index is out of date needs no repair", async () => {
  for (const full of [false, true])
    expect(await repair(world, key, { kind: "audit", full })).toMatchObject({ repair: "none" });
});

test("a counted board with a page gone is rebuilt from its players", async () => {
  await world.db.doc(pagePath(key, 0)).delete();
  expect(await repair(world, key, { kind: "audit" })).toMatchObject({ repair: "rebuild" });
  expect(await repair(world, key, { kind: "rebuild" })).toMatchObject({ outcome: "done" });
  await expectRanked(world, key);
  expect(await repair(world, key, { kind: "audit" })).toMatchObject({ repair: "none" });
  await play(world, key, "p2", 9_999);
  const record = await publishRanking(world.services, key, everything);
  expect(record).toMatchObject({ outcome: "published", generation: 4, players: 41 });
});

test("counts that are wrong are found and rebuilt", async () => {
  const page = world.db.doc(pagePath(key, 0));
  const { players, players_until: until } = (await page.get()).data() as Record<string, number>;
  await page.update({ players: (players ?? 0) + 1, players_until: (until ?? 0) + 1 });
  expect(await repair(world, key, { kind: "audit" })).toMatchObject({
    repair: "rebuild",
    found: { conservation: { difference: 1 } },
  });
  await repair(world, key, { kind: "rebuild" });
  await expectRanked(world, key);
});

test("a sweep of a counted board leaves its old index alone", async () => {
  expect(await repair(world, key, { kind: "sweep" })).toMatchObject({ swept: { differing: 0, changed: 0 } });
});

test("a board that goes back to the index is whole after a full rebuild", async () => {
  await save("index");
  await expect(publishRanking(world.services, key, everything)).resolves.toMatchObject({
    outcome: "nothing_to_do",
  });
  expect(await repair(world, key, { kind: "rebuild", full: true })).toMatchObject({ outcome: "done" });
  await expectRanked(world, key);
  await expectConserved(world, key);
  await expectConverged(world, key);
  for (const full of [false, true])
    expect(await repair(world, key, { kind: "audit", full })).toMatchObject({ repair: "none" });
});

test("a removed player leaves no old index entry on a counted board", async () => {
  await world.call(removePlayerSpec, { player: "p3" }, admin);
  expect((await world.db.doc(indexEntryPath(key, "p3")).get()).exists).toBe(false);
  expect(await publishRanking(world.services, key, everything)).toMatchObject({ players: 40 });
});
