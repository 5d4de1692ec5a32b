import fc from "fast-check";
import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { isBetter } from "../model/score.ts";
import { mergeRows } from "../ranking/merge.ts";
import { anyOrder, anyScore } from "../../../test/support/arbitraries.ts";
import { pagesOf, rowsOfScores } from "../../../test/support/pages.ts";
import { type Place, type Places, rowOfOffset } from "./lookup.ts";
import type { Listed } from "./entries.ts";
import { firstPosition, positionsOf } from "./lists.ts";

const scoresOf = (...scores: number[]) => scores.map((score) => listed(score));

function listed(score: number, player = "p", achievedMs = 0): Listed {
  const achievedAt = Timestamp.fromMillis(achievedMs);
  return { player, score, achievedAt, listKey: [score, achievedAt, player], segments: [], shown: {} };
}

/** The places in a ranking in which these scores have these ranks; `~` marks a rank that is a guess. */
function ranked(ranks: Record<number, string>): Places {
  const of = (score: number): Place => {
    const rank = Number(ranks[score]?.replace("~", ""));
    const exact = ranks[score]?.startsWith("~") !== true;
    return { rank, dense_rank: rank, exact, rank_best: rank, rank_worst: rank };
  };
  return { generation: 1, asOf: Timestamp.now(), players: 9, freshness: "published", of };
}

/** Ranks of scores; `~` marks one that is a guess. */
type Ranks = Record<number, string>;
test.each<[what: string, scores: number[], Ranks, position: number, more?: object]>([
  ["1 with the best of all, and certain only then", [9, 8], { 9: "4", 8: "~7" }, 1, { reachesTop: true }],
  ["from the first new score, whose position is the rank", [9, 9, 8, 7], { 9: "3", 8: "7", 7: "8" }, 5],
  ["from a certain rank, if there is one", [9, 8, 7], { 9: "3", 8: "~7", 7: "8" }, 6],
  ["from a guess, if there is none", [9, 8, 7], { 9: "3", 8: "~7", 7: "~9" }, 6],
  ["the rank plus the equals before it, if all are equal", [5, 5], { 5: "11" }, 51, { equalsBefore: 40 }],
  ["the rank of the best, if more are equal than the ranking knows", [9, 9, 9, 8], { 9: "5", 8: "6" }, 5],
  ["1, if more are above than the ranking knows", [9, 8, 7], { 9: "1", 8: "1", 7: "2" }, 1],
])("the first position of some neighbours is worked out: %s", (_what, scores, ranks, position, more) => {
  const list = { listed: scoresOf(...scores), reachesTop: false, equalsBefore: undefined, ...more };
  expect(firstPosition(list, ranked(ranks))).toEqual({ position, exact: list.reachesTop });
});

test("positions of friends are ranks that count on among equals, and are never shared", () => {
  expect(positionsOf(scoresOf(9, 9, 7), ranked({ 9: "2", 7: "5" }))).toEqual([2, 3, 5]);
  // Scores changed since the publication.
  expect(positionsOf(scoresOf(9, 9, 8), ranked({ 9: "2", 8: "3" }))).toEqual([2, 3, 4]);
});

test("in any ranking, merged or not, the row of an offset covers the score of the player there", () => {
  const anyPages = fc
    .tuple(
      anyOrder,
      fc.array(anyScore, { minLength: 1, maxLength: 600 }),
      fc.constantFrom(4, 20, Number.MAX_SAFE_INTEGER),
    )
    .map(([order, scores, rowsMax]) => {
      const sorted = scores.map((score) => 0 + score).sort((a, b) => (isBetter(order, a, b) ? -1 : 1));
      return { order, sorted, pages: pagesOf(order, mergeRows(rowsOfScores(order, sorted), rowsMax)) };
    });

  fc.assert(
    fc.property(anyPages, ({ order, sorted, pages }) => {
      sorted.forEach((score, offset) => {
        const rows = pages.flatMap((page) => {
          const isHere = (page.players_above[0] ?? Infinity) <= offset;
          return (isHere ? rowOfOffset(page, offset) : undefined) ?? [];
        });
        const [row = { score: NaN, low: NaN, above: NaN, players: NaN }] = rows;
        expect(rows).toHaveLength(1);
        expect(isBetter(order, score, row.score) || isBetter(order, row.low, score)).toBe(false);
        expect(offset - row.above).toBeLessThan(row.players);
      });
    }),
  );
});
