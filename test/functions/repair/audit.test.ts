/** What audits and repairs cost, what counts as in flight, and which seasons the daily audit visits. */
import { beforeEach, expect, test, vi } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  playerPath,
  playersPath,
  runPath,
  runsPath,
  type SeasonKey,
  seasonPath,
} from "../../../functions/src/documents/paths.ts";
import { smallSeasonPlayersMax } from "../../../functions/src/model/limits.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { readAll } from "../../../functions/src/jobs/repair/season-state.ts";
import { stepRepair } from "../../../functions/src/jobs/repair/repair.ts";
import { enqueueAudits } from "../../../functions/src/jobs/schedule/schedule.ts";
import { stepTogether } from "../../../functions/src/jobs/schedule/step.ts";
import type { JobRequest } from "../../../functions/src/world/tasks.ts";
import { createSeason, damages, play, repair, withQueue } from "../../support/damage.ts";
import { patienceMs } from "../../support/patience.ts";
import { type World, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const size = 40;
const day = 86_400_000;
const world = eachWorld();
let key: SeasonKey;
const topCost = 10 + 1;

beforeEach(async () => {
  key = await createSeason(world, "board", size);
  await boardCacheOf(world.services).load(key);
});

test.each([
  // Season, page, no shard; counts of players and marks; the record, looked for and written.
  [{ kind: "audit" }, 1 + 1 + 1 + 2 + 1, 1],
  // A look at the players' number, and each player once.
  [{ kind: "audit", full: true }, 6 + 1 + size, 1],
  // Each player twice, and the top. It holds the schedule, writes a note, three records, page, top, season.
  [{ kind: "repair" }, 1 + 1 + 3 + (2 + 2) + 2 * size + topCost, 3 + 2 + 4],
] as const)(
  "%o costs %i reads and %i writes, but for empty ranges of ids, and its record says so",
  async (what, reads, writes) => {
    const { result, bill } = await world.meter.measure(() => repair(world, key, what));
    expect(bill.reads).toBeGreaterThanOrEqual(reads);
    expect(bill.reads).toBeLessThan(reads + 20);
    expect(bill).toMatchObject({ writes, deletes: 0 });
    expect(result.billed).toEqual(bill);
  },
);

test("a player who differs costs a repair 1 read and 1 write more, and a shard document for all together", async () => {
  const { bill: plain } = await world.meter.measure(() => repair(world, key));
  for (const player of ["p1", "p2", "p3"]) await world.db.doc(playerPath(key, player)).update({ score: 1 });
  const { bill: spent } = await world.meter.measure(() => repair(world, key));
  expect(spent.writes - plain.writes).toBeGreaterThanOrEqual(3 + 1);
  // The shard is folded by the run that follows.
  expect(spent.writes - plain.writes).toBeLessThanOrEqual(3 + 1 + 5);
});

test("what has changed within the last minute is in flight; for longer, it is lost, and a reason for a repair", async () => {
  await damages["players changed while no trigger heard"]?.(world, key);
  const audit = (full: boolean, inFlightMs: number) =>
    repair(world, key, { kind: "audit", full }, { inFlightMs });
  expect(await audit(true, 60_000)).toMatchObject({
    repair: "none",
    found: { convergence: { players: 0, in_flight: 4, difference: 0 } },
  });
  expect(await audit(false, 60_000)).toMatchObject({ repair: "none" });
  // With time, the same season's differences pass the limit.
  for (const full of [true, false])
    await vi.waitFor(async () => {
      expect(await audit(full, 200)).toMatchObject({ repair: "repair" });
    }, patienceMs());
});

test("a full audit counts the errors and shows their scores", async () => {
  await damages["a mark that is wrong"]?.(world, key);
  expect(await repair(world, key, { kind: "audit", full: true })).toMatchObject({
    repair: "repair",
    found: {
      conservation: {
        difference: 0,
        scores: 2,
        examples: [
          { score: 50, low: 50, too_many: -1 },
          { score: 30, low: 30, too_many: 1 },
        ],
      },
      convergence: { players: 1, examples: [{ counted: "50", should_be: "30" }] },
    },
  });
  expect(world.logged.filter(({ level }) => level === "error")).toMatchObject([
    { message: "an audit found a season that needs a repair", fields: { repair: "repair" } },
  ]);
});

test("the daily audit visits each season that has published something new, once", async () => {
  const { services, queue } = withQueue(world.services);
  const cost = { reads: 1, deletes: 0 };
  expect(await world.bill(() => enqueueAudits(services))).toEqual({ ...cost, writes: 1 });
  expect(queue).toMatchObject([{ leaderboard: "board", season: "all_time", job: "audit", full: false }]);
  world.advance(day);
  expect(await world.bill(() => enqueueAudits(services))).toEqual({ ...cost, writes: 0 });
  expect(queue).toHaveLength(1);
  await play(world, key, "p1", 7);
  await publishRanking(services, key, { includeOpenSlot: true });
  expect(await enqueueAudits(services)).toBe(1);
  expect(new Set(queue.map(({ run }) => run)).size).toBe(2);
  const [request] = queue;
  if (request === undefined) throw new Error("nothing was asked for");
  expect(await stepRepair(services, request)).toMatchObject({
    kind: "audit",
    outcome: "done",
    repair: "none",
  });
  expect((await world.db.doc(runPath(key, request.run)).get()).get("outcome")).toBe("done");
});

test("a season with a damaged document does not stop the daily audit of the others", async () => {
  const { services, queue } = withQueue(world.services);
  const damaged = { leaderboard: "aaa", season: "all_time" };
  const ranking = (await world.db.doc(seasonPath(key)).get()).get("ranking") as object;
  const earlier = { ...ranking, published_at: Timestamp.fromMillis(world.services.now() - day) };
  await world.db.doc(seasonPath(damaged)).set({ status: 5, ranking: earlier });
  expect(await enqueueAudits(services)).toBe(1);
  expect(queue).toMatchObject([{ leaderboard: "board" }]);
  expect(world.logged.filter(({ level }) => level === "error")).toMatchObject([
    { message: "an audit could not be enqueued", fields: { path: seasonPath(damaged) } },
  ]);
});

test("the daily audit asks for many seasons at once, and spreads their audits over an hour", async () => {
  const { services, queue } = withQueue(world.services);
  await world.db.doc(seasonPath(key)).update({ "ranking.players": smallSeasonPlayersMax + 1 });
  const stored = (await world.db.doc(seasonPath(key)).get()).data() ?? {};
  const others = Array.from({ length: 40 }, (_, i) => ({ leaderboard: `board-${i}`, season: "all_time" }));
  await Promise.all(others.map((other) => world.db.doc(seasonPath(other)).set(stored)));
  let [underWay, most] = [0, 0];
  const delays: number[] = [];
  const enqueueJob: World["services"]["enqueueJob"] = async (...request) => {
    delays.push(request[2]);
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((done) => setTimeout(done, 5));
    underWay -= 1;
    await services.enqueueJob(...request);
  };
  expect(await enqueueAudits({ ...services, enqueueJob })).toBe(41);
  expect(most).toBeGreaterThan(20);
  expect(queue).toHaveLength(41);
  const quarters = new Set(delays.map((seconds) => Math.floor(seconds / 900)));
  expect([...quarters].sort()).toEqual([0, 1, 2, 3]);
});

test("the daily audits of small seasons share a task", async () => {
  const asked: JobRequest[] = [];
  const enqueueJob: World["services"]["enqueueJob"] = (request) => Promise.resolve(void asked.push(request));
  const services = { ...world.services, enqueueJob };
  const stored = (await world.db.doc(seasonPath(key)).get()).data() ?? {};
  await world.db.doc("leaderboards/other/seasons/all_time").set(stored);
  expect(await enqueueAudits(services)).toBe(2);
  const [shared] = asked.splice(0);
  if (shared?.job !== "shared") throw new Error("each audit has a task");
  expect(shared.steps.map(({ request }) => request.job)).toEqual(["audit", "audit"]);
  await stepTogether(services, shared.steps);
  // The other board has no definition.
  const records = await world.db.collection(runsPath(key)).where("kind", "==", "audit").get();
  expect(records.docs.map((record) => record.get("outcome") as unknown)).toEqual(["done"]);
  expect(asked).toEqual([]);
});

test("the daily audit of a board that nobody has played for days is one read for all boards together", async () => {
  world.advance(4 * day);
  const { services, queue } = withQueue(world.services);
  await world.db.doc(seasonPath(key)).update({ audited_generation: 0 });
  expect(await world.bill(() => enqueueAudits(services))).toEqual({ reads: 1, writes: 0, deletes: 0 });
  expect(queue).toEqual([]);
});

test("a failure while reading ends all readers and is reported", async () => {
  const { readTime } = await world.db.collection(playersPath(key)).get();
  const reading = readAll(world.db, {
    at: readTime,
    path: playersPath(key),
    use: (part) => (part.some(({ id }) => id === "p20") ? Promise.reject(new Error("full")) : undefined),
    documentsPerRead: 2,
  });
  await expect(reading).rejects.toThrow("full");
});
