/** Each way to damage a season, what the audits say about it, and the repair that mends it. */
import { expect, test } from "vitest";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { AuditRecord } from "../../../functions/src/documents/repair-record.ts";
import { onePageRowsMax } from "../../../functions/src/model/limits.ts";
import { createSeason, damages, repair } from "../../support/damage.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();

type Repair = AuditRecord["repair"];

/**
 * What the cheap audit and the full one ask for: the cheap one misses errors that cancel out in the totals.
 */
const advice: Record<keyof typeof damages, [cheap: Repair, full: Repair]> = {
  "page 0 deleted": ["repair", "repair"],
  "the last page deleted": ["repair", "repair"],
  "a page of an older generation": ["repair", "repair"],
  "a page that is none": ["repair", "repair"],
  "a page with wrong counts": ["repair", "repair"],
  "a page too many": ["repair", "repair"],
  "a shard deleted": ["none", "repair"],
  "increments applied twice": ["none", "repair"],
  "increments applied twice and folded": ["none", "repair"],
  "a mark that is wrong": ["none", "repair"],
  "a mark that is wrong, and counted so": ["none", "repair"],
  "a mark that is none": ["repair", "repair"],
  "a mark deleted": ["repair", "repair"],
  "a mark of a player without a score": ["repair", "repair"],
  "players changed while no trigger heard": ["repair", "repair"],
};

async function auditOf(key: SeasonKey, full: boolean): Promise<Repair> {
  const record = await repair(world, key, { kind: "audit", full });
  if (record.kind !== "audit") throw new Error("that was no audit");
  return record.repair;
}

/** Damages a season that is whole, which is whole again at the end. */
async function expectMended(key: SeasonKey, name: keyof typeof damages): Promise<void> {
  const audit = (full: boolean) => auditOf(key, full);
  expect([await audit(false), await audit(true)], name).toEqual(["none", "none"]);
  await damages[name]?.(world, key);
  expect([await audit(false), await audit(true)], name).toEqual(advice[name]);
  expect(await repair(world, key), name).toMatchObject({ outcome: "done", phase: "ended" });
  await expectConserved(world, key);
  await expectConverged(world, key);
  await world.publish(key);
  await expectRanked(world, key);
  expect([await audit(false), await audit(true)], name).toEqual(["none", "none"]);
}

const [ofPages, ofOthers] = [true, false].map((isOfPages) =>
  Object.keys(damages).filter((name) => name.includes("page") === isOfPages),
);

test.each(ofOthers ?? [])("%s is found by the audits, and mended by a repair", async (name) => {
  await expectMended(await createSeason(world, "board", 60), name);
});

test("what happens to pages is found and mended too, where there are several", async () => {
  const key = await createSeason(world, "board", onePageRowsMax + 10);
  for (const name of ofPages ?? []) await expectMended(key, name);
});
