import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldsSize } from "../model/document-size.ts";
import { emptyRecord, finished, type RankingRecord } from "./ranking-record.ts";
import { runNumbersOf, recentNumbersMax, runInNumbers, runsToldBy } from "./recent-runs.ts";

const key = { leaderboard: "chess", season: "all_time" };
const path = "leaderboards/chess/seasons/all_time";
const startMs = Date.parse("2026-03-01T00:00:00Z");

/** A usual run of a small board. */
function usualRun(generation: number, more: Partial<RankingRecord> = {}): RankingRecord {
  const begun = emptyRecord(key, startMs + generation * 300_000);
  return finished(
    {
      ...begun,
      outcome: "published",
      generation,
      read: { pages: 1, shards: 4, top: 0 },
      wrote: { pages: 1, segment_pages: 0, pages_deleted: 0, shards_deleted: 4, top: 0 },
      found: { ...begun.found, changed_players: 5, changes: 9 },
      players: 300,
      rows: 290,
      lag_ms: 11_234,
      billed: { reads: 8, writes: 2, deletes: 4 },
      ...more,
    },
    begun.started_at.toMillis() + 137,
  );
}
const numbersOfRun = (run: RankingRecord) => runNumbersOf(run) ?? [];

describe("a run in numbers", () => {
  test("is what its record would be", () => {
    expect(runInNumbers(key, numbersOfRun(usualRun(57)))).toEqual(usualRun(57));
  });

  test("is so whatever its numbers are, up to the highest that have room", () => {
    const upTo = (max: number) => fc.oneof(fc.constantFrom(0, max), fc.nat(max));
    const numbers = fc.record({
      generation: upTo(2 ** 24 - 1),
      lag: upTo(2 ** 17 - 1),
      shards: upTo(127),
      writes: upTo(31),
      players: upTo(1_000),
      changed: upTo(511),
      reads: upTo(255),
      segmentPages: upTo(3),
    });
    fc.assert(
      fc.property(numbers, ({ generation, lag, shards, writes, players, changed, reads, segmentPages }) => {
        const { found, ...run } = usualRun(1, {
          generation,
          lag_ms: lag,
          read: { pages: 1 + segmentPages, shards, top: 0 },
          wrote: { pages: 1, segment_pages: segmentPages, pages_deleted: 0, shards_deleted: shards, top: 0 },
          players,
          rows: players,
          billed: { reads, writes, deletes: shards },
        });
        const whole = { ...run, found: { ...found, changed_players: changed, changes: changed } };
        expect(runInNumbers(key, numbersOfRun(whole))).toEqual(whole);
      }),
    );
  });

  test.each<[string, Partial<RankingRecord>]>([
    ["more than a thousand players", { players: 1_001 }],
    ["a lag of minutes", { lag_ms: 200_000 }],
    ["nothing that was folded", { lag_ms: null }],
    ["no generation", { generation: null }],
    ["hundreds of reads", { billed: { reads: 256, writes: 2, deletes: 4 } }],
  ])("has no room for %s", (_what, more) => {
    expect(runNumbersOf(usualRun(1, more))).toBeUndefined();
  });

  test("has no room for a run that took seconds", () => {
    const { started_at: started } = usualRun(1);
    expect(runNumbersOf(finished(usualRun(1), started.toMillis() + 2_048))).toBeUndefined();
  });
});

test("a season's document has at most 200 bytes of them, which are numbers", () => {
  const most = usualRun(1, {
    generation: 2 ** 24 - 1,
    lag_ms: 2 ** 17 - 1,
    read: { pages: 4, shards: 127, top: 0 },
    wrote: { pages: 1, segment_pages: 3, pages_deleted: 0, shards_deleted: 127, top: 0 },
    players: 1_000,
    rows: 1_000,
    billed: { reads: 255, writes: 31, deletes: 127 },
  });
  const numbers = Array<number[]>(7).fill(numbersOfRun(most)).flat();
  expect(numbers).toHaveLength(recentNumbersMax);
  expect(numbers.every((one) => Number.isSafeInteger(one))).toBe(true);
  expect(fieldsSize({ recent_runs: numbers })).toBeLessThanOrEqual(200);
});

describe("the runs that documents tell of", () => {
  const season = { path, data: { recent_runs: [8, 9].flatMap((run) => numbersOfRun(usualRun(run))) } };
  const recordOf = (run: number, ...before: number[]) => ({
    path: `${path}/runs/record-${run}`,
    data: { ...usualRun(run), recent_runs: before.flatMap((one) => numbersOfRun(usualRun(one))) },
  });
  const idsIn = (documents: Parameters<typeof runsToldBy>[0], sinceMs = 0) =>
    runsToldBy(documents, sinceMs).map(({ id }) => id);

  test("are the records, and what seasons and records have in numbers, the last first", () => {
    expect(idsIn([season, recordOf(7, 5, 6), recordOf(4)])).toEqual([
      "generation-9",
      "generation-8",
      "record-7",
      "generation-6",
      "generation-5",
      "record-4",
    ]);
    const [last] = runsToldBy([season], 0);
    expect(last).toEqual({ id: "generation-9", key, data: usualRun(9) });
  });

  test("in numbers are those since a time; records are as they were found", () => {
    const sinceMs = usualRun(6).started_at.toMillis();
    expect(idsIn([recordOf(7, 5, 6), recordOf(4)], sinceMs)).toEqual([
      "record-7",
      "generation-6",
      "record-4",
    ]);
  });

  test("are not made of what is none", () => {
    const [first = 0, second = 0, third = 0] = numbersOfRun(usualRun(1));
    const none = [
      undefined,
      "numbers",
      [first],
      [first, second, -1],
      [first, 0.5, third],
      [first, second, NaN],
    ];
    for (const recent_runs of none) expect(idsIn([{ path, data: { recent_runs } }])).toEqual([]);
    expect(idsIn([{ path, data: { recent_runs: [first, "", third, first, second, third] } }])).toEqual([
      "generation-1",
    ]);
  });
});
