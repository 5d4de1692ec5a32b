import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { noRows, type Rows } from "../ranking/rows.ts";
import { definitionOf } from "../../../test/support/definitions.ts";
import { pagesOf, rowsOfScores } from "../../../test/support/pages.ts";
import { exactRows } from "../../../test/support/rows.ts";
import { placesIn } from "./lookup.ts";
import { percentileOf, rankOf, tierOf } from "./rank.ts";

const tiers = [
  { name: "gold", top_percent: 1 },
  { name: "silver", top_percent: 10 },
  { name: "rest", top_percent: 100 },
];
const key = { leaderboard: "chess", season: "all_time" };

describe("the percentile", () => {
  test("is 100 for rank 1 and 0 for the last of players with different scores", () => {
    for (const players of [2, 3, 10, 1_000_000]) {
      expect(percentileOf(1, players)).toBe(100);
      expect(percentileOf(players, players)).toBe(0);
    }
  });

  test("is the share of the others who are not better, as a count gives it", () => {
    const scores = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(scores, (all) => {
        all.forEach((own, index) => {
          const others = all.filter((_, i) => i !== index);
          const notBetter = others.filter((other) => other <= own).length;
          const rank = 1 + others.filter((other) => other > own).length;
          expect(percentileOf(rank, all.length)).toBeCloseTo((100 * notBetter) / others.length, 10);
        });
      }),
    );
  });

  test("counts ties as not better: for ranks 1, 1, 3 it is 100, 100, 0", () => {
    expect([1, 1, 3].map((rank) => percentileOf(rank, 3))).toEqual([100, 100, 0]);
  });

  test("is 100 for the only player, and for the first score of an empty ranking", () => {
    expect(percentileOf(1, 1)).toBe(100);
    expect(percentileOf(1, 0)).toBe(100);
  });

  test("is 0, never less, for a score below all others", () => {
    expect(percentileOf(2, 1)).toBe(0);
    expect(percentileOf(11, 10)).toBe(0);
  });
});

describe("the tier", () => {
  test("reaches down to its share of the players, and no further", () => {
    expect([1, 10, 11, 100, 101, 1_000].map((rank) => tierOf({ tiers }, rank, 1_000))).toEqual([
      "gold",
      "gold",
      "silver",
      "silver",
      "rest",
      "rest",
    ]);
  });

  test("is rounded up to a whole player, so the first of three players still has the best tier", () => {
    expect([1, 2, 3].map((rank) => tierOf({ tiers }, rank, 3))).toEqual(["gold", "rest", "rest"]);
    expect(tierOf({ tiers }, 1, 1)).toBe("gold");
  });

  test("of a new player below everyone is that of the last player", () => {
    expect(tierOf({ tiers }, 1_001, 1_000)).toBe("rest");
    expect(tierOf({ tiers: tiers.slice(0, 1) }, 1_001, 1_000)).toBeUndefined();
  });

  test("is undefined below the last tier, on a board without tiers, and if nobody is ranked", () => {
    const half = [{ name: "half", top_percent: 50 }];
    expect(tierOf({ tiers: half }, 51, 100)).toBeUndefined();
    expect(tierOf({ tiers: undefined }, 1, 100)).toBeUndefined();
    expect(tierOf({ tiers }, 1, 0)).toBeUndefined();
  });

  test("of 1.1 % of 3,000 players ends at rank 33, although 3000 × 1.1 / 100 is a little more in floating point", () => {
    const first = [{ name: "first", top_percent: 1.1 }];
    expect(tierOf({ tiers: first }, 33, 3_000)).toBe("first");
    expect(tierOf({ tiers: first }, 34, 3_000)).toBeUndefined();
  });

  test("has exactly the players that whole-number arithmetic gives, for any percentage of three decimals", () => {
    const anyShare = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 100_000_000 }));
    fc.assert(
      fc.property(anyShare, ([thousandths, players]) => {
        const last = Number((BigInt(thousandths) * BigInt(players) + 99_999n) / 100_000n);
        const list = [{ name: "t", top_percent: Number(`${thousandths}e-3`) }];
        expect(tierOf({ tiers: list }, last, players)).toBe("t");
        if (last < players) expect(tierOf({ tiers: list }, last + 1, players)).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the answer to a rank", () => {
  const answer = (rows: Rows, score: number, player?: string, definition = definitionOf({ tiers })) => {
    const [page] = pagesOf(definition.order, rows);
    if (page === undefined) throw new Error("there is always a page");
    return rankOf(key, definition, placesIn(definition.order, page), score, player);
  };

  test("has all its fields", () => {
    expect(answer(exactRows([50, 2], [40, 1]), 40, "ann")).toEqual({
      ...key,
      player: "ann",
      score: 40,
      rank: 3,
      dense_rank: 2,
      exact: true,
      rank_best: 3,
      rank_worst: 3,
      players: 3,
      percentile: 0,
      tier: "rest",
      freshness: "published",
      as_of: "1970-01-01T00:05:00.000Z",
      generation: 7,
    });
  });

  test("names no player if a score was requested, and no tier if nobody is ranked", () => {
    const rank = answer(noRows, 5);
    expect(rank).toMatchObject({ rank: 1, players: 0, percentile: 100 });
    expect(rank).not.toHaveProperty("player");
    expect(rank).not.toHaveProperty("tier");
  });

  test("has the columns that a score stands for, if the board has any", () => {
    const definition = definitionOf({
      columns: [
        { name: "points", min: 0, max: 300 },
        { name: "goal_difference", min: -500, max: 500 },
      ],
    });
    const rows = rowsOfScores("descending", [3_501]);
    expect(answer(rows, 3_501, "ann", definition).columns).toEqual({ points: 3, goal_difference: -2 });
    expect(answer(rows, -1, "ann", definition)).not.toHaveProperty("columns");
  });
});

test("a score below everyone is better than nobody, even in an empty ranking", () => {
  expect([percentileOf(1, 0), percentileOf(2, 0), percentileOf(3, 1), percentileOf(6, 5)]).toEqual([
    100, 0, 0, 0,
  ]);
});
