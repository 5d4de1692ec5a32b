/** What a month of a game costs in Firestore, for the table of docs/deploy.md: an upper bound by the load model. Pure. */
import { topWideningMax } from "../../functions/src/model/limits.ts";
import type { Operations } from "../../functions/src/model/prices.ts";
import { indexOperations, shardDocumentsOf } from "./bill.ts";

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
export function monthOf({ players, playersADay }: Game): Required<Operations> {
  const changes = playersADay * habits.changedScores;
  const scores = playersADay * habits.scores;
  const ranks = playersADay * habits.ranks;
  const changesPerSecond = changes / secondsOfDay;
  const shardDocuments = shardDocumentsOf(changesPerSecond, intervalSeconds);
  const index = indexOperations({ changesPerSecond, players, intervalSeconds, shardDocuments });
  const widest = topRefreshSeconds * topWideningMax;
  const refreshes = Math.min(changes / changesPerTopChange, secondsOfDay / widest);
  const runs = secondsOfDay / intervalSeconds;
  const minutely = schedules * minutesOfDay;
  return {
    // A submission reads the player, and a page for the rank in its answer.
    reads:
      days *
      (index.reads +
        2 * scores +
        2 * ranks +
        playersADay * habits.tops +
        refreshes * (topSize + 1) +
        minutely),
    // A refresh writes the top, and at most two events.
    writes: days * (index.writes + changes + 3 * refreshes),
    deletes: days * (index.deletes + 2 * refreshes),
    invocations: days * (index.invocations + scores + ranks + refreshes + runs + minutely),
  };
}
