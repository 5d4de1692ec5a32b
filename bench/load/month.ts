/** What a month of a game costs in Firestore, for the table of docs/deploy.md: an upper bound by the load model. Pure. */
import { rowsPerPageMax, topWideningMax } from "../../functions/src/model/limits.ts";
import { cost, enterpriseUpdate, type Operations } from "../../functions/src/model/prices.ts";
import { indexCharges, shardDocumentsOf } from "./bill.ts";
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
const secondsOfDay = 86_400;
const intervalSeconds = 300;
const topSize = 100;
const topRefreshSeconds = 2;
/** Runs and ends of seasons: each reads once a minute. */
const schedules = 2;
const minutesOfDay = 1_440;

/** Operations of a month of 30 days. Pages in memory, which make ranks cheaper, are left out. */
export function monthOf(game: Game): Required<Operations> {
  const { changes, scores, ranks, refreshes } = dayOf(game);
  const { reads, writes, deletes } = documentsOf(chargesOf(game));
  const runs = secondsOfDay / intervalSeconds;
  const invocations = changes + scores + ranks + refreshes + runs + schedules * minutesOfDay;
  return {
    reads: days * reads,
    writes: days * writes,
    deletes: days * deletes,
    invocations: days * invocations,
  };
}

/** Dollars of a month on Enterprise edition, in us-central1. Each top that is opened is listened to. */
export function enterpriseDollarsOf(game: Game): number {
  const { tops } = dayOf(game);
  return days * (cost(unitsOf(chargesOf(game)), "us-central1, Enterprise") + tops * enterpriseUpdate);
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
  const changesPerSecond = changes / secondsOfDay;
  const shardDocuments = shardDocumentsOf(changesPerSecond, intervalSeconds);
  const page = pageOf(rowsPerPageMax);
  return [
    ...indexCharges({ changesPerSecond, players, intervalSeconds, shardDocuments }),
    // A submission reads the player, and a page for the rank in its answer; so does a question.
    { on: player, reads: scores + ranks, writes: changes },
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
