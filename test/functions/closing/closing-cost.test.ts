/** What closing a season costs, phase by phase: the promises of closing/ and of docs/costs.md, measured. */
import { beforeEach, expect, test } from "vitest";
import { stepEnd } from "../../../functions/src/closing/step.ts";
import { readClosingRecord } from "../../../functions/src/documents/closing-record.ts";
import { playerPath, runPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Bill } from "../../../functions/src/documents/ranking-record.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { addBills, noBill } from "../../../functions/src/world/meter.ts";
import { createEnding, endSeason, expectFinal, playerFields, seasonOf } from "../../support/closing.ts";
import { createWorld, type World } from "../../support/world.ts";

/** Three documents of the standings, and two pages: 300 different scores. */
const players = 2_500;
const documents = 3;
const pages = 2;
/** Each phase begins by writing the record and its season. */
const recordWrites = 2;

let world: World;
let key: SeasonKey;
beforeEach(() => {
  world = createWorld();
});

/** A ranked season that ends; of the first thousand players by rank, at least one has metadata. */
async function createRanked(definition = {}): Promise<void> {
  const crowd = Object.fromEntries(
    Array.from({ length: players }, (_, i) => [
      `p${i}`,
      playerFields(i % 300, i, i === 299 ? { metadata: { country: "PT" } } : {}),
    ]),
  );
  key = await createEnding(world, "board", crowd, { definition: { top_size: 10, ...definition } });
  await publishRanking(world.services, key, { includeOpenSlot: true });
}

/** Ends the season and returns the bill of each phase, including the start of its steps. */
async function billsOf(): Promise<Map<string, Bill>> {
  const bills = new Map<string, Bill>();
  let phase = "settling";
  let before = world.meter.total();
  const endPhase = (next: string) => {
    const total = world.meter.total();
    const spent = {
      reads: total.reads - before.reads,
      writes: total.writes - before.writes,
      deletes: total.deletes - before.deletes,
    };
    bills.set(phase, addBills(bills.get(phase) ?? noBill(), spent));
    phase = next;
    before = world.meter.total();
  };
  await endSeason(world, key, {
    step: async (services) => {
      endPhase("looking on");
      const { status } = await seasonOf(world, key);
      endPhase(status === "closed" ? "clearing" : "settling");
      await stepEnd(services, { ...key, step: 0 }, { onPhase: endPhase });
      endPhase("looking on");
    },
  });
  return bills;
}

test("at most 1 read a player and 1 write for each 1,000, beside the last sweep and what does not grow", async () => {
  await createRanked();
  const bills = await billsOf();
  // Standings are read in chunks, each twice as large as the last, until a document is missing.
  const walk = 2 * documents + 1;
  const oneRead = 1; // of a missing document: after the last one, or before the first is written
  expect(bills.get("sweeping")).toEqual({
    reads: 2 * players + 2 * oneRead,
    writes: recordWrites,
    deletes: 0,
  });
  expect(bills.get("writing")).toEqual({
    reads: players + oneRead,
    writes: documents + 1 + recordWrites,
    deletes: 0,
  });
  const countedByThousands = 3 * 2;
  expect(bills.get("auditing")?.reads).toBeLessThanOrEqual(pages + countedByThousands + 5);
  expect(bills.get("ranking")?.reads).toBeLessThanOrEqual(2 * pages + 2 * 11 + 8);
  expect(bills.get("checking")?.reads).toBeLessThanOrEqual(pages + walk + 5);
  for (const phase of ["settling", "auditing", "ranking", "checking", "clearing"])
    expect(bills.get(phase)?.writes, phase).toBeLessThanOrEqual(12);
  const { reads, deletes } = bills.get("clearing") ?? noBill();
  expect(reads).toBeLessThanOrEqual(pages + 2 * walk + 12);
  expect(deletes).toBeGreaterThanOrEqual(players);
  expect(deletes).toBeLessThanOrEqual(players + 10);
  await expectFinal(world, key);
});

test("a season of the source count is read once a player, and nothing is swept, audited or deleted", async () => {
  await createRanked({ source: "count" });
  const bills = await billsOf();
  expect([...bills.keys()].sort()).toEqual([
    "checking",
    "clearing",
    "looking on",
    "ranking",
    "settling",
    "writing",
  ]);
  expect(bills.get("writing")).toMatchObject({ reads: players + 1, writes: documents + 1 + recordWrites });
});

test("a player whose event was lost costs the sweep 2 reads and 2 writes more", async () => {
  await createRanked();
  await world.db.doc(playerPath(key, "p7")).update({ score: 1_000 });
  const bills = await billsOf();
  expect(bills.get("sweeping")).toEqual({
    reads: 2 * players + 2 + 2,
    writes: recordWrites + 2,
    deletes: 0,
  });
  await expectFinal(world, key);
});

test("the record says what all of it was billed", async () => {
  await createRanked();
  const bills = await billsOf();
  const { closing_run: run } = await seasonOf(world, key);
  const { billed } = readClosingRecord((await world.db.doc(runPath(key, run ?? "")).get()).data());
  const spent = [...bills]
    .filter(([phase]) => phase !== "looking on")
    .reduce((sum, [, bill]) => addBills(sum, bill), noBill());
  // The last run has its own record, and the first and last transactions are not in this one.
  expect(billed.reads).toBeGreaterThan(3 * players);
  expect(billed.reads).toBeLessThanOrEqual(spent.reads);
  expect(billed.deletes).toBeLessThanOrEqual(spent.deletes);
  expect(billed.deletes).toBeGreaterThanOrEqual(players);
});
