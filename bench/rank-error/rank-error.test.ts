import { describe, expect, test } from "vitest";
import { rowsMax as productionRowsMax } from "../../functions/src/model/limits.ts";
import { checkRows } from "../../test/support/rows.ts";
import { drawScores, type Shape, shapes } from "../generators/shapes.ts";
import { boundsOf, errorsOf } from "./measure.ts";
import { playSeason, type Round, type Season } from "./season.ts";
import { splitWideRows } from "./split.ts";

/** A tenth of production's rows for a tenth of the players, or fewer, so that merging is as hard. */
const rowsMax = 6_554;

function play(season: Partial<Season> & { shape: Shape }): Round[] {
  const rounds: Round[] = [];
  const whole = {
    players: 300_000,
    course: "latest",
    rounds: 0,
    changedShare: 0.05,
    rowsMax,
    seed: 5,
  } as const;
  for (const round of playSeason({ ...whole, ...season })) rounds.push(round);
  return rounds;
}

test.each([shapes.different, shapes.osu])(
  "$title: half a million players in production's rows are within 0.03 % and exact to the 3,000th rank",
  (shape) => {
    const [first] = play({ shape, players: 500_000, rowsMax: productionRowsMax });
    const bounds = boundsOf(first?.rows ?? expect.fail());
    expect(bounds.rows).toBeGreaterThan(0.95 * productionRowsMax);
    expect(bounds.worst).toBeLessThan(0.0003);
    expect(bounds.exactHead).toBeGreaterThan(3_000);
    expect(errorsOf(first?.rows ?? expect.fail(), first?.scores ?? expect.fail(), 20).outside).toBe(0);
  },
);

describe("a long season of a board whose scores all differ", () => {
  const bound = 0.0016;
  const season = { shape: shapes.different, players: 100_000, rounds: 30 };

  test("widens rows beyond any bound if nothing is read again", () => {
    const last = play({ ...season, course: "decline" }).at(-1) ?? expect.fail();
    expect(boundsOf(last.rows).worst).toBeGreaterThan(2 * bound);
    expect(errorsOf(last.rows, last.scores, 50).outside).toBe(0);
  });

  test.each([
    ["latest", 1],
    ["best", 1],
    ["decline", 1],
    ["latest", 0.1],
  ] as const)(
    "keeps its bound and its exact head through every round if wide rows are read again: %s, from a share of %d",
    (course, startShare) => {
      const rounds = play({ ...season, course, startShare, splitBound: bound });
      for (const { rows } of rounds) {
        checkRows("descending", rows);
        expect(rows.players.length).toBeLessThanOrEqual(rowsMax);
        const bounds = boundsOf(rows);
        expect(bounds.worst).toBeLessThanOrEqual(bound);
        expect(bounds.exactHead).toBeGreaterThanOrEqual(1 / bound);
      }
      const last = rounds.at(-1) ?? expect.fail();
      expect(boundsOf(last.rows).players).toBe(season.players);
      expect(errorsOf(last.rows, last.scores, 50).outside).toBe(0);
    },
  );
});

test("splitting a row reads its players and no other's, and leaves exact rows where they fit", () => {
  const rows = {
    scores: Float64Array.of(100, 90, 50),
    lows: Float64Array.of(100, 60, 10),
    players: Float64Array.of(2, 3, 1),
  };
  const scores = Float64Array.of(60, 100, 90, 30, 100, 75);
  const { rows: after, split, reads } = splitWideRows(rows, scores, 0.5, 10);
  expect([split, reads]).toEqual([1, 3]);
  expect([...after.scores]).toEqual([100, 90, 75, 60, 50]);
  expect([...after.lows]).toEqual([100, 90, 75, 60, 10]);
  expect([...after.players]).toEqual([2, 1, 1, 1, 1]);
});

test("a draw measured against itself finds a wrong ranking", () => {
  const scores = drawScores(shapes.different, 1_000, 1).sort().reverse();
  const rows = { scores, lows: scores, players: new Float64Array(1_000).fill(1) };
  expect(errorsOf(rows, scores, 1_000)).toMatchObject({ worst: 0, outside: 0 });
  const shifted = { ...rows, players: rows.players.with(0, 2) };
  expect(errorsOf(shifted, scores, 1_000).outside).toBe(999);
});
