import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyOrder, anyScore } from "../../../test/support/arbitraries.ts";
import { placePlainly, probesOf } from "../../../test/support/pages.ts";
import { type Finalist, sortFinalists, standingsOf } from "../../../test/support/standings.ts";
import {
  indexOfStandings,
  partForScore,
  partsWithScore,
  placeOfScore,
  ranksIn,
  stretchesFrom,
} from "./lookup.ts";

/** Scores across many edges: equals over several whole documents, and single scores. */
const anyScores = fc.oneof(
  fc.array(anyScore, { maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 }),
  fc
    .tuple(
      fc.array(anyScore, { maxLength: 9 }),
      fc.integer({ min: 5, max: 30 }),
      fc.array(anyScore, { maxLength: 9 }),
    )
    .map(([some, equals, others]) => [...some, ...Array.from({ length: equals }, () => 7), ...others]),
);

/** A season: its players, the size of a document, and the players removed since; sometimes all of one document. */
const anySeason = fc
  .record({
    order: anyOrder,
    ties: fc.constantFrom("first" as const, "last" as const),
    scores: anyScores,
    size: fc.integer({ min: 1, max: 7 }),
    leaving: fc.array(fc.boolean(), { minLength: 50, maxLength: 50 }),
    emptied: fc.integer({ min: -3, max: 8 }),
    times: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 50, maxLength: 50 }),
  })
  .map(({ order, ties, scores, size, leaving, emptied, times }) => {
    const all = scores.map((score, i): Finalist => {
      return { id: `p${i}`, score, achievedMs: times[i] ?? 0 };
    });
    const sorted = sortFinalists({ order, ties }, all);
    const goes = (i: number) => Math.floor(i / size) === emptied || (leaving[i] === true && i % 3 === 0);
    const gone = new Set(sorted.filter((_, i) => goes(i)).map(({ id }) => id));
    const { summary, documents } = standingsOf({ order, ties }, all, { size, gone });
    const players = sorted.filter(({ id }) => !gone.has(id));
    const held = players.map(({ score }) => score);
    return { order, players, held, documents, index: indexOfStandings(summary) };
  });

describe("the standings of any season, complete or after players were removed", () => {
  test("hold every player at the offset, with the rank, that a full sort gives", () => {
    fc.assert(
      fc.property(
        anySeason,
        fc.nat(40),
        fc.integer({ min: 1, max: 50 }),
        ({ order, players, held, documents, index }, offset, limit) => {
          expect(index.players).toBe(players.length);
          const found = stretchesFrom(index, offset, limit).flatMap((stretch) => {
            const document = documents[stretch.part.n];
            if (document === undefined) throw new Error("a document that is not there");
            const ranks = ranksIn(stretch, document);
            // No stretch is empty, so no document is read without need.
            expect(ranks.length).toBeGreaterThan(0);
            expect(ranks).toHaveLength(stretch.until - stretch.from);
            expect(stretch.until).toBeLessThanOrEqual(stretch.part.players);
            return document.players.slice(stretch.from, stretch.until).map((id, i) => {
              return { id, rank: ranks[i], position: stretch.part.before + stretch.from + i + 1 };
            });
          });
          const expected = players.map(({ id, score }, i) => {
            return { id, rank: placePlainly(order, held, score).rank, position: i + 1 };
          });
          expect(found).toEqual(expected.slice(offset, offset + limit));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("give the rank of every score, held or not, from at most one document, and name every one that holds it", () => {
    fc.assert(
      fc.property(
        anySeason,
        fc.array(anyScore, { maxLength: 5 }),
        ({ order, held, documents, index }, more) => {
          for (const score of probesOf(order, held, more)) {
            const part = partForScore(order, index, score);
            const scores = part === undefined ? undefined : documents[part.n]?.scores;
            const place = placeOfScore(order, index, score, scores);
            expect(place, `score ${score}`).toEqual(placePlainly(order, held, score));
            // At most one more is named, the one before.
            const named = partsWithScore(order, index, score).map(({ n }) => n);
            const holding = [...documents.keys()].filter((n) =>
              documents[n]?.scores.some((one) => one === score),
            );
            expect(holding.filter((n) => !named.includes(n))).toEqual([]);
            expect(named.length).toBeLessThanOrEqual(holding.length + 1);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("find nobody beyond the end, and nobody in a season without players", () => {
    const { summary } = standingsOf({ order: "descending", ties: "first" }, []);
    const index = indexOfStandings(summary);
    expect(stretchesFrom(index, 0, 10)).toEqual([]);
    expect(placeOfScore("descending", index, 5)).toEqual({ rank: 1, dense_rank: 1 });
    expect(partsWithScore("descending", index, 5)).toEqual([]);
  });
});

test("equals over several documents need no document for their own rank, and do not change the ranks behind them", () => {
  const scores = [9, 8, 8, 8, 8, 8, 8, 5, 5];
  const players = scores.map((score, i): Finalist => ({ id: `p${i}`, score, achievedMs: i }));
  const { summary, documents } = standingsOf({ order: "descending", ties: "first" }, players, { size: 3 });
  const index = indexOfStandings(summary);
  expect(partForScore("descending", index, 8)).toBeUndefined();
  expect(placeOfScore("descending", index, 8)).toEqual({ rank: 2, dense_rank: 2 });
  expect(partsWithScore("descending", index, 8).map(({ n }) => n)).toEqual([0, 1, 2]);
  expect(partForScore("descending", index, 6)?.n).toBe(2);
  expect(placeOfScore("descending", index, 6, documents[2]?.scores)).toEqual({ rank: 8, dense_rank: 3 });
  expect(() => placeOfScore("descending", index, 6)).toThrow("document 2 has 0 scores");
});
