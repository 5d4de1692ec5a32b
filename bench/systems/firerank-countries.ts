/**
 * The rank in a player's country beside the rank of all, in two ways: the country as a segment of the board; and a board
 * for each country beside that of all, which takes a second call for each score and each rank. The second is Firerank many
 * times, so only its formula is here.
 */
import { hashOf } from "../../functions/src/model/hash.ts";
import { segmentRowsMax } from "../../functions/src/model/limits.ts";
import { rowsPerPage } from "../../functions/src/ranking/pack-pages.ts";
import { firstWhere } from "../../functions/src/model/search.ts";
import { mergeTogether } from "../../functions/src/ranking/merge.ts";
import { isExact, type Rows, rowsOf } from "../../functions/src/ranking/rows.ts";
import { sumOf } from "../contest/bill.ts";
import type { Billable } from "../contest/growth.ts";
import { createLiveTruth, distinctScores, type LiveTruth, type Truth, truthOf } from "../contest/truth.ts";
import { billsOf, boardClockOf, pagesRead, schedules } from "./firerank-bills.ts";
import { firerank, open, usual } from "./firerank.ts";
import type { Bills, System } from "./system.ts";

/** About as many as there are; each has as many players as the others. */
export const countries = 240;

function countryOf(player: string): string {
  return `c${hashOf(player).readUInt32BE() % countries}`;
}

/** A board whose players have their country as a segment. */
export const segmentWay: System = {
  ...firerank,
  id: "firerank-segment",
  name: "Firerank, the country as a segment",
  open: (place) => open(place, usual, countryOf),
  bills: segmentBills,
};

/** Both ways, on a board of these players, who are spread evenly over the countries. */
export function countryWays(start: Truth): (Billable & { name: string })[] {
  const all = spreadOf(start);
  const { pages } = packed(all);
  return [
    {
      ...segmentWay,
      clock: (load) =>
        sumOf(schedules, boardClockOf(usual)(load), { reads: pagesRead(pages, load.ranksPerSecond) }),
    },
    {
      id: "firerank-boards",
      name: "Firerank, a board for each country",
      bills: (_, updatesPerSecond) => boardsBills(start, all, updatesPerSecond),
      clock({ updatesPerSecond, ranksPerSecond, scores }) {
        const each = all.map(({ distinct }) =>
          boardClockOf(usual)({
            updatesPerSecond: updatesPerSecond / countries,
            ranksPerSecond: ranksPerSecond / countries,
            scores: distinct,
          }),
        );
        const whole = boardClockOf(usual)({ updatesPerSecond, ranksPerSecond, scores });
        return sumOf(schedules, whole, ...each);
      },
    },
  ];
}

/** The players of each country, as many in each. */
function spreadOf(start: Truth): Truth[] {
  return Array.from({ length: countries }, (_, first) => {
    const players = Math.ceil((start.players - first) / countries);
    return truthOf(Float64Array.from({ length: players }, (__, i) => start.scoreAt(first + i * countries)));
  });
}

/** The rows of segments as a run merges them, and their pages. */
function packed(truths: readonly Truth[]): { rows: readonly Rows[]; pages: number } {
  const rowOf = (truth: Truth) => (score: number) => ({ score, low: score, players: truth.equals(score) });
  const rows = mergeTogether(
    truths.map((truth) => rowsOf([...distinctScores(truth)].map(rowOf(truth)))),
    segmentRowsMax,
  );
  const count = rows.reduce((sum, { scores }) => sum + scores.length, 0);
  return { rows, pages: Math.max(1, Math.ceil(count / rowsPerPage(count))) };
}

/**
 * As without countries, and the pages of segments; in a merged row of a segment a rank is counted, with 1 read. The players
 * of a board stay in their countries; to an empty one come those who have a score.
 */
function segmentBills(start: Truth, updatesPerSecond?: number): Bills {
  const live = new Map<string, LiveTruth>();
  const ofStart = start.players > 0 ? packed(spreadOf(start)) : undefined;
  const segmentPages = () => {
    const { rows, pages } = ofStart ?? packed([...live.values()].map(({ now }) => now));
    return { count: pages, isMerged: !rows.every(isExact) };
  };
  const markOf = (score: number, player: string) => `${score} ${countryOf(player)}`;
  const bills = billsOf(usual, start, updatesPerSecond, segmentPages, markOf);
  return {
    ...bills,
    update(truth, change) {
      const country = countryOf(change.player);
      const players = live.get(country) ?? createLiveTruth();
      live.set(country, players);
      players.set(change.player, change.after);
      return bills.update(truth, change);
    },
    rank(truth, score) {
      const { scores, lows } = ofStart?.rows[truth.above(score) % countries] ?? rowsOf([]);
      const row = firstWhere(lows, (low) => low <= score);
      return sumOf(bills.rank(truth, score), { reads: scores[row] === lows[row] ? 0 : 1 });
    },
  };
}

/** Two boards for each score, and for each rank; a run for each board. */
function boardsBills(start: Truth, all: readonly Truth[], updatesPerSecond = NaN): Bills {
  const bills = billsOf(usual, start, updatesPerSecond);
  const ofEach = all.map((truth) => ({ truth, bills: billsOf(usual, truth, updatesPerSecond / countries) }));
  return {
    ...bills,
    update(truth, change) {
      const own = ofEach[hashOf(change.player).readUInt32BE() % countries];
      return sumOf(bills.update(truth, change), own?.bills.update(own.truth, change) ?? {});
    },
    rank: (truth, score) => sumOf(bills.rank(truth, score), bills.rank(truth, score)),
    run: (truth) => sumOf(bills.run?.(truth) ?? {}, ...ofEach.map((own) => own.bills.run?.(own.truth) ?? {})),
  };
}
