/** The simplest way: only the players' documents. The rank is one more than the players with a better score. */
import { bill } from "../contest/bill.ts";
import { billPlayers, openPlayers, playersOf } from "./players.ts";
import type { System } from "./system.ts";

/** The rank is one aggregation: a read for each 1,000 players who are better, at least one. */
export const countBetter: System = {
  id: "count-better",
  name: "count() of the better ones",
  layout: "A document for each player, with an index on the score.",
  source: "Firebase's documentation of aggregation queries",
  rank: "exact",
  updatesPerSecondMax: Infinity,
  open: ({ db }) =>
    openPlayers(db, {
      rank: async (score) => 1 + (await playersOf(db).where("score", ">", score).count().get()).data().count,
    }),
  bills: () =>
    billPlayers({
      rank: (truth, score) => bill({ reads: 1 + Math.max(1, Math.ceil(truth.above(score) / 1_000)) }),
    }),
};
