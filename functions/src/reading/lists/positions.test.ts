import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Timestamp } from "../../documents/firestore.ts";
import { isBetter } from "../../model/score.ts";
import { mergeRows } from "../../ranking/merge.ts";
import { anyOrder, anyScore } from "../../../../test/support/arbitraries.ts";
import { pagesOf, rowsOfScores } from "../../../../test/support/pages.ts";
import { type Place, type Places, rowOfOffset } from "../lookup.ts";
import type { Listed } from "./entries.ts";
import { firstPosition, positionsOf } from "./lists.ts";

const scoresOf = (...scores: number[]) => scores.map((score) => listed(score));

function listed(score: number, player = "p", achievedMs = 0): Listed {
  const achievedAt = Timestamp.fromMillis(achievedMs);
  return { player, score, achievedAt, place: [score, achievedAt, player], shown: {} };
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

describe("the first position of some neighbours is", () => {
  const found = { reachesTop: false, equalsBefore: undefined };

  test("1 if they begin with the best of all, whatever the ranking says, and certain only then", () => {
    const list = { listed: scoresOf(9, 8), reachesTop: true, equalsBefore: undefined };
    expect(firstPosition(list, ranked({ 9: "4", 8: "~7" }))).toEqual({ position: 1, exact: true });
  });

  test("worked out from the first player with a new score, whose position is the rank", () => {
    const list = { listed: scoresOf(9, 9, 8, 7), ...found };
    expect(firstPosition(list, ranked({ 9: "3", 8: "7", 7: "8" }))).toEqual({ position: 5, exact: false });
  });

  test("worked out from a certain rank, if there is one", () => {
    const list = { listed: scoresOf(9, 8, 7), ...found };
    expect(firstPosition(list, ranked({ 9: "3", 8: "~7", 7: "8" }))).toEqual({ position: 6, exact: false });
    expect(firstPosition(list, ranked({ 9: "3", 8: "~7", 7: "~9" }))).toEqual({ position: 6, exact: false });
  });

  test("the rank plus the equals before it, if all have the same score", () => {
    const list = { listed: scoresOf(5, 5), reachesTop: false, equalsBefore: 40 };
    expect(firstPosition(list, ranked({ 5: "11" }))).toEqual({ position: 51, exact: false });
  });

  test("the rank of the best of them, if more have that score than the ranking knows", () => {
    const list = { listed: scoresOf(9, 9, 9, 8), ...found };
    expect(firstPosition(list, ranked({ 9: "5", 8: "6" }))).toEqual({ position: 5, exact: false });
  });

  test("1, and not certain, if more are listed above than the ranking knows", () => {
    const list = { listed: scoresOf(9, 8, 7), ...found };
    expect(firstPosition(list, ranked({ 9: "1", 8: "1", 7: "2" }))).toEqual({ position: 1, exact: false });
  });
});

describe("positions of friends", () => {
  test("are ranks that count on among equals", () => {
    expect(positionsOf(scoresOf(9, 9, 7), ranked({ 9: "2", 7: "5" }))).toEqual([2, 3, 5]);
  });

  test("are never shared, even if scores changed since the publication", () => {
    expect(positionsOf(scoresOf(9, 9, 8), ranked({ 9: "2", 8: "3" }))).toEqual([2, 3, 4]);
  });
});

describe("in any ranking, merged or not,", () => {
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

  test("the row of an offset is the one that covers the score of the player there", () => {
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
});
