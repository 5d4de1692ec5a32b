/**
 * The simplest way: only the players' documents. The rank is one more than the players with a better score. They are
 * read, or counted by the database, which bills a read for each 1,000 index entries.
 */
import type { Firestore, Query } from "../../functions/src/documents/firestore.ts";
import { bill } from "../contest/bill.ts";
import { billPlayers, openPlayers, playersOf } from "./players.ts";
import type { System } from "./system.ts";

/** The rank reads everybody better: as many reads as there are. */
export const readBetter: System = {
  id: "count-better-reading",
  name: "Read the better ones",
  layout: "A document for each player, with an index on the score.",
  source: "the first try in Google's “Fast and Reliable Ranking in Datastore” (2013)",
  rank: "exact",
  load: { kind: "own document" },
  open: ({ db }) =>
    openPlayers(db, { rank: async (score) => 1 + (await better(db, score).select().get()).size }),
  bills: () => billPlayers({ rank: (truth, score) => bill({ reads: 1 + Math.max(1, truth.above(score)) }) }),
};

/** The rank is one aggregation: a read for each 1,000 players who are better, at least one. */
export const countBetter: System = {
  ...readBetter,
  id: "count-better",
  name: "count() of the better ones",
  source: "Firebase's documentation of aggregation queries",
  open: ({ db }) =>
    openPlayers(db, {
      rank: async (score) => 1 + (await better(db, score).count().get()).data().count,
    }),
  bills: () =>
    billPlayers({
      rank: (truth, score) => bill({ reads: 1 + Math.max(1, Math.ceil(truth.above(score) / 1_000)) }),
    }),
};

function better(db: Firestore, score: number): Query {
  return playersOf(db).where("score", ">", score);
}
