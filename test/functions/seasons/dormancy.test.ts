/** A board that nobody plays costs nothing, and no change ever waits for the next one to be published. */
import { beforeEach, expect, test, vi } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { pagePath, seasonPath } from "../../../functions/src/documents/paths.ts";
import {
  boardCacheMs,
  dozeMs,
  dozeOverdueMsMax,
  mayDozeKeptMs,
} from "../../../functions/src/model/limits.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { dueSeasons } from "../../../functions/src/documents/queries.ts";
import { fallAsleep } from "../../../functions/src/seasons/dormancy.ts";
import { recordSubmissions } from "../../../functions/src/submit/record-submissions.ts";
import { expectRanked } from "../../support/oracle.ts";
import { callOn, allTime, createBoard, user, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const key = allTime("board");
const minute = 60_000;
/** The board's interval. */
const interval = 5 * minute;

async function play(player: string, score: number, services: Services = world.services): Promise<void> {
  await callOn(services, "submitScore", { leaderboard: "board", score }, user(player));
}

/** Lets time pass, and fires the schedule. Returns how many runs it asked for. */
async function after(ms: number): Promise<number> {
  world.advance(ms);
  return (await world.tick()).length;
}

const season = async () => (await world.db.doc(seasonPath(key)).get()).data() ?? {};
const generation = async () => (await world.db.doc(pagePath(key, 0)).get()).get("generation") as number;
const asleep = { dormant_at: expect.any(Timestamp) as unknown, next_run_at: null };
const dozes = { dormant_at: expect.any(Timestamp) as unknown, next_run_at: expect.any(Timestamp) as unknown };
const awake = { dormant_at: null, next_run_at: expect.any(Timestamp) as unknown };

/** Two scores in two intervals that follow each other: the season is played. */
async function playInTwoIntervals(): Promise<void> {
  await after(interval);
  await play("ann", 31);
  await after(interval);
  await play("ann", 32);
  await after(interval);
}

/** A board, half a minute before the end of an interval, with a first score. */
beforeEach(async () => {
  world.advance(interval - 30_000);
  await createBoard(world, "board", { aggregation: "latest", events: [] });
  await play("ann", 30);
});

test("a lone score is published once, at the end of its interval, and then the season sleeps and costs nothing", async () => {
  // The schedule finds the season; the run: board and season, a shard, page 0, top, its player and 1, and the open slot.
  const published = await world.bill(async () => {
    expect(await after(interval)).toBe(1);
  });
  expect(published).toEqual({ reads: 2 + 2 + 1 + 2 + 3 + 1, writes: 4, deletes: 1 });
  expect(await season()).toMatchObject(dozes);
  expect(await after(dozeMs - 1_000)).toBe(0);

  // The last look, by the schedule: the season, one query for what has ended, and one for shards.
  const looked = await world.bill(async () => {
    expect(await after(1_000)).toBe(0);
  });
  expect(looked).toEqual({ reads: 2 + 1, writes: 1, deletes: 0 });
  expect(await season()).toMatchObject(asleep);
  world.advance(24 * 60 * minute);
  const nothing = await world.bill(() => world.tick());
  // The schedule's own two queries, whatever the number of boards.
  expect(nothing).toEqual({ reads: 2, writes: 0, deletes: 0 });
});

test("a season that is played dozes after one interval without a change, and is looked at once in between", async () => {
  await playInTwoIntervals();
  expect(await season()).toMatchObject(awake);
  expect(await generation()).toBe(3);
  // One interval has no change. The look at its end costs 1 read and 1 write beside the run's.
  const first = await world.bill(async () => {
    expect(await after(interval)).toBe(1);
  });
  expect(first).toEqual({ reads: 2 + 2 + 1 + 1, writes: 1, deletes: 0 });
  expect(await season()).toMatchObject(awake);
  expect(await after(0)).toBe(0);
  const second = await world.bill(async () => {
    expect(await after(interval)).toBe(1);
  });
  expect(second).toEqual({ reads: 2 + 2 + 1 + 2, writes: 1, deletes: 0 });
  expect(await season()).toMatchObject(dozes);
  expect(await after(dozeMs)).toBe(0);
  expect(await season()).toMatchObject(asleep);
});

test("a score after an interval without one is published at the end of its own, and lets the season doze", async () => {
  await playInTwoIntervals();
  await after(interval);
  await play("bob", 50);
  expect(await after(interval)).toBe(1);
  await expectRanked(world, key);
  expect(await season()).toMatchObject(dozes);
});

test("a change in the open slot keeps the season awake", async () => {
  world.advance(interval);
  await play("bob", 50);
  expect(await after(0)).toBe(1);
  expect(await season()).toMatchObject(awake);
  expect(await after(interval)).toBe(1);
  await expectRanked(world, key);
});

test("a run that the schedule has not asked for lets no season doze", async () => {
  world.advance(interval);
  await publishRanking(world.services, key);
  expect(await season()).toMatchObject(awake);
});

test("a season of which a page was published with a long interval dozes, and keeps dozing", async () => {
  await createBoard(world, "board", { ranking_interval_minutes: 60 });
  world.advance(boardCacheMs);
  expect(await after(60 * minute)).toBe(1);
  expect(await season()).toMatchObject(dozes);
});

test("a season that is woken, or that a run left with a longer interval's next run, is ranked by its present interval", async () => {
  const ref = world.db.doc(seasonPath(key));
  await after(interval);
  expect(await season()).toMatchObject(dozes);
  const instance = await world.coldInstance(key);
  await ref.update({ interval_ms: minute }); // as saveLeaderboard does elsewhere
  await play("bob", 50, instance);
  const nextMs = async () => ((await season())["next_run_at"] as Timestamp).toMillis() - world.services.now();
  expect(await nextMs()).toBeLessThanOrEqual(minute);
  expect(await season()).toMatchObject(awake);

  await ref.update({ next_run_at: Timestamp.fromMillis(world.services.now() + 24 * 60 * minute) });
  world.advance(minute);
  await play("cyd", 10);
  expect(await nextMs()).toBeLessThanOrEqual(minute);
  expect(await after(minute)).toBe(1);
  await expectRanked(world, key);
});

test.each(["dozing", "sleeping"])(
  "a submission wakes a %s season in its commit at 1 read and 1 write and is published by the next run",
  async (state) => {
    await after(interval);
    if (state === "sleeping") await after(dozeMs);
    expect(await season()).toMatchObject(state === "sleeping" ? asleep : dozes);
    world.advance(minute);
    const submit = () => recordSubmissions(world.services, "board", [{ player: "bob", score: 50 }]);
    await boardCacheOf(world.services).load(key);
    const transactions = vi.spyOn(world.db, "runTransaction");
    const { bill } = await world.meter.measure(submit);
    // The player, who is new and may have been erased, and the season; player, season and the shard document.
    expect(bill).toEqual({ reads: 3, writes: 3, deletes: 0 });
    expect(transactions).toHaveBeenCalledTimes(1);
    expect(await season()).toMatchObject(awake);
    // The instance remembers what it has made of the season: the player, and the player and the shard document.
    const again = () => recordSubmissions(world.services, "board", [{ player: "bob", score: 60 }]);
    expect(await world.bill(again)).toEqual({ reads: 1, writes: 2, deletes: 0 });
    await play("cyd", 10);
    expect(await after(interval)).toBe(1);
    await expectRanked(world, key);
  },
);

test("a submission that changes nothing that is counted wakes no sleeping season", async () => {
  await after(interval);
  await after(dozeMs);
  expect(await season()).toMatchObject(asleep);
  await createBoard(world, "board", { min_seconds_between: 60 * 60 });
  await boardCacheOf(world.services).load(key);
  const submit = (more = {}) =>
    recordSubmissions(world.services, "board", [{ player: "ann", score: 99, ...more }]);
  // Refused as it comes too soon.
  for (let i = 0; i < 3; i++)
    expect(await world.bill(() => submit())).toEqual({ reads: 2, writes: 0, deletes: 0 });
  expect(await season()).toMatchObject(asleep);
  world.advance(60 * minute);
  await boardCacheOf(world.services).load(key);
  expect(await world.bill(() => submit())).toEqual({ reads: 2, writes: 3, deletes: 0 });
  expect(await season()).toMatchObject(awake);
});

test("an instance that remembers the season awake learns within two seconds that it dozes", async () => {
  const instance = world.anotherInstance();
  world.advance(interval - 1_000);
  await boardCacheOf(instance).load(key);
  world.advance(1_000);
  // The run is due: from now on the instance reads the season again after two seconds, and not after a minute.
  await boardCacheOf(instance).load(key);
  expect(await after(0)).toBe(1);
  expect(await season()).toMatchObject(dozes);
  world.advance(mayDozeKeptMs);
  await play("bob", 50, instance);
  expect(await season()).toMatchObject(awake);
  expect(await after(interval)).toBe(1);
  await expectRanked(world, key);
});

test("where runs fail, an instance reads board and season once a minute, and the run that succeeds lets nothing doze", async () => {
  await after(interval);
  world.advance(60 * minute);
  await play("bob", 50);
  const ref = world.db.doc(pagePath(key, 0));
  const page = (await ref.get()).data() ?? {};
  await ref.delete();
  world.advance(interval);
  await expect(world.tick()).rejects.toThrow("is damaged");
  world.advance(dozeOverdueMsMax);
  const reads = await world.reads(async () => {
    for (let second = 0; second < 60; second++) {
      await boardCacheOf(world.services).load(key);
      world.advance(1_000);
    }
  });
  // In the last ten seconds of the minute they are read again.
  expect(reads).toBeLessThanOrEqual(2 * 2);
  await ref.set(page);
  expect(await after(0)).toBe(1);
  await expectRanked(world, key);
  expect(await season()).toMatchObject(awake);
});

test("a change that did not wake the season is published by the last look", async () => {
  const instance = world.anotherInstance();
  world.advance(interval);
  await boardCacheOf(instance).load(key);
  expect(await after(0)).toBe(1);
  await play("bob", 50, instance);
  expect(await season()).toMatchObject(dozes);
  expect(await after(dozeMs)).toBe(1);
  await expectRanked(world, key);
  expect(await season()).toMatchObject(awake);
});

test("a last look that comes late leaves a season awake that was woken meanwhile", async () => {
  await after(interval);
  world.advance(dozeMs);
  const { docs } = await dueSeasons(world.db, "next_run_at", world.services.now()).get();
  const [found] = docs;
  if (found === undefined) throw new Error("the season is due");
  await play("bob", 50);
  // A change is pending, so the season needs a run; and nothing is, but the season is not as it was found.
  expect(await fallAsleep(world.services, found)).toBe(false);
  await world.publish(key);
  expect(await fallAsleep(world.services, found)).toBe(true);
  expect(await season()).toMatchObject(awake);
});

test("a change in the open slot at the last look is published at the end of its interval", async () => {
  const instance = world.anotherInstance();
  world.advance(interval);
  await boardCacheOf(instance).load(key);
  await after(0);
  const stale = await boardCacheOf(instance).load(key);
  world.advance(dozeMs);
  boardCacheOf(instance).keep(stale);
  await play("bob", 50, instance);
  expect(await after(0)).toBe(1);
  expect(await season()).toMatchObject(awake);
  expect(await after(interval)).toBe(1);
  await expectRanked(world, key);
});
