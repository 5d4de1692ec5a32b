import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSums, type Sums, sumsAfter } from "./pack.ts";

function sumsOf(documents: readonly number[][]): Sums {
  const sums = createSums();
  for (const scores of documents) sums.add(scores);
  return sums.finish();
}

/** The summary without documents that are empty. */
function said({ players, counts, first_scores: firsts, ties_before: ties, dense_before: dense }: Sums) {
  const lines = counts.map((count, n) => ({ count, first: firsts[n], ties: ties[n], dense: dense[n] }));
  return { players, lines: lines.filter(({ count }) => count > 0) };
}

/** The document that a score goes into, after its equals: the last one that does not begin after it. */
function documentFor(sums: Sums, score: number): number {
  const isBefore = (first: number, n: number) =>
    first > score || (first === score && (sums.counts[n] ?? 0) > 0);
  return Math.max(0, sums.first_scores.findLastIndex(isBefore));
}

test("after players leave and come back, the sums are those of counting everybody", () => {
  const change = fc.record({ leaves: fc.boolean(), at: fc.nat(), score: fc.integer({ min: 0, max: 5 }) });
  const scores = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 });
  fc.assert(
    fc.property(
      scores,
      fc.integer({ min: 1, max: 4 }),
      fc.array(change, { maxLength: 25 }),
      (all, size, changes) => {
        const sorted = all.toSorted((a, b) => b - a);
        const documents: number[][] = sorted.length === 0 ? [[]] : [];
        for (let i = 0; i < sorted.length; i += size) documents.push(sorted.slice(i, i + size));
        let sums = sumsOf(documents);
        for (const { leaves, at, score } of changes) {
          const filled = documents.flatMap((scoresOfOne, n) => (scoresOfOne.length > 0 ? [n] : []));
          if (leaves && filled.length === 0) continue;
          const n = (leaves ? filled[at % filled.length] : documentFor(sums, score)) ?? 0;
          const before = documents[n] ?? [];
          const after = leaves
            ? before.toSpliced(at % before.length, 1)
            : [...before, score].toSorted((a, b) => b - a);
          documents[n] = after;
          sums = sumsAfter(sums, n, before, after);
          expect(documents.flat()).toEqual(documents.flat().toSorted((a, b) => b - a));
          expect(said(sums)).toEqual(said(sumsOf(documents.filter(({ length }) => length > 0))));
        }
      },
    ),
  );
});

test("a document whose last player leaves keeps that score, so that documents stay in order, and counts it as gone", () => {
  expect(sumsAfter(sumsOf([[7], [5], [3]]), 1, [5], [])).toEqual({
    players: 2,
    counts: [1, 0, 1],
    first_scores: [7, 5, 3],
    ties_before: [0, 0, 0],
    dense_before: [0, 1, 1],
  });
  const emptied = sumsAfter(sumsOf([[5], [5], [3]]), 1, [5], []);
  expect(emptied.dense_before).toEqual([0, 0, 1]);
  expect(sumsAfter(emptied, 0, [5], []).dense_before).toEqual([0, 0, 0]);
});

describe("a player who comes into an emptied document", () => {
  const comes = (sums: Sums, score: number) => sumsAfter(sums, 1, [], [score]);

  test("has the scores before it above them, also the one that the document shared", () => {
    const emptied = sumsAfter(sumsOf([[5, 5], [5]]), 1, [5], []);
    expect(comes(emptied, 3)).toEqual(sumsOf([[5, 5], [3]]));
  });

  test("has above them only the scores that somebody still has", () => {
    const emptied = sumsAfter(sumsOf([[7, 5], [5]]), 1, [5], []);
    const without5 = sumsAfter(emptied, 0, [7, 5], [7]);
    expect(comes(without5, 3)).toEqual(sumsOf([[7], [3]]));
  });
});
