/** A board that nobody plays costs nothing, and no change ever waits for the next one to be published. */
import { beforeEach, expect, test, vi } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { dozeMs } from "../../../functions/src/model/limits.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { enqueueDueRuns } from "../../../functions/src/jobs/schedule/schedule.ts";
import { recordSubmissions } from "../../../functions/src/submit/record-submissions.ts";
import { expectRanked } from "../../support/oracle.ts";
import { callOn, allTime, createBoard, user, eachWorld } from "../../support/world.ts";
import { idleMsMin } from "../../../functions/src/seasons/dormancy.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const key = allTime("board");
const minute = 60_000;

async function play(player: string, score: number, services: Services = world.services): Promise<void> {
  await callOn(services, "submitScore", { leaderboard: "board", score }, user(player));
}

/** Fires the schedule, as happens each minute, and executes its runs. Returns how many there were. */
async function tick(): Promise<number> {
  const asked: (typeof key)[] = [];
  const enqueueJob = (run: typeof key) => Promise.resolve(void asked.push(run));
  const services = { ...world.services, enqueueJob };
  await enqueueDueRuns(services);
  for (const run of asked) await publishRanking(services, run);
  return asked.length;
}

/** Lets time pass without a change until the season dozes. */
async function doze(): Promise<void> {
  world.advance(idleMsMin + 6 * minute);
  expect(await tick()).toBe(1);
  expect((await season())["dormant_at"]).not.toBeNull();
}

const season = async () => (await world.db.doc(seasonPath(key)).get()).data() ?? {};

beforeEach(async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  await play("ann", 30);
  await world.publish(key);
});

test("a season that nobody plays falls asleep and costs nothing from then on", async () => {
  world.advance(30 * minute);
  await tick();
  expect(await season()).toMatchObject({ dormant_at: null });
  // The schedule, the board, the run that finds nothing; the season and its shards again; and this test's look.
  const falls = await world.bill(doze);
  expect(falls).toEqual({ reads: 1 + 2 + 1 + 2 + 1, writes: 1, deletes: 0 });
  world.advance(dozeMs);
  expect(await tick()).toBe(1);
  expect(await season()).toMatchObject({ next_run_at: null });
  world.advance(24 * 60 * minute);
  const { result: runs, bill } = await world.meter.measure(tick);
  expect(runs).toBe(0);
  expect(bill).toEqual({ reads: 1, writes: 0, deletes: 0 }); // the schedule's own query, whatever the number of boards
});

test("a season that is woken, or that a run left with a longer interval's next run, is ranked by its present interval", async () => {
  const ref = world.db.doc(seasonPath(key));
  await doze();
  const instance = await world.coldInstance(key);
  await ref.update({ interval_ms: minute }); // as saveLeaderboard does elsewhere
  await play("bob", 50, instance);
  const nextMs = async () => ((await season())["next_run_at"] as Timestamp).toMillis() - world.services.now();
  expect(await nextMs()).toBeLessThanOrEqual(minute);
  expect(await season()).toMatchObject({ dormant_at: null });

  await ref.update({ next_run_at: Timestamp.fromMillis(world.services.now() + 24 * 60 * minute) });
  world.advance(minute);
  await play("cyd", 10);
  expect(await nextMs()).toBeLessThanOrEqual(minute);
  world.advance(minute);
  expect(await tick()).toBe(1);
  await expectRanked(world, key);
});

test("a submission wakes a sleeping season in its commit at 1 read and 1 write and is published by the next run", async () => {
  await doze();
  world.advance(dozeMs);
  await tick();
  world.advance(60 * minute);
  const submit = () => recordSubmissions(world.services, "board", [{ player: "bob", score: 50 }]);
  await boardCacheOf(world.services).load(key);
  const transactions = vi.spyOn(world.db, "runTransaction");
  const { bill } = await world.meter.measure(submit);
  // The player, who is new and may have been erased, and the season; player, season and the shard document.
  expect(bill).toEqual({ reads: 3, writes: 3, deletes: 0 });
  expect(transactions).toHaveBeenCalledTimes(1);
  expect(await season()).toMatchObject({ dormant_at: null });
  await play("cyd", 10);
  world.advance(5 * minute);
  expect(await tick()).toBe(1);
  await expectRanked(world, key);
  expect(await season()).toMatchObject({ dormant_at: null });
});
