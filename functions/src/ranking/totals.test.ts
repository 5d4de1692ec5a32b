/** Totals of teams, fold for fold, beside a plain list of players; also where rows are merged in between. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyOrder } from "../../../test/support/arbitraries.ts";
import { decimalText, plus, zero } from "../model/decimal.ts";
import type { Order } from "../model/score.ts";
import { mergeTogether } from "./merge.ts";
import { packSegments, totalsIn, unpackSegments } from "./pack-pages.ts";
import { generation } from "../../../test/support/pages.ts";
import { createMarkFold, noneRanked, type Ranked } from "./ranked.ts";
import { rowsOf } from "./rows.ts";
import { teamsIn } from "./teams.ts";
import { mergedAmongBest, totalInRows } from "./totals.ts";

const guild = (name: string) => [`guild=${name}`];
const choiceOf = (most: number) => ({ names: ["guild"], teams: new Map([["guild", most]]) });

/** The ranking as it is read again, with at most so many rows. */
function storedAgain(order: Order, ranked: Ranked, rowsMax: number): Ranked {
  const names = [...ranked.segments.keys()];
  const merged = mergeTogether([...ranked.segments.values()], rowsMax);
  const segments = new Map(names.map((name, i) => [name, merged[i] ?? rowsOf([])]));
  const pages = packSegments(order, segments, generation, undefined, ranked.totals);
  return { ...noneRanked, segments: unpackSegments(order, pages), totals: totalsIn(pages) };
}

const bestOf = (order: Order, scores: readonly number[], most: number) =>
  scores.toSorted((a, b) => (order === "descending" ? b - a : a - b)).slice(0, most);
const textOf = (scores: readonly number[]) =>
  decimalText(scores.reduce((sum, score) => plus(sum, score, 1), zero));

/** What a player plays next: a score, and a guild. */
const plays = fc.array(
  fc.record({
    player: fc.integer({ min: 0, max: 40 }),
    score: fc.integer({ min: -500, max: 500 }).map((score) => score / 4),
    guild: fc.constantFrom("red", "blue", "gold"),
  }),
  { minLength: 1, maxLength: 30 },
);

test("a total is that of the players, or of the best of them, or is not known: never a wrong one", () => {
  const most = fc.constantFrom(1, 3, 10, Infinity);
  let [known, unknown] = [0, 0];
  fc.assert(
    fc.property(
      anyOrder,
      most,
      fc.integer({ min: 6, max: 40 }),
      fc.array(plays, { maxLength: 6 }),
      (...drawn) => {
        const [order, counted, rowsMax, runs] = drawn;
        const players = new Map<number, { score: number; guild: string }>();
        let before = noneRanked;
        for (const run of runs) {
          const fold = createMarkFold(order, before);
          for (const { player, ...now } of run) {
            const was = players.get(player);
            if (was !== undefined) fold.add({ score: was.score, segments: guild(was.guild) }, -1);
            fold.add({ score: now.score, segments: guild(now.guild) }, 1);
            players.set(player, now);
          }
          const next = fold.finish(choiceOf(counted));
          for (const name of ["red", "blue", "gold"]) {
            const scores = [...players.values()].flatMap((one) => (one.guild === name ? [one.score] : []));
            const total = next.totals.get(`guild=${name}`);
            if (total === undefined) unknown += Number(scores.length > 0);
            else {
              known += 1;
              expect(decimalText(total.sum)).toBe(textOf(bestOf(order, scores, counted)));
            }
            // Of all players it is known always.
            if (counted === Infinity && scores.length > 0) expect(total).toBeDefined();
          }
          before = storedAgain(order, next, rowsMax);
        }
      },
    ),
    { numRuns: 1_000 },
  );
  expect(known).toBeGreaterThan(0);
  expect(unknown).toBeGreaterThan(0);
});

test("of fewer than the best, the worst may leave: the total is not kept", () => {
  const rows = rowsOf([
    { score: 0, low: 0.25, players: 2 },
    { score: 0.75, low: 0.75, players: 1 },
  ]);
  const totals = new Map([["guild=gold", { most: 3, sum: { units: 1n, digits: 0 } }]]);
  const stored = { ...noneRanked, segments: new Map([["guild=gold", rows]]), totals };
  const fold = createMarkFold("ascending", stored);
  fold.add({ score: 0.75, segments: guild("gold") }, -1);
  expect(fold.finish(choiceOf(3)).totals.get("guild=gold")).toBeUndefined();
});

test("rows tell the total of the best as far as they are exact, and which rows are to be read", () => {
  const rows = rowsOf([
    { score: 9, low: 9, players: 2 },
    { score: 8, low: 5, players: 3 },
    { score: 4, low: 4, players: 1 },
  ]);
  expect([1, 2, 3, 9].map((most) => totalInRows(rows, most))).toEqual([
    { units: 9n, digits: 0 },
    { units: 18n, digits: 0 },
    undefined,
    undefined,
  ]);
  expect([2, 3, 9].map((most) => mergedAmongBest(rows, most))).toEqual([[], [1], [1]]);
});

test("what negative rows owe is taken off a sum and its players; of the best they are none", () => {
  const rows = rowsOf([
    { score: 9, low: 9, players: 2 },
    { score: 8, low: 8, players: -1 },
    { score: 7, low: 7, players: 3 },
  ]);
  const ranked = { ...noneRanked, segments: new Map([["guild=red", rows]]) };
  const by = (teams: Parameters<typeof teamsIn>[1]["teams"]) =>
    teamsIn("descending", { name: "guild", teams }, ranked);
  expect(by({ by: "sum" })).toEqual([{ team: "red", rank: 1, score: 18 - 8 + 21, players: 4 }]);
  expect(by({ by: "best", best: 3 })).toEqual([{ team: "red", rank: 1, score: 18 + 7, players: 4 }]);
});

test("a segment whose name begins with another's has teams of its own", () => {
  const one = rowsOf([{ score: 1, low: 1, players: 1 }]);
  const ranked = {
    ...noneRanked,
    segments: new Map([
      ["guild=red", one],
      ["guilds=blue", one],
    ]),
  };
  expect(teamsIn("descending", { name: "guild", teams: { by: "sum" } }, ranked)).toMatchObject([
    { team: "red" },
  ]);
});
