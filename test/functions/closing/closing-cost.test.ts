/** What closing a season costs, phase by phase: the promises of closing/ and of docs/costs.md, measured. */
import { beforeEach, expect, test } from "vitest";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { EndOptions } from "../../../functions/src/jobs/closing/take-up.ts";
import type { ClosingRequest } from "../../../functions/src/world/tasks.ts";
import type { Bill } from "../../../functions/src/documents/ranking-record.ts";
import { addBills, noBill } from "../../../functions/src/world/meter.ts";
import {
  createEnding,
  endSeason,
  expectFinal,
  playerFields,
  recordOf,
  seasonOf,
  writePlayers,
} from "../../support/closing.ts";
import { callOn, admin, eachWorld } from "../../support/world.ts";

/** Three documents of the standings, and two pages: 300 different scores. */
const players = 2_500;
const documents = 3;
const pages = 2;
/** The record and its season. */
const recordWrites = 2;

const world = eachWorld();
let key: SeasonKey;
beforeEach(async () => {
  const crowd = Object.fromEntries(
    Array.from({ length: players }, (_, i) => [
      `p${i}`,
      playerFields(i % 300, i, i === 299 ? { metadata: { country: "PT" } } : {}),
    ]),
  );
  // Of the first thousand players by rank, one has metadata.
  key = await createEnding(world, "board", crowd, { definition: { top_size: 10 } });
  await world.publish(key);
});

/** Ends the season and returns the bill of each phase, including the start of its steps. */
async function billsOf(
  options: EndOptions = {},
  before: (phase: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<Map<string, Bill>> {
  const bills = new Map<string, Bill>();
  let phase = "waiting";
  let last = world.meter.total();
  const endPhase = (next: string) => {
    const total = world.meter.total();
    const spent = {
      reads: total.reads - last.reads,
      writes: total.writes - last.writes,
      deletes: total.deletes - last.deletes,
    };
    bills.set(phase, addBills(bills.get(phase) ?? noBill(), spent));
    phase = next;
    last = world.meter.total();
  };
  await endSeason(world, key, {
    step: async (services) => {
      endPhase("looking on");
      const { status, closing_run: run } = await seasonOf(world, key);
      await before(run === null ? "open" : (await recordOf(world, key)).phase);
      endPhase(status === "closed" ? "clearing" : "waiting");
      await stepEnd(services, { ...key, step: 0 }, { ...options, onPhase: endPhase });
      endPhase("looking on");
    },
  });
  return bills;
}

/** Beginning a step: the season, the record, and that it runs. */
const step = { reads: 2, writes: recordWrites };
const board = 2;
const counts = Math.ceil(players / 1_000);

test("1 read a player, 2 for each 1,000 to count them, and 1 write for each 1,000, beside what does not grow", async () => {
  const bills = await billsOf();
  // Scores, and the players of three statuses, of which nobody has two.
  expect(bills.get("completing")).toEqual({
    reads: 1 + 2 * counts + 2,
    writes: recordWrites,
    deletes: 0,
  });
  // The range is looked for before and after it is written, and says in between how far it is.
  expect(bills.get("writing")).toEqual({
    reads: 1 + 1 + players + 1,
    writes: documents + 1 + 1 + recordWrites,
    deletes: 0,
  });
  const metadata = 1;
  const top = 1 + 2 * 1 + 10;
  const closing = bills.get("publishing");
  expect(closing?.reads).toBeLessThanOrEqual(1 + pages + 1 + documents + metadata + top + 10);
  expect(closing?.writes).toBeLessThanOrEqual(pages + 8);
  for (const phase of ["waiting", "clearing"])
    expect(bills.get(phase)?.writes, phase).toBeLessThanOrEqual(12);
  expect(bills.get("clearing")?.deletes).toBeLessThanOrEqual(4);
  await expectFinal(world, key);
});

test("incomplete documents cost a search of 1 read a player, and 2 reads and 1 write each", async () => {
  await writePlayers(world, key, { bare: { score: 7 }, other: { score: 8 } });
  const bills = await billsOf();
  const counted = 2 * (1 + 2 * counts + 2);
  const searched = players + 2;
  // Each time that the season is counted, or a part of it searched, the record says so.
  expect(bills.get("completing")?.reads).toBeGreaterThanOrEqual(counted + searched + 2 * 2);
  expect(bills.get("completing")?.reads).toBeLessThanOrEqual(
    counted + searched + 2 * 2 + board + 12 * step.reads,
  );
  expect(bills.get("completing")?.writes).toBeLessThanOrEqual(2 + 1 + 12 * step.writes);
  await expectFinal(world, key);
});

test("a change of an admin while the season closes costs a note, and what a revision writes", async () => {
  let isDone = false;
  const plain = await billsOf({ budgetMs: 0 }, async (phase) => {
    if (phase !== "writing" || isDone) return;
    isDone = true;
    await world.call("setPlayerStatus", { leaderboard: "board", player: "p1", status: "hidden" }, admin);
  });
  expect(isDone).toBe(true);
  const { reads = 0, writes = 0, deletes } = plain.get("publishing") ?? {};
  // The note, the player, the summary, and a document with its metadata.
  expect(reads).toBeLessThanOrEqual(1 + pages + 1 + documents + 1 + 13 + 10 + 6);
  expect(writes).toBeLessThanOrEqual(pages + 8 + 3);
  expect(deletes).toBe(1);
  await expectFinal(world, key);
});

test.each([
  ["", []],
  [", and of ranges that are read twice", ["noisy"]],
])("the record says what all of it was billed, also by tasks of its ranges%s", async (_, more) => {
  const crowd = Object.fromEntries(
    Array.from({ length: players }, (_, i) => [`p${i}`, playerFields(i % 300, i)]),
  );
  key = await createEnding(world, "rounded", crowd, { definition: { decimals: 1 } });
  // The worst player, in the last range: the others are written by then.
  for (const player of more) await writePlayers(world, key, { [player]: playerFields(0.1 - 0.3, 0) });
  const options = { documentsPerRead: 100, rangePlayers: 600 };
  const tasks: ClosingRequest[] = [];
  world.services.enqueueJob = (request) => {
    if (request.job === "end") tasks.push(request);
    return Promise.resolve();
  };
  const bills = await billsOf(options, async () => {
    for (let request = tasks.shift(); request !== undefined; request = tasks.shift())
      await stepEnd(world.services, request, options);
  });
  const { billed } = await recordOf(world, key);
  // Between the steps, the tasks, which look around before and after their work; and a few reads of the test.
  const spent = [...bills.values()].reduce((sum, bill) => addBills(sum, bill), noBill());
  expect(billed.reads).toBeGreaterThan(players);
  expect(billed.reads).toBeLessThanOrEqual(spent.reads);
  expect(billed.reads).toBeGreaterThan(spent.reads - 100 * (1 + more.length));
  expect((await recordOf(world, key)).pass).toBe(more.length);
  expect(billed.deletes).toBe(spent.deletes);
});

test("an erasure and a merge look into each closed season for what docs/costs.md says, though the player is in none", async () => {
  const bills = [];
  for (const season of ["cup-1", "cup-2"]) {
    const one = await createEnding(world, "other", { ann: playerFields(1, 1) }, { season });
    await endSeason(world, one);
    const ask = async (name: "removePlayer" | "mergePlayers", request: object) => {
      const call = () => callOn(world.services, name, { leaderboard: "other", ...request }, admin);
      return await world.bill(call);
    };
    bills.push({
      removed: await ask("removePlayer", { player: "nobody" }),
      merged: await ask("mergePlayers", { from: "nobody", to: "ann" }),
    });
  }
  const [first, second] = bills;
  const more = (name: "removed" | "merged") => (second?.[name].reads ?? NaN) - (first?.[name].reads ?? NaN);
  expect([more("removed"), more("merged")]).toEqual([5, 6]);
  expect(second).toMatchObject({ removed: { writes: 1, deletes: 1 }, merged: { writes: 0, deletes: 0 } });
});

test("an erasure that is repeated costs in closed seasons what that of a player costs who was never there", async () => {
  for (const season of ["cup-1", "cup-2"])
    await endSeason(world, await createEnding(world, "other", { ann: playerFields(1, 1) }, { season }));
  const erase = async (player: string) => {
    const call = () => world.call("removePlayer", { leaderboard: "other", player }, admin);
    return world.meter.measure(call);
  };
  const first = await erase("ann");
  expect(first.result.removed.map(({ season }) => season)).toEqual(["cup-1", "cup-2"]);
  const { bill: again } = await erase("ann");
  const { bill: never } = await erase("nobody");
  expect(again).toEqual(never);
});
