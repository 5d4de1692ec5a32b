/** Boards that are priced for docs/costs.md, beside `count()` of the better players under the same load. Pure. */
import { secondsOfDay } from "../load/bill.ts";
import { billOf, type Group, type Rates } from "./bill.ts";
import { type Board, costsOf } from "./costs.ts";
import type { Spendings } from "./ledger.ts";
import { addTo, asleep, billLevels } from "./levels.ts";
import { type Spent, sumOf, times } from "./spent.ts";

/** A day of some boards. */
export interface Row {
  title: string;
  /** Its name where its bill is shown part by part. */
  short?: string;
  /** Scores a day, each of which changes something. */
  scores: number;
  count: Spent;
  firerank: Spendings;
}

const small: Board = { players: 1_000, topSize: 100 };
const many = 10_000;

/** Boards by Zipf's law: the second gets half as many scores as the first, the third a third, and so on. */
export const zipf = { boards: 100_000, scoresPerSecond: 10, ranksForScore: 10 };

/** A board that is played for an hour a day. */
const hourly = { seconds: 3_600, scoresPerSecond: 1 / 10, ranksPerSecond: 1 };

/** Players of a new level on its first day. */
const levelPlayers = 20;

export function rowsOf(): Row[] {
  const lone: Rates = { scoresPerSecond: 1 / (3 * 3_600), ranksPerSecond: 0 };
  const played: Rates = { scoresPerSecond: 1 / 100, ranksPerSecond: 1 / 10 };
  const large = { players: 1_000_000, topSize: 100, scoresPerSecond: 10, ranksPerSecond: 10, boards: 1 };
  return [
    {
      ...rowOf("10,000 boards, each a score in three hours", [{ ...small, ...lone, boards: many }]),
      short: "a score in three hours",
    },
    rowOf("the same with 40 players each", [{ ...small, players: 40, ...lone, boards: many }]),
    rowOf("one board, a score in 100 s and a rank in 10 s", [{ ...small, ...played, boards: 1 }]),
    {
      ...rowOf("10,000 boards, each a score in 100 s and a rank in 10 s", [
        { ...small, ...played, boards: many },
      ]),
      short: "a score in 100 s",
    },
    {
      ...rowOf("100,000 boards by Zipf's law, 10 scores and 100 ranks a second in all", zipfGroups()),
      short: "Zipf's law",
    },
    {
      ...hourlyRow("10,000 boards, each an hour with a score in 10 s and a rank in 1 s, then asleep"),
      short: "an hour a day",
    },
    levelsRow("10,000 new levels a day, each with 20 new players in an hour who score once and ask once"),
    {
      ...rowOf("one board of 1,000,000 players, 10 scores and 10 ranks a second", [large]),
      short: "a large board",
    },
  ];
}

function rowOf(title: string, groups: readonly Group[]): Row {
  return {
    title,
    scores: groups.reduce(
      (sum, { boards, scoresPerSecond }) => sum + boards * scoresPerSecond * secondsOfDay,
      0,
    ),
    count: sumOf(...groups.map((group) => times(secondsOfDay, countOf(group)))),
    firerank: billOf(groups, secondsOfDay),
  };
}

/** What `count()` is billed in a second: a score is the player's document; a rank that too, and the better ones. */
function countOf({ players, boards, scoresPerSecond, ranksPerSecond }: Group): Spent {
  // One read for each 1,000 better players begun; the mean of all players.
  const [whole, rest] = [Math.floor(players / 1_000), players % 1_000];
  const reads = (1_000 * ((whole * (whole + 1)) / 2) + rest * (whole + 1)) / players;
  return times(boards, {
    reads: scoresPerSecond + ranksPerSecond * (1 + reads),
    writes: scoresPerSecond,
  });
}

/** Boards that get almost as many scores are taken together. */
function zipfGroups(): Group[] {
  const { boards, scoresPerSecond, ranksForScore } = zipf;
  const parts = Array.from({ length: boards }, (_, index) => 1 / (index + 1));
  const all = parts.reduce((sum, part) => sum + part, 0);
  const groups: Group[] = [];
  for (let first = 0; first < boards;) {
    const end = Math.min(boards, Math.max(first + 1, Math.floor(first * 1.2)));
    const mean = parts.slice(first, end).reduce((sum, part) => sum + part, 0) / (end - first);
    const rate = (scoresPerSecond * mean) / all;
    groups.push({
      ...small,
      boards: end - first,
      scoresPerSecond: rate,
      ranksPerSecond: ranksForScore * rate,
    });
    first = end;
  }
  return groups;
}

/** An hour of play, spread over the day among the boards; then each falls asleep, and the first score of a day wakes it. */
function hourlyRow(title: string): Row {
  const { seconds, ...rates } = hourly;
  const atOnce = (many * seconds) / secondsOfDay;
  const row = rowOf(title, [{ ...small, ...rates, boards: atOnce }]);
  const costs = costsOf(small);
  const woken: Spendings = {
    audits: times(many - atOnce, sumOf(costs.audit, costs.board)),
    "daily look": times(many - atOnce, sumOf(costs.auditSeen, costs.auditAsked)),
    "scores: wakes": times(many, costs.wake),
    "scores: board": times(many, costs.board),
  };
  return { ...row, firerank: addTo(addTo(row.firerank, asleep(small, many)), woken) };
}

/** Levels that nobody has made: each is opened by its first score. */
function levelsRow(title: string): Row {
  const levels = { boards: many, players: levelPlayers, topSize: small.topSize };
  const scores = many * levelPlayers;
  const { audit, auditSeen, auditAsked, board } = costsOf({ ...levels, isOfTemplate: true });
  const daily: Spendings = {
    audits: times(many, sumOf(audit, board)),
    "daily look": times(many, sumOf(auditSeen, auditAsked)),
  };
  return {
    title,
    scores,
    // The player's document; for a rank that too, and the better ones.
    count: { ...sumOf(), reads: scores * (1 + 2), writes: scores },
    firerank: addTo(billLevels(levels), daily),
  };
}
