import { describe, expect, test } from "vitest";
import chess from "./published/chess-rapid.json" with { type: "json" };
import codeforces from "./published/codeforces.json" with { type: "json" };
import guitarHero from "./published/guitar-hero-3.json" with { type: "json" };
import osu from "./published/osu-pp.json" with { type: "json" };
import { drawScores, shapes } from "./shapes.ts";

const draws = 400_000;

/** Checks that a share of the draws is a published share, within five standard deviations of a draw and a rounding. */
function expectShare(found: number, of: number, share: number): void {
  expect(Math.abs(found - of * share)).toBeLessThanOrEqual(1 + 5 * Math.sqrt(of * share * (1 - share)));
}

const countWhere = (scores: Float64Array, keep: (score: number) => boolean) => scores.filter(keep).length;

test("a draw of the chess board fills each published bin as published, within the noise of a draw", () => {
  const scores = drawScores(shapes.chess, draws, 11);
  for (const [from = NaN, players = NaN] of chess.bins) {
    const found = countWhere(scores, (score) => score >= from && score < from + chess.binWidth);
    expectShare(found, draws, players / chess.players);
  }
  expect(scores.every(Number.isInteger)).toBe(true);
});

describe.each([
  ["osu", shapes.osu, osu],
  ["guitarHero", shapes.guitarHero, guitarHero],
  ["codeforces", shapes.codeforces, codeforces],
] as const)("the board %s", (_name, shape, published) => {
  const scores = drawScores(shape, draws, 12);

  test("has as many players at or above each published score as its rank says", () => {
    for (const [rank = NaN, score = NaN] of published.ranks) {
      const found = countWhere(scores, (value) => value >= score);
      expectShare(found, draws, rank / published.players);
    }
  });

  test("has scores in whole steps", () => {
    const perStep = Math.round(1 / published.step);
    expect(scores.every((score) => score === Math.round(score * perStep) / perStep)).toBe(true);
  });
});

test("osu's heavy tail of zeros is one score of an eighth of the players", () => {
  const scores = drawScores(shapes.osu, draws, 13);
  expect(countWhere(scores, (score) => score === 0) / draws).toBeCloseTo(0.125, 2);
  expect(scores.every((score) => score >= 0)).toBe(true);
});

test("the ratings of Codeforces come near the published mean and spread, which were not used", () => {
  const scores = drawScores(shapes.codeforces, draws, 14);
  const meanOf = (valueOf: (score: number) => number) =>
    scores.reduce((sum, score) => sum + valueOf(score), 0) / draws;
  const mean = meanOf((score) => score);
  expect(Math.abs(mean - 1_205)).toBeLessThan(15);
  expect(Math.abs(Math.sqrt(meanOf((score) => (score - mean) ** 2)) - 378)).toBeLessThan(30);
});

test("scores that shall differ do so, also when there are far more than were published", () => {
  expect(new Set(drawScores(shapes.different, draws, 15)).size).toBe(draws);
});

test.each(Object.entries(shapes))(
  "%s: a seed gives one draw, and the quartiles are the same for any number of players",
  (_name, shape) => {
    expect(drawScores(shape, 1_000, 18)).toEqual(drawScores(shape, 1_000, 18));
    expect(drawScores(shape, 1_000, 19)).not.toEqual(drawScores(shape, 1_000, 18));
    const few = drawScores(shape, 20_000, 20).sort();
    const many = drawScores(shape, 200_000, 21);
    for (const share of [0.25, 0.5, 0.75]) {
      const quartile = few[few.length * share] ?? NaN;
      expect(countWhere(many, (score) => score < quartile) / many.length).toBeLessThan(share + 0.02);
      expect(countWhere(many, (score) => score <= quartile) / many.length).toBeGreaterThan(share - 0.02);
    }
  },
);
