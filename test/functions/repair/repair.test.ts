/** Each way to damage a season, what the audits say about it, and the repair that they name. */
import { beforeEach, describe, expect, test } from "vitest";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Repair } from "../../../functions/src/documents/repair-record.ts";
import { rowsPerPageMax } from "../../../functions/src/model/limits.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { createSeason, damages, repair } from "../../support/damage.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { createWorld, type World } from "../../support/world.ts";

const size = rowsPerPageMax + 10;
let world: World;
let key: SeasonKey;

beforeEach(async () => {
  world = createWorld();
  key = await createSeason(world, "board", size);
});

/**
 * The repairs that the cheap audit and the full one name: the cheap one misses errors that cancel out in the totals.
 */
const advice: Record<keyof typeof damages, [cheap: Repair, full: Repair]> = {
  "page 0 deleted": ["rebuild", "rebuild"],
  "the last page deleted": ["rebuild", "rebuild"],
  "a page of an older generation": ["rebuild", "rebuild"],
  "a page that is none": ["rebuild", "rebuild"],
  "a page with wrong counts": ["rebuild", "rebuild"],
  "a page too many": ["rebuild", "rebuild"],
  "a shard deleted": ["none", "rebuild"],
  "increments applied twice": ["none", "rebuild"],
  "increments applied twice and folded": ["none", "rebuild"],
  "an index entry that is wrong": ["none", "full_rebuild"],
  "an index entry that is wrong, and counted so": ["none", "sweep"],
  "an index entry that is none": ["full_rebuild", "full_rebuild"],
  "an index entry deleted": ["full_rebuild", "full_rebuild"],
  "an index entry of nobody": ["full_rebuild", "full_rebuild"],
  "players changed while no trigger heard": ["sweep", "sweep"],
};

async function audit(full: boolean): Promise<Repair> {
  const record = await repair(world, key, { kind: "audit", full });
  if (record.kind !== "audit") throw new Error("that was no audit");
  return record.repair;
}

describe.each(Object.entries(damages))("%s", (name, damage) => {
  test("is found by the audits, and fixed by the repair that they name", async () => {
    expect([await audit(false), await audit(true)]).toEqual(["none", "none"]);
    await damage(world, key);
    const named = await audit(true);
    expect([await audit(false), named]).toEqual(advice[name]);
    await mend(named);
    await expectConserved(world, key);
    await expectConverged(world, key);
    await publishRanking(world.services, key, { includeOpenSlot: true });
    await expectRanked(world, key);
    expect([await audit(false), await audit(true)]).toEqual(["none", "none"]);
  });
});

async function mend(named: Repair): Promise<void> {
  if (named === "none") throw new Error("no repair was named");
  const what = named === "sweep" ? ({ kind: "sweep" } as const) : ({ kind: "rebuild" } as const);
  const record = await repair(world, key, { ...what, full: named === "full_rebuild" });
  expect(record).toMatchObject({ outcome: "done" });
}
