/** Runs of small boards, which leave numbers in the season's document and seldom a record. */
import { beforeEach, expect, test } from "vitest";
import { runsPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { recentNumbersMax, runsToldBy } from "../../../functions/src/documents/recent-runs.ts";
import { readSeason } from "../../../functions/src/documents/season.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { repair } from "../../support/damage.ts";
import { beforeNextCommit } from "../../support/meddle.ts";
import { allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const intervalMs = 300_000;

beforeEach(async () => {
  await createBoard(world, "board", { aggregation: "latest", top_size: 2 });
  for (const [player, score] of [
    ["ann", 90],
    ["bob", 80],
    ["cyd", 10],
  ] as const)
    await world.submit(player, score);
  await world.publish(key);
});

/** A score below the top, and its run an interval later. */
async function playAndRun(score: number) {
  await world.submit("cyd", score);
  world.advance(intervalMs);
  return publishRanking(world.services, key);
}

const recordsOf = async () => (await world.db.collection(runsPath(key)).get()).docs;
const numbersIn = async () =>
  readSeason((await world.db.doc(seasonPath(key)).get()).data()).recent_runs ?? [];

/** All that the stored documents tell of. */
async function told() {
  const season = await world.db.doc(seasonPath(key)).get();
  const documents = [season, ...(await recordsOf())];
  return runsToldBy(
    documents.map((document) => ({ path: document.ref.path, data: document.data() ?? {} })),
    0,
  );
}
/** The generations of these, the last first: the clock stands still while some run. */
const generations = async () =>
  (await told()).map(({ data }) => Number(data["generation"])).sort((a, b) => b - a);

test("a usual run is told of in numbers, as its record would be, and each eighth run by a record", async () => {
  const answered = [];
  for (let run = 0; run < 8; run++) {
    expect(await numbersIn()).toHaveLength(3 * run);
    answered.unshift(await playAndRun(20 + run));
  }
  expect(3 * 7).toBe(recentNumbersMax);
  expect(await numbersIn()).toEqual([]);
  expect(await recordsOf()).toHaveLength(2);
  const [last, ...others] = await told();
  expect(last?.data).toMatchObject({ ...answered[0] });
  expect(others.slice(0, 7).map(({ data }) => data)).toEqual(answered.slice(1));
  expect(await generations()).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  await playAndRun(50);
  expect(await generations()).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test("the season says how many changed scores were published today and yesterday", async () => {
  const byDay = async () => {
    const { scores_by_day: days } = readSeason((await world.db.doc(seasonPath(key)).get()).data());
    return Object.values(days ?? {});
  };
  expect(await byDay()).toEqual([3]);
  await playAndRun(20);
  await playAndRun(21);
  expect(await byDay()).toEqual([5]);
  world.advance(86_400_000);
  await playAndRun(22);
  expect(await byDay()).toEqual([5, 1]);
  world.advance(3 * 86_400_000);
  await playAndRun(23);
  expect(await byDay()).toEqual([1]);
});

test("a usual run of a small board costs 5 reads, 3 writes and 1 delete", async () => {
  await world.submit("cyd", 20);
  world.advance(intervalMs);
  // The board, a shard, the page and the top; page, top and season; the shard.
  const bill = await world.bill(() => publishRanking(world.services, key));
  expect(bill).toEqual({ reads: 2 + 1 + 1 + 1, writes: 3, deletes: 1 });
});

test("a run that another run has beaten says so in a record, and takes the numbers over", async () => {
  await playAndRun(20);
  await world.submit("cyd", 30);
  world.advance(intervalMs);
  beforeNextCommit(world, () =>
    publishRanking(world.anotherInstance(), key).then(() => world.submit("bob", 85)),
  );
  expect(await world.publish(key)).toMatchObject({ attempts: 2, generation: 4 });
  expect(await generations()).toEqual([4, 3, 2, 1]);
});

test("a run that remembers the season of before another publication leaves the numbers alone", async () => {
  await playAndRun(20);
  world.advance(intervalMs);
  const late = await world.coldInstance(key);
  await world.submit("cyd", 30);
  await world.publish(key);
  await world.submit("cyd", 40);
  await publishRanking(late, key, { includeOpenSlot: true });
  expect(await numbersIn()).toHaveLength(6);
  expect(await generations()).toEqual([4, 3, 2, 1]);
});

test("a failed run has a record, and the numbers stay", async () => {
  await playAndRun(20);
  await world.submit("cyd", 30);
  beforeNextCommit(world, () => Promise.reject(new Error("no room")));
  await expect(world.publish(key)).rejects.toThrow("no room");
  expect(await numbersIn()).toHaveLength(3);
  expect((await told()).map(({ data }) => data["outcome"]).sort()).toEqual([
    "failed",
    "published",
    "published",
  ]);
});

test("a repair's publication leaves the numbers, and the next run adds to them", async () => {
  await playAndRun(20);
  await repair(world, key);
  expect(await numbersIn()).toHaveLength(3);
  await playAndRun(30);
  expect(await numbersIn()).toHaveLength(6);
});
