import { describe, expect, test, vi } from "vitest";
import { drawScores, shapes } from "../generators/shapes.ts";
import { randomOf } from "../generators/random.ts";
import { noRows, type Rows } from "../../functions/src/ranking/rows.ts";
import { boundsOf, errorsOf } from "../rank-error/measure.ts";
import { type Counted, countOnce, indexedRows, keysOf } from "./play.ts";
import { sortedKeys } from "./twin.ts";

const million = 1_000_000;
vi.setConfig({ testTimeout: 120_000 });

/** The reads of a run for these players with 1,024 thresholds: 10,722 for counts, 4 pages, and 102 for the top. */
const readsWith1024Thresholds = 10_722 + 4 + 102;

/** The limits of every run, whatever the scores: none of this may grow with the results. */
function expectBounded(run: Counted, players: number): void {
  expect(run.rounds).toBeLessThanOrEqual(16);
  expect(run.atOnceMax).toBeLessThanOrEqual(128);
  expect(run.ms).toBeLessThan(60_000);
  expect(run.rows.players.reduce((sum, count) => sum + count, 0)).toBe(players);
}

describe("ten million players who all differ", () => {
  const scores = drawScores(shapes.different, 10 * million, 1);
  const keys = sortedKeys("descending", scores);

  test("are counted in two rounds when a board leaves the index, for a fifth more reads than with 1,024 thresholds", async () => {
    const first = await countOnce({ keys }, indexedRows(keys), 0);
    expectBounded(first, keys.length);
    expect(first.rounds).toBeLessThanOrEqual(5);
    expect(first.counts).toBeLessThan(13_000);
    // In addition to the counts: 49 pages, the top with its document and index entry, and 412 players behind it.
    expect(first.reads + 49 + 102 + 412).toBeLessThanOrEqual(1.2 * readsWith1024Thresholds);
    expect(boundsOf(first.rows).worst).toBeLessThanOrEqual(0.005);
    const { worst, outside } = errorsOf(first.rows, scores, 50);
    expect(outside).toBe(0);
    expect(worst).toBeLessThan(0.005);

    const second = await countOnce({ keys }, first.rows, 1);
    expect(second.rounds).toBe(2);
    expect(second.reads).toBeLessThanOrEqual(first.reads + 2);
    expect(second.rows.players).toEqual(first.rows.players);
  });

  test("are ranked for the first time from a sample, with no count that takes long", async () => {
    const first = await countOnce({ keys }, noRows, 0);
    expectBounded(first, keys.length);
    expect(first.largestCount).toBeLessThan(100_000);
    expect(first.reads).toBeLessThan(20_000);
    expect(boundsOf(first.rows).worst).toBeLessThanOrEqual(0.005);
    const second = await countOnce({ keys }, first.rows, 1);
    expectBounded(second, keys.length);
    expect(second.largestCount).toBeLessThan(2_000);
    expect(boundsOf(second.rows).worst).toBeLessThanOrEqual(0.005);
  });

  test("are ranked for the first time where neighbouring ids have neighbouring scores", async () => {
    const first = await countOnce({ keys, ids: "sorted" }, noRows, 0);
    expectBounded(first, keys.length);
    expect(first.largestCount).toBeLessThan(500_000);
    expect(first.reads).toBeLessThan(35_000);
    expect(boundsOf(first.rows).worst).toBeLessThanOrEqual(0.005);
  });
});

describe("ten million players", () => {
  const shapesOf: [string, (share: number) => number, bound: number][] = [
    ["all equal", () => 7, 0],
    ["on whole numbers of 0 to 999", (share) => Math.floor(1_000 * (1 - share)), 0.005],
    ["on whole numbers of 0 to 9,999", (share) => Math.floor(10_000 * (1 - share)), 0.005],
    ["on sevenths, 3,333 on each", (share) => Math.floor(3_000 * (1 - share)) / 7, 0.005],
    ["with a long tail", (share) => (share + 1e-9) ** -3, 0.005],
    [
      "in two clusters far apart",
      (share) => (share < 0.5 ? 1e15 * (2 - share) : 1e-300 * (2 - share)),
      0.005,
    ],
    [
      "within a billionth of each other, but for ten",
      (share) => (share < 1e-6 ? 2e15 : 1) - share * 1e-9,
      0.005,
    ],
    ["half of them at zero", (share) => Math.max(0, 0.5 - share) ** 2, 0.005],
  ];

  for (const [name, score, bound] of shapesOf) {
    test(`${name} are counted within bounds, after an index and after nothing`, async () => {
      const keys = keysOf(10 * million, score);
      for (const before of [indexedRows(keys), noRows]) {
        let rows: Rows = before;
        for (let run = 0; run < 3; run++) {
          const counted = await countOnce({ keys }, rows, run);
          rows = counted.rows;
          expectBounded(counted, keys.length);
          expect(counted.largestCount).toBeLessThan(260_000);
          expect(counted.reads).toBeLessThan(run === 0 ? 22_000 : 20_000);
          if (run > 0) expect(boundsOf(rows).worst).toBeLessThanOrEqual(bound);
        }
        const again = await countOnce({ keys }, rows, 3);
        expect(again.reads).toBeLessThanOrEqual(12_900);
        expect(again.rows).toEqual(rows);
      }
    });
  }
});

test("a million players who move keep their bounds and their price for twenty runs", async () => {
  const random = randomOf(2);
  const scores = drawScores(shapes.different, million, 1);
  const fresh = drawScores(shapes.different, million, 2);
  let keys = sortedKeys("descending", scores);
  let { rows } = await countOnce({ keys }, indexedRows(keys), 0);
  let reads = 0;
  for (let run = 1; run <= 20; run++) {
    for (let i = 0; i < 0.02 * million; i++)
      scores[Math.floor(random() * million)] = fresh[Math.floor(random() * million)] ?? NaN;
    keys = sortedKeys("descending", scores);
    const counted = await countOnce({ keys }, rows, run);
    rows = counted.rows;
    reads += counted.reads;
    expectBounded(counted, million);
    expect(boundsOf(rows).worst).toBeLessThanOrEqual(0.01);
  }
  expect(errorsOf(rows, scores, 100).outside).toBe(0);
  expect(reads / 20).toBeLessThan(2_328);
});
