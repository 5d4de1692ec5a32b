import { describe, expect, test } from "vitest";
import { cost } from "../../functions/src/model/prices.ts";
import { initialShards } from "../../functions/src/model/shard.ts";
import { randomOf } from "../generators/random.ts";
import { lognormalActivity, secondsBetweenMin } from "./activity.ts";
import { breakEven, countOperations, indexOperations, publishingSeconds, shardDocumentsOf } from "./bill.ts";
import { shardBytesMax, shardCommitMsMin } from "../../functions/src/model/limits.ts";
import { type Load, simulate } from "./model.ts";
import { runScenario, simulateDocumentPerScore } from "./scenarios.ts";

const load = (some: Partial<Load>): Load => ({
  submissionsPerSecond: 100,
  activity: (random) => Math.floor(random() * 2 ** 32),
  serviceSeconds: 1,
  shards: 200,
  intervalSeconds: 300,
  seconds: 600,
  resize: false,
  random: randomOf(1),
  ...some,
});

describe("documents as queues give what queueing theory says", () => {
  // The 99th percentile of an M/D/1 queue's wait at loads 1/4 and 1/2, in service times: 1.68 and 3.36
  // (A. K. Erlang: The theory of probabilities and telephone conversations, 1909).
  test.each([
    [4, 1.68],
    [2, 3.36],
  ])("%d shards for each submission a second wait at most %d s in 99 of 100 cases", (shardsPerRate, wait) => {
    const result = simulate(
      load({ shards: 100 * shardsPerRate, intervalSeconds: 1e6, slotSeconds: 1e6, seconds: 3_000 }),
    );
    expect(Math.abs(result.waitP99 - 1 - wait)).toBeLessThan(0.15);
    expect(result.retries).toBe(0);
  });

  test("a document per score follows up to 500 changes a second on 1,000 even scores, and no further", () => {
    const even = (submissionsPerSecond: number, seconds: number) =>
      simulateDocumentPerScore({
        submissionsPerSecond,
        serviceSeconds: 1,
        seconds,
        hottestShare: 1 / 1_000,
        draw: (random) => Math.floor(random() * 1_000),
        random: randomOf(2),
      });
    expect(even(250, 300)).toMatchObject({ growing: false });
    expect(even(250, 300).waitP99).toBeLessThan(6);
    expect(even(499, 1).growing).toBe(false);
    expect(even(501, 1).growing).toBe(true);
    expect(even(600, 300).waitP50).toBeGreaterThan(2 * even(600, 100).waitP50);
  });
});

describe("from a cold start", () => {
  test("nothing is lost, and a second run later waits are what they are at rest", () => {
    const cold = runScenario(100, 1, "cold", 3).result ?? expect.fail();
    const rest = runScenario(100, 1, "rest", 3).result ?? expect.fail();
    for (const { committed, submissions } of [cold, rest]) expect(committed).toBe(submissions);
    expect(cold.retries).toBeGreaterThan(1_000);
    expect(rest.retries).toBe(0);
    expect(cold.waitP99).toBeGreaterThan(10 * rest.waitP99);
    expect(cold.stretches.at(-1)?.waitP99).toBeLessThan(2 * rest.waitP99);
    expect(Math.abs((cold.shards.at(-1) ?? 0) - initialShards(100))).toBeLessThan(20);
  });

  test("the same seed gives the same result", () => {
    expect(runScenario(10, 0.1, "cold", 4)).toEqual(runScenario(10, 0.1, "cold", 4));
    expect(runScenario(10, 0.1, "cold", 5)).not.toEqual(runScenario(10, 0.1, "cold", 4));
  });

  test("no result is claimed for a rate that no number of shards carries", () => {
    expect(runScenario(10_000, 1, "rest", 1).result).toBeUndefined();
  });
});

describe("no shard document grows beyond 256 KiB", () => {
  test.each([60, 300, 86_400])("at an interval of %d s", { timeout: 30_000 }, (intervalSeconds) => {
    for (const serviceSeconds of [1, shardCommitMsMin / 1_000])
      for (const [submissionsPerSecond, shards] of [
        [0.5, 1],
        [60, 1],
        [1_000, 8],
      ] as const) {
        const seconds = submissionsPerSecond > 60 ? 100 : Math.min(2 * intervalSeconds, 300);
        const result = simulate(
          load({ submissionsPerSecond, shards, serviceSeconds, intervalSeconds, seconds }),
        );
        expect(result.shardBytesMax).toBeLessThanOrEqual(shardBytesMax);
      }
  });
});

test("a change that is committed after its slot's run has begun is folded by the next run", () => {
  const crowded = simulate(
    load({ submissionsPerSecond: 1, shards: 1, intervalSeconds: 10, slotSeconds: 10, seconds: 1_000 }),
  );
  const roomy = simulate(
    load({ submissionsPerSecond: 1, shards: 8, intervalSeconds: 10, slotSeconds: 10, seconds: 1_000 }),
  );
  expect(roomy.foldedP99).toBeLessThan(10 + 5);
  expect(crowded.foldedP99).toBeGreaterThan(10 + 5);
});

describe("players' activity", () => {
  const activity = lognormalActivity(2_000, 20, randomOf(6));
  const counts = new Map<number, number>();
  const random = randomOf(7);
  for (let i = 0; i < 200_000; i++) {
    const player = activity(random);
    counts.set(player, (counts.get(player) ?? 0) + 1);
  }

  test("is unequal, and nobody plays more than once in 20 s", () => {
    const seconds = 200_000 / 20;
    const most = Math.max(...counts.values());
    expect(most).toBeLessThan((1.2 * seconds) / secondsBetweenMin);
    expect(most).toBeGreaterThan(4 * (200_000 / 2_000));
    expect(Math.min(...counts.keys())).toBeGreaterThanOrEqual(0);
    expect(Math.max(...counts.keys())).toBeLessThan(2_000);
  });

  test("that so few players cannot have is refused", () => {
    expect(() => lognormalActivity(100, 20, randomOf(1))).toThrow("at most once in 20 s");
  });
});

describe("the bill", () => {
  const board = { changesPerSecond: 1, players: 30_000, intervalSeconds: 300, shardDocuments: 2 };

  test("of the index is four operations a change and what the runs take", () => {
    const runs = 288;
    expect(indexOperations(board)).toEqual({
      reads: 2 * 86_400 + runs * (2 + 118 + 101),
      writes: 2 * 86_400 + runs * (118 + 3),
      deletes: runs * 2,
      invocations: 86_400,
    });
  });

  test("of counting is what its rows cost, its pages and 2 for the top", () => {
    const [rows, pages] = [1_213, 5];
    expect(countOperations(board).reads).toBe(288 * (rows + pages + 2));
    expect(countOperations(board).writes).toBe(288 * (pages + 3));
  });

  test.each([10_000, 1_000_000, 100_000_000])(
    "is the same for both at the break-even of %d players",
    (players) => {
      const changesPerSecond = breakEven(players, 300, "us-central1");
      const even = { changesPerSecond, players, intervalSeconds: 300 };
      const index = indexOperations({ ...even, shardDocuments: shardDocumentsOf(changesPerSecond, 300) });
      expect(cost(index, "us-central1") / cost(countOperations(even), "us-central1")).toBeCloseTo(1, 2);
    },
  );

  test("of counting grows with the players, that of the index does not beyond a full ranking", () => {
    const [million, hundred] = [1e6, 1e8].map((players) => breakEven(players, 300, "us-central1"));
    expect((hundred ?? 0) / (million ?? NaN)).toBeGreaterThan(50);
  });

  test("joins more than 239 shard documents before the one publication", () => {
    expect([0, 1, 239].map(publishingSeconds)).toEqual([3, 3, 3]);
    expect(publishingSeconds(10_000)).toBeCloseTo(15 + 10 * 2 + 3);
    const [few, many] = [239, 240].map((shardDocuments) => indexOperations({ ...board, shardDocuments }));
    expect((many?.deletes ?? 0) - (few?.deletes ?? 0)).toBe(288 * 3);
  });
});
