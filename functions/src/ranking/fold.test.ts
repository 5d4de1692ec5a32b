import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Order } from "../model/score.ts";
import { anyOrder, anyScore, seededRandom } from "../../../test/support/arbitraries.ts";
import { anyRows, checkRows, exactRows, listOf, type Row, rowsOf } from "../../../test/support/rows.ts";
import { createFold } from "./fold.ts";
import { noRows, type Rows } from "./rows.ts";

type Change = [score: number, delta: number];

const anyDocuments = fc.array(
  fc.array(fc.tuple(anyScore, fc.integer({ min: -3, max: 3 })), { maxLength: 12 }),
  {
    maxLength: 8,
  },
);

function fold(order: Order, rows: Rows, documents: readonly (readonly Change[])[]): Rows {
  const started = createFold(order, rows);
  for (const [score, delta] of documents.flat()) started.add(score, delta);
  const result = started.finish();
  checkRows(order, result);
  return result;
}

/** The twin: a plain map from score to count, sorted at the end. */
function foldPlainly(order: Order, rows: readonly Row[], documents: readonly (readonly Change[])[]): Row[] {
  const counts = new Map<number, number>(rows.map(({ score, players }) => [score, players]));
  for (const [score, delta] of documents.flat()) counts.set(score, (counts.get(score) ?? 0) + delta); // a Map takes −0 for 0
  return [...counts]
    .filter(([, players]) => players !== 0)
    .sort(([a], [b]) => (order === "descending" ? (a < b ? 1 : -1) : a < b ? -1 : 1))
    .map(([score, players]) => ({ score, low: score, players }));
}

describe("a fold of exact rows", () => {
  test("turns the published ranking of the worked example into the next one", () => {
    const published = exactRows([90, 1], [80, 2], [70, 1]);
    const rise: Change[] = [
      [80, -1],
      [95, 1],
    ];
    const fallAndNewcomer: Change[] = [
      [70, -1],
      [60, 1],
      [95, 1],
    ];

    expect(fold("descending", published, [rise, fallAndNewcomer])).toEqual(
      exactRows([95, 2], [90, 1], [80, 1], [60, 1]),
    );
    expect(fold("descending", published, [rise])).toEqual(exactRows([95, 1], [90, 1], [80, 1], [70, 1]));
  });

  test("gives what adding every change to a plain map gives, on both kinds of board", () => {
    fc.assert(
      fc.property(
        anyOrder.chain((order) => fc.tuple(fc.constant(order), anyRows(order))),
        anyDocuments,
        ([order, rows], documents) => {
          expect(listOf(fold(order, rowsOf(rows), documents))).toEqual(foldPlainly(order, rows, documents));
        },
      ),
      { numRuns: 400 },
    );
  });

  test("is the same for any order of documents, and however they are split over several folds", () => {
    const cases = anyOrder.chain((order) =>
      fc.tuple(
        fc.constant(order),
        anyRows(order),
        anyDocuments.chain((documents) =>
          fc.tuple(
            fc.constant(documents),
            fc.shuffledSubarray(documents, { minLength: documents.length }),
            fc.array(fc.nat(documents.length), { maxLength: 4 }),
          ),
        ),
      ),
    );
    fc.assert(
      fc.property(cases, ([order, rows, [documents, shuffled, cuts]]) => {
        const inOne = fold(order, rowsOf(rows), documents);
        let inSeveral = rowsOf(rows);
        let from = 0;
        for (const until of [...cuts.toSorted((a, b) => a - b), shuffled.length]) {
          inSeveral = fold(order, inSeveral, [shuffled.slice(from, until)].flat());
          from = until;
        }
        expect(inSeveral).toEqual(inOne);
      }),
      { numRuns: 200 },
    );
  });

  test("does not change the rows that it was given", () => {
    const rows = exactRows([90, 1], [80, 2]);
    fold("descending", rows, [[[90, -1]], [[85, 2]]]);
    expect(rows).toEqual(exactRows([90, 1], [80, 2]));
  });

  test("of nothing onto nothing is nothing", () => {
    expect(fold("ascending", noRows, [])).toEqual(noRows);
  });

  test("keeps no row for a score that everybody left", () => {
    expect(fold("descending", exactRows([5, 2]), [[[5, -1]], [[5, -1]]])).toEqual(noRows);
  });

  test("counts a score of minus zero as zero, and returns it as zero", () => {
    const rows = fold("descending", noRows, [[[-0, 1]], [[0, 1]]]);
    expect(listOf(rows)).toEqual([{ score: 0, low: 0, players: 2 }]);
  });

  test("keeps a negative row, whose other half is still pending, until that half makes it whole", () => {
    const early = fold("descending", exactRows([50, 1]), [
      [
        [40, -1],
        [60, 1],
      ],
    ]);
    expect(early).toEqual(exactRows([60, 1], [50, 1], [40, -1]));
    expect(fold("descending", early, [[[40, 1]]])).toEqual(exactRows([60, 1], [50, 1]));
  });
});

describe("a fold of merged rows", () => {
  test("adds the changes from its best score to its worst to a merged row, and gives other changes rows of their own", () => {
    const rows = rowsOf([{ score: 90, low: 80, players: 5 }]);
    const changes: Change[] = [90.5, 90, 85, 80, 79.5].map((score) => [score, 1]);
    expect(listOf(fold("descending", rows, [changes]))).toEqual([
      { score: 90.5, low: 90.5, players: 1 },
      { score: 90, low: 80, players: 8 },
      { score: 79.5, low: 79.5, players: 1 },
    ]);
  });

  test("gives what searching for the row of each change gives", () => {
    const cases = anyOrder.chain((order) => fc.tuple(fc.constant(order), anyRows(order, { merged: true })));
    fc.assert(
      fc.property(cases, anyDocuments, ([order, rows], documents) => {
        const inside = new Map(rows.map((row) => [row, row.players]));
        const outside: Change[] = [];
        for (const [score, delta] of documents.flat()) {
          const holder = rows.find(
            (row) => Math.min(row.score, row.low) <= score && score <= Math.max(row.score, row.low),
          );
          if (holder === undefined) outside.push([score, delta]);
          else inside.set(holder, (inside.get(holder) ?? 0) + delta);
        }
        const expected = [...inside]
          .map(([row, players]) => ({ ...row, players }))
          .filter(({ players, score, low }) => players !== 0 || score !== low)
          .concat(foldPlainly(order, [], [outside]))
          .sort((a, b) => (order === "descending" ? b.score - a.score : a.score - b.score));
        expect(listOf(fold(order, rowsOf(rows), documents))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a large fold", () => {
  const orders: Order[] = ["descending", "ascending"];

  test.each(orders)("adds up repeated scores as it goes, on a board that is %s", (order) => {
    const random = seededRandom(1);
    const counts = new Map<number, number>();
    const started = createFold(order, noRows);
    for (let i = 0; i < 200_000; i++) {
      const score = Math.floor(random() * 700) / 4 - 50;
      const delta = random() < 0.5 ? 1 : -1;
      started.add(score, delta);
      counts.set(score, (counts.get(score) ?? 0) + delta);
    }
    const rows = started.finish();
    checkRows(order, rows);
    expect(listOf(rows)).toEqual(foldPlainly(order, [], [[...counts]]));
  });

  test.each(orders)(
    "grows with the number of different scores, on a board that is %s",
    { tags: "big" },
    (order) => {
      const random = seededRandom(2);
      const changes = Array.from({ length: 100_000 }, (): Change => [random() * 2 ** 40 - 2 ** 39, 1]);
      expect(listOf(fold(order, noRows, [changes, changes]))).toEqual(
        foldPlainly(order, [], [changes, changes]),
      );
    },
  );

  test("in which each change is taken back leaves the rows unchanged", () => {
    const random = seededRandom(3);
    const there = Array.from({ length: 50_000 }, (): Change => [random() - 0.5, 1]);
    const back = there.map(([score]): Change => [score, -1]);
    expect(fold("descending", exactRows([0.25, 3]), [there, back])).toEqual(exactRows([0.25, 3]));
  });
});
