/**
 * The rank in a player's country beside the rank of all, in two ways: the country as a segment of the board; and a board
 * for each country beside that of all, which takes a second call for each score and each rank.
 */
import { hashOf } from "../../functions/src/model/hash.ts";
import { rowsPerPageMax, segmentRowsMax } from "../../functions/src/model/limits.ts";
import { firstWhere } from "../../functions/src/model/search.ts";
import { mergeTogether } from "../../functions/src/ranking/merge.ts";
import { isExact, type Rows, rowsOf } from "../../functions/src/ranking/rows.ts";
import { sumOf } from "../contest/bill.ts";
import { createLiveTruth, distinctScores, type Truth, truthOf } from "../contest/truth.ts";
import { billsOf, boardClockOf, pagesRead, schedules } from "./firerank-bills.ts";
import { firerank, open, usual } from "./firerank.ts";
import type { Bills, Opened, Place, System } from "./system.ts";

/** About as many as there are; each has as many players as the others. */
export const countries = 240;

function countryOf(player: string): string {
  return `c${hashOf(player) % countries}`;
}

/** Both ways. @param start the board that the bills by the clock are for; none if they are not asked for. */
export function countryWays(start?: Truth): System[] {
  const pages = start && packed(countriesOf(start).all()).pages;
  const ofCountries = start && [...countriesOf(start).all()].map(({ distinct }) => distinct);
  return [
    {
      ...firerank,
      id: "firerank-segment",
      name: "Firerank, the country as a segment",
      open: (place) => open(place, usual, { countryOf }),
      bills: segmentBills,
      clock: (load) =>
        sumOf(
          schedules,
          boardClockOf(usual)(load),
          pages === undefined ? {} : { reads: pagesRead(pages, load.ranksPerSecond) },
        ),
    },
    {
      ...firerank,
      id: "firerank-boards",
      name: "Firerank, a board for each country",
      open: openBoards,
      bills: boardsBills,
      clock({ updatesPerSecond, ranksPerSecond, scores }) {
        const all = ofCountries ?? [];
        const each = (one: number) => ({
          updatesPerSecond: updatesPerSecond / all.length,
          ranksPerSecond: ranksPerSecond / all.length,
          scores: one,
        });
        const whole = boardClockOf(usual)({ updatesPerSecond, ranksPerSecond, scores });
        return sumOf(schedules, whole, ...all.map((one) => boardClockOf(usual)(each(one))));
      },
    },
  ];
}

/** The players of each country: those of a board are spread evenly and stay; to an empty one come those who have a score. */
function countriesOf(start: Truth) {
  if (start.players > 0) {
    const spread = Array.from({ length: countries }, (_, first) =>
      truthOf(
        Float64Array.from({ length: Math.ceil((start.players - first) / countries) }, (__, i) =>
          start.scoreAt(first + i * countries),
        ),
      ),
    );
    return {
      all: () => spread,
      of: (player: string) => spread[hashOf(player) % countries],
      set: () => undefined,
    };
  }
  const live = new Map<string, ReturnType<typeof createLiveTruth>>();
  return {
    all: () => [...live.values()].map(({ now }) => now),
    of: (player: string) => live.get(countryOf(player))?.now,
    set(player: string, score: number) {
      const truth = live.get(countryOf(player)) ?? createLiveTruth();
      live.set(countryOf(player), truth);
      truth.set(player, score);
    },
  };
}

/** The rows of segments as a run merges them, and their pages. */
function packed(truths: readonly Truth[]): { rows: readonly Rows[]; pages: number } {
  const rowOf = (truth: Truth) => (score: number) => ({ score, low: score, players: truth.equals(score) });
  const rows = mergeTogether(
    truths.map((truth) => rowsOf([...distinctScores(truth)].map(rowOf(truth)))),
    segmentRowsMax,
  );
  const count = rows.reduce((sum, { scores }) => sum + scores.length, 0);
  return { rows, pages: Math.max(1, Math.ceil(count / rowsPerPageMax)) };
}

/** As without countries, and the pages of segments; in a merged row of a segment a rank is counted, with 1 read. */
function segmentBills(start: Truth, updatesPerSecond?: number): Bills {
  const inCountries = countriesOf(start);
  const ofStart = start.players > 0 ? packed(inCountries.all()) : undefined;
  const bills = billsOf(usual, start, updatesPerSecond, () => {
    const { rows, pages } = ofStart ?? packed(inCountries.all());
    return { count: pages, isMerged: !rows.every(isExact) };
  });
  return {
    ...bills,
    update(truth, change) {
      inCountries.set(change.player, change.after);
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
function boardsBills(start: Truth, updatesPerSecond?: number): Bills {
  const inCountries = countriesOf(start);
  const rate = updatesPerSecond === undefined ? undefined : updatesPerSecond / countries;
  const bills = billsOf(usual, start, updatesPerSecond);
  const ofEach = new Map<string, Bills>();
  const none = truthOf(new Float64Array());
  const billsIn = (country: string, truth: Truth) => {
    const own = ofEach.get(country) ?? billsOf(usual, truth, rate);
    ofEach.set(country, own);
    return own;
  };
  if (start.players > 0) inCountries.all().forEach((truth, i) => billsIn(`c${i}`, truth));
  return {
    ...bills,
    update(truth, change) {
      const { player, after } = change;
      const before = inCountries.of(player) ?? none;
      const own = billsIn(countryOf(player), before).update(before, change);
      inCountries.set(player, after);
      return sumOf(bills.update(truth, change), own);
    },
    rank: (truth, score) => sumOf(bills.rank(truth, score), bills.rank(truth, score)),
    run(truth) {
      const truths = inCountries.all();
      const own = [...ofEach.values()].map((one, i) => one.run?.(truths[i] ?? none) ?? {});
      return sumOf(bills.run?.(truth) ?? {}, ...own);
    },
  };
}

async function openBoards(place: Place): Promise<Opened> {
  const all = await open(place, usual);
  const boards = new Map<string, Opened>();
  async function boardOf(player: string): Promise<Opened> {
    const leaderboard = `bench-${countryOf(player)}`;
    const board =
      boards.get(leaderboard) ?? (await place.meter.aside(() => open(place, usual, { leaderboard })));
    boards.set(leaderboard, board);
    return board;
  }
  return {
    ...all,
    async submit(submission) {
      await all.submit(submission);
      await (await boardOf(submission.player)).submit(submission);
    },
    async rank(player) {
      const rank = await all.rank(player);
      if (rank !== null) await (await boardOf(player)).rank(player);
      return rank;
    },
    async run() {
      await all.run?.();
      for (const board of boards.values()) await board.run?.();
    },
  };
}
