import { describe, expect, test } from "vitest";
import { changeBytes } from "../../functions/src/counting/changes.ts";
import {
  documentsPerCommitMax,
  shardBytesBesideSegmentsMax,
  slotMs,
  submissionsAtOnceMax,
} from "../../functions/src/model/limits.ts";
import { markToField } from "../../functions/src/model/segments.ts";
import { cost } from "../../cli/prices.ts";
import { randomOf } from "../generators/random.ts";
import {
  boardOperations,
  commitsPerSecond,
  documentsPerSlot,
  fitsCommit,
  liveAge,
  publishing,
} from "./bill.ts";
import { type Load, simulate } from "./model.ts";
import { instancesOf, runScenario, type Start } from "./scenarios.ts";
import { shardOf } from "./stored.ts";
import { dayOf } from "./tables.ts";

const load = (some: Partial<Load>): Load => ({
  submissionsPerSecond: 100,
  serviceSeconds: 0.1,
  instances: 1,
  spans: 1,
  begins: "known",
  seconds: 60,
  random: randomOf(1),
  ...some,
});

describe("group commits", () => {
  test.each([
    [1, 0.1],
    [10, 0.1],
    [100, 0.1],
    [10, 1],
    [250, 1],
  ])(
    "at %d submissions a second and %d s a commit are as many as the formula says",
    async (rate, seconds) => {
      const result = await simulate(
        load({ submissionsPerSecond: rate, serviceSeconds: seconds, seconds: rate <= 10 ? 2_000 : 200 }),
      );
      const share = result.commits / result.submissions;
      expect(share / (commitsPerSecond(rate, seconds) / rate)).toBeCloseTo(1, 1);
      expect(result.committed).toBe(result.submissions);
      const documents = result.slots.reduce((sum, slot) => sum + slot.documents, 0) / result.slots.length;
      // The mean slot has no more documents than bills count on.
      expect(documents).toBeLessThanOrEqual(documentsPerSlot(rate, seconds));
      expect(documents).toBeGreaterThan(documentsPerSlot(rate, seconds) / 2);
    },
  );

  test("make nobody wait on an idle board", async () => {
    const { waitP50, waitMax } = await simulate(load({ submissionsPerSecond: 0.01, seconds: 10_000 }));
    expect(waitP50).toBeCloseTo(0.1, 6);
    // Two may come at once by chance.
    expect(waitMax).toBeLessThan(0.2);
  });

  test("take at most as long as two commits, where batches are not full", async () => {
    const { waitMax, waitP50 } = await simulate(load({ submissionsPerSecond: 50, serviceSeconds: 1 }));
    expect(waitMax).toBeLessThan(2.001);
    expect(waitP50).toBeGreaterThan(1.4);
  });

  test("pile up work where all lanes are full, and lose nothing", async () => {
    // Ten lanes, and 33 players in a commit of three spans.
    const [fine, much] = await Promise.all(
      [250, 400].map((rate) =>
        simulate(load({ submissionsPerSecond: rate, serviceSeconds: 1, spans: 3, seconds: 30 })),
      ),
    );
    expect(fine?.waitP99).toBeLessThan(2.5);
    expect(much?.waitMax).toBeGreaterThan(5);
    expect(much?.committed).toBe(much?.submissions);
  });

  test("are the same for the same seed", async () => {
    const run = (seed: number) => runScenario(100, 0.1, "cold", seed, 30);
    expect(await run(4)).toEqual(await run(4));
    expect(await run(5)).not.toEqual(await run(4));
  });
});

describe("what has to be reached", () => {
  test("a changed score alone is 1 read and 2 writes", () => {
    const changes = 86_400 * 0.001;
    const runs = changes;
    const day = boardOperations({ changesPerSecond: 0.001, players: 1, intervalSeconds: 300, topSize: 0 });
    // Each run of such a board is for one change: a shard, a page, the top, the season and the record.
    expect(day.reads / runs).toBeCloseTo(1 + 1 + 1 + 1, 2);
    expect(day.writes / runs).toBeCloseTo(2 + 1 + 3, 2);
  });

  test("at 100 a second in one instance and 0.1 s a commit, a changed score is at most 1.2 writes", async () => {
    const { commits, submissions } = await simulate(load({ seconds: 300 }));
    expect(1 + commits / submissions).toBeLessThanOrEqual(1.2);
    expect(commits / submissions).toBeGreaterThan(1 / documentsPerCommitMax);
  });

  test("10 + 10 a second on a board of a million are at most $2.20 a day, 1,000 + 1,000 at most $170", () => {
    const [ten, thousand] = [10, 1_000].map((rate) => cost(dayOf(rate).operations, "us-central1"));
    expect(ten).toBeLessThanOrEqual(2.2);
    expect(thousand).toBeLessThanOrEqual(170);
  });

  test.each([
    ["rest", 1],
    ["rest", 0.1],
    ["cold", 1],
    ["cold", 0.1],
    ["midnight", 1],
    ["midnight", 0.1],
  ] as [Start, number][])(
    "7,000 a second are carried and published (%s, %d s a commit)",
    { timeout: 120_000 },
    async (start, serviceSeconds) => {
      const { result, instances } = await runScenario(7_000, serviceSeconds, start, 1, 20.5);
      expect(instances).toBe(28);
      expect(result.committed).toBe(result.submissions);
      expect(result.waitP99).toBeLessThanOrEqual(2);
      expect(result.firstP99).toBeLessThanOrEqual(2);
      expect(result.atOnceMax).toBeLessThanOrEqual(submissionsAtOnceMax);
      const usual = result.slots.at(-1) ?? expect.fail();
      expect(fitsCommit(usual)).toBe(true);
      const { seconds, freshnessP99 } = publishing(usual, 300);
      expect(seconds).toBeLessThan(150);
      expect(freshnessP99).toBeLessThan(300 + 30);
    },
  );
});

test("runs publish as many slots at once as fit a commit, and the last ones later", () => {
  expect(publishing({ documents: 10, bytes: 10_000 }, 300)).toMatchObject({ slotsAtOnce: 30, seconds: 3.45 });
  expect(publishing({ documents: 400, bytes: 10_000 }, 300)).toMatchObject({ slotsAtOnce: 2 });
  expect(publishing({ documents: 10, bytes: 3 * 2 ** 20 }, 300)).toMatchObject({ slotsAtOnce: 1 });
  expect(fitsCommit({ documents: 1_001, bytes: 1 })).toBe(false);
  expect(fitsCommit({ documents: 1, bytes: 5 * 2 ** 20 })).toBe(false);
});

test.each([
  [["country=AT"], 3_400],
  [["country=AT", "guild=red", "league=gold", "platform=ios"], 1_400],
])(
  "with the segments %o, a slot of %d changes a second fits a commit, and one of a tenth more does not",
  (segments, most) => {
    const slotOf = (rate: number) => {
      const documents = Math.ceil(instancesOf(rate) * documentsPerSlot(rate / instancesOf(rate)));
      const changes = 2 * rate * (slotMs / 1_000);
      const bytes = documents * shardOf(0).bytes + changes * changeBytes([markToField(100_000, segments)]);
      return { documents, bytes };
    };
    expect(fitsCommit(slotOf(most), shardBytesBesideSegmentsMax)).toBe(true);
    expect(fitsCommit(slotOf(1.1 * most), shardBytesBesideSegmentsMax)).toBe(false);
  },
);

test("live ranks are 5 seconds old at most while few shards are pending", () => {
  expect([0, 82, 250].map(liveAge)).toEqual([5, 5, expect.closeTo(15.06, 6)]);
});

test("an instance is given 250 submissions a second at most", () => {
  expect([1, 250, 251, 7_000].map(instancesOf)).toEqual([1, 1, 2, 28]);
});
