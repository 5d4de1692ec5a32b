import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { noRows, type Rows } from "../ranking/rows.ts";
import { definitionOf } from "../../../test/support/definitions.ts";
import { pagesOf, rowsOfScores } from "../../../test/support/pages.ts";
import { someRows } from "../../../test/support/rows.ts";
import { placesIn } from "./lookup.ts";
import { percentileOf, rankOf, tierOf, worstRankIn, worstRankWith } from "./rank.ts";

const tiers = [
  { name: "gold", top_percent: 1 },
  { name: "silver", top_percent: 10 },
  { name: "rest", top_percent: 100 },
];
const key = { leaderboard: "chess", season: "all_time" };

describe("the percentile", () => {
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

  test("is 100 for the only player, also of an empty ranking, and 0, never less, below all others", () => {
    expect([1, 2].map((rank) => percentileOf(rank, 0))).toEqual([100, 0]);
    expect([1, 2, 3].map((rank) => percentileOf(rank, 1))).toEqual([100, 0, 0]);
    expect(percentileOf(11, 10)).toBe(0);
  });
});

test("the worst rank with a percentile has it, and the next one has not", () => {
  const asked = fc.oneof(fc.double({ min: 0.001, max: 100, noNaN: true }), fc.integer({ min: 1, max: 100 }));
  fc.assert(
    fc.property(asked, fc.integer({ min: 1, max: 5_000_000 }), (percentile, players) => {
      const rank = worstRankWith(percentile, players);
      expect(percentileOf(rank, players)).toBeGreaterThanOrEqual(percentile);
      if (rank <= players) expect(percentileOf(rank + 1, players)).toBeLessThan(percentile);
    }),
    { numRuns: 2_000 },
  );
  expect(worstRankWith(0, 10)).toBe(11);
});

describe("the tier", () => {
  test("ends at the worst rank that is in it", () => {
    const shares = fc.integer({ min: 1, max: 999 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(shares, fc.integer({ min: 1, max: 1_000_000 }), (percent, players) => {
        const [top, all] = [
          { name: "top", top_percent: percent },
          { name: "all", top_percent: 100 },
        ];
        const rank = worstRankIn(top, players);
        expect(tierOf({ tiers: [top, all] }, rank, players)).toBe("top");
        if (rank <= players) expect(tierOf({ tiers: [top, all] }, rank + 1, players)).toBe("all");
        expect(worstRankIn(all, players)).toBe(players + 1);
      }),
    );
  });

  test("reaches down to its share of the players, rounded up to a whole player, and no further", () => {
    const tiersOf = (ranks: number[], players: number) =>
      ranks.map((rank) => tierOf({ tiers }, rank, players));
    expect(tiersOf([10, 11, 100, 101], 1_000)).toEqual(["gold", "silver", "silver", "rest"]);
    expect(tiersOf([1, 2, 3], 3)).toEqual(["gold", "rest", "rest"]);
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

  test("has exactly the players that whole-number arithmetic gives, for any percentage of three decimals", () => {
    const anyShare = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 100_000_000 }));
    fc.assert(
      fc.property(anyShare, ([thousandths, players]) => {
        const last = Number((BigInt(thousandths) * BigInt(players) + 99_999n) / 100_000n);
        const list = [{ name: "t", top_percent: Number(`${thousandths}e-3`) }];
        expect(tierOf({ tiers: list }, last, players)).toBe("t");
        if (last < players) expect(tierOf({ tiers: list }, last + 1, players)).toBeUndefined();
      }),
      // 3000 × 1.1 / 100 is a little more than 33 in floating point.
      { numRuns: 2_000, examples: [[[1_100, 3_000]]] },
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
    const published = { freshness: "published", as_of: "1970-01-01T00:05:00.000Z", generation: 7 };
    const place = { rank: 3, dense_rank: 2, exact: true, rank_best: 3, rank_worst: 3 };
    const ann = { player: "ann", score: 40, tier: "rest", percentile: 0, players: 3 };
    expect(answer(someRows([50, 2], [40, 1]), 40, "ann")).toEqual({ ...key, ...published, ...place, ...ann });
  });

  test("names no player if a score was requested, and no tier if nobody is ranked", () => {
    const rank = answer(noRows, 5);
    expect(rank).toMatchObject({ rank: 1, players: 0, percentile: 100 });
    expect(rank).not.toHaveProperty("player");
    expect(rank).not.toHaveProperty("tier");
  });

  test("has the columns that a score stands for, if the board has any", () => {
    const columns = [
      { name: "points", min: 0, max: 300 },
      { name: "goal_difference", min: -500, max: 500 },
    ];
    const definition = definitionOf({ columns });
    const rows = rowsOfScores("descending", [3_501]);
    expect(answer(rows, 3_501, "ann", definition).columns).toEqual({ points: 3, goal_difference: -2 });
    expect(answer(rows, -1, "ann", definition)).not.toHaveProperty("columns");
  });
});
