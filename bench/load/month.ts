/** What a month of a game costs in Firestore and functions, for the table of docs/deploy.md: an upper bound by the load model. Pure. */
import { rowsPerPageMax, topWideningMax } from "../../functions/src/model/limits.ts";
import {
  cost,
  enterpriseUpdate,
  functionTime,
  type FunctionTime,
  instances,
  type Operations,
  totalOf,
} from "../../cli/prices.ts";
import { boardCharges, boardFunctions, callSeconds, secondsOfDay, triggerFunctions } from "./bill.ts";
import { type Charge, documentsOf, eventOf, pageOf, player, season, topOf, unitsOf } from "./stored.ts";

/** A game with one board, of all time, with the defaults. */
export interface Game {
  name: string;
  /** All who have a score. */
  players: number;
  /** Those who play on a day. */
  playersADay: number;
}

export const games: readonly Game[] = [
  { name: "small", players: 10_000, playersADay: 1_000 },
  { name: "middle", players: 500_000, playersADay: 50_000 },
  { name: "large", players: 10_000_000, playersADay: 1_000_000 },
];

/** What a player does on a day. */
export const habits = { scores: 10, changedScores: 3, ranks: 10, tops: 5 };
/** One in so many changed scores shows in the top. */
export const changesPerTopChange = 20;

const days = 30;
const intervalSeconds = 300;
const topSize = 100;
const topRefreshSeconds = 2;
/** Runs and ends of seasons: each reads once a minute; ends of private groups: once in ten. */
const schedules = 2.1;
const minutesOfDay = 1_440;

/** Operations of a month of 30 days. Pages in memory, which make ranks cheaper, are left out. */
export function monthOf(game: Game): Operations {
  const { reads, writes, deletes } = documentsOf(chargesOf(game));
  return { reads: days * reads, writes: days * writes, deletes: days * deletes };
}

/** Dollars of a month on Enterprise edition, in us-central1. Each top that is opened is listened to. */
export function enterpriseDollarsOf(game: Game): number {
  const { tops } = dayOf(game);
  return days * (cost(unitsOf(chargesOf(game)), "us-central1, Enterprise") + tops * enterpriseUpdate);
}

/**
 * What functions are billed in a month: calls of apps, the schedules, runs and refreshes; and, where it is deployed, the
 * trigger after each change. No two calls share an instance's time here, which makes many of them cheaper.
 */
export function functionsOf(game: Game): { without: FunctionTime; trigger: FunctionTime } {
  const { changes, scores, ranks, refreshes } = dayOf(game);
  const changesPerSecond = changes / secondsOfDay;
  const calls = functionTime(days * (scores + ranks + refreshes), callSeconds, instances.usual);
  const byClock = boardFunctions({ changesPerSecond, players: game.players, intervalSeconds });
  const month = Object.entries(byClock).map(([name, amount]) => [name, days * amount]);
  return {
    without: totalOf([calls, Object.fromEntries(month)]),
    trigger: triggerFunctions(days * changes),
  };
}

/** What happens on a day. */
function dayOf({ playersADay }: Game) {
  const changes = playersADay * habits.changedScores;
  const shown = changes / changesPerTopChange;
  return {
    changes,
    scores: playersADay * habits.scores,
    ranks: playersADay * habits.ranks,
    tops: playersADay * habits.tops,
    shown,
    refreshes: Math.min(shown, secondsOfDay / (topRefreshSeconds * topWideningMax)),
  };
}

/** What is read, written and deleted on a day. */
function chargesOf(game: Game): Charge[] {
  const { changes, scores, ranks, tops, shown, refreshes } = dayOf(game);
  const { players } = game;
  const page = pageOf(rowsPerPageMax);
  return [
    ...boardCharges({ changesPerSecond: changes / secondsOfDay, players, intervalSeconds }),
    // A submission that changes nothing reads the player too; the rank in an answer reads a page, and so does a question.
    { on: player, reads: scores - changes + ranks },
    { on: page, reads: scores + ranks },
    { on: topOf(topSize), reads: tops },
    // A refresh writes the top, and at most two events.
    { on: topOf(topSize), reads: refreshes, writes: refreshes },
    { on: player, reads: refreshes * topSize },
    { on: eventOf(Math.min(topSize, shown / refreshes)), writes: refreshes, deletes: refreshes },
    { on: eventOf(1), writes: refreshes, deletes: refreshes },
    { on: season, reads: schedules * minutesOfDay },
  ];
}
