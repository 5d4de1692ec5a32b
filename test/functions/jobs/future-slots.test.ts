/** A shard of a slot far ahead, which only somebody else's hand can have written: no run takes it. */
import { beforeEach, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { type SeasonKey, seasonPath, shardPath, shardsPath } from "../../../functions/src/documents/paths.ts";
import { findAlerts } from "../../../functions/src/jobs/schedule/watch.ts";
import { createSeason, repair } from "../../support/damage.ts";
import { eachWorld } from "../../support/world.ts";

const minute = 60_000;
const year = 365 * 24 * 60 * minute;

const world = eachWorld();
let key: SeasonKey;
beforeEach(async () => {
  key = await createSeason(world, "board", 5);
});

const codes = async () =>
  (await findAlerts(world.services, key, { inFlightMs: 0 })).alerts.map(({ code, call }) => [code, call]);

/** When the next run is due after eight intervals without a change. */
async function dueAfterIntervals(): Promise<unknown> {
  for (let i = 0; i < 8; i++) {
    world.advance(5 * minute);
    await world.tick();
  }
  return (await world.db.doc(seasonPath(key)).get()).get("next_run_at");
}

test.each([
  ["without a change", {}],
  ["that counts a player twice", { player_count: { "10": 1 }, marks: 1 }],
])(
  "one %s keeps the season awake until the alert, or an audit, leads to a repair",
  async (_what, changes) => {
    const endMs = world.services.now() + year;
    const slot = Timestamp.fromMillis(endMs);
    await world.db.doc(shardPath(key, "hand", endMs)).set({ slot_ends_at: slot, ...changes });
    expect(await dueAfterIntervals()).not.toBeNull();
    expect(await codes()).toEqual([["not_ranked", "repairSeason"]]);
    expect(await repair(world, key, { kind: "audit" })).toMatchObject({
      repair: "repair",
      found: { pages: ["changes lie in a slot of the future"] },
    });

    world.advance(minute);
    await repair(world, key);
    expect((await world.db.collection(shardsPath(key)).get()).size).toBe(0);
    expect(await repair(world, key, { kind: "audit", full: true })).toMatchObject({ repair: "none" });
    expect(await dueAfterIntervals()).toBeNull();
    expect(await codes()).toEqual([]);
  },
);

test("a slot that is open, by a clock some minutes off, is no alert", async () => {
  const endMs = world.services.now() + 5 * 60_000;
  await world.db
    .doc(shardPath(key, "early", endMs))
    .set({ slot_ends_at: Timestamp.fromMillis(endMs), player_count: {} });
  expect(await codes()).toEqual([]);
  expect(await repair(world, key, { kind: "audit" })).toMatchObject({ repair: "none" });
});
