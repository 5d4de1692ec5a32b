/**
 * The simplest way: only the players' documents. The rank is one more than the players with a better score. They are
 * read, or counted by the database, which bills a read for each 1,000 index entries.
 */
import { bill } from "../contest/bill.ts";
import { bestPlayers, playersAround, playersOf, scoreOf, storeScore } from "./players.ts";
import { aroundBill, skippingBill, storeBill, topBill } from "./player-bills.ts";
import type { Opened, Place, System } from "./system.ts";

const layout = "A document for each player, with an index on the score.";

/** The rank reads everybody better: as many reads as there are. */
export const readBetter: System = {
  id: "count-better-reading",
  name: "Read the better ones",
  layout,
  source: "the first try in Google's “Fast and Reliable Ranking in Datastore” (2013)",
  rank: "exact",
  keeps: "latest",
  cannot: { run: "nothing is left to do" },
  load: { kind: "own document" },
  open: (place) => openPlayers(place, async (query) => (await query.select().get()).size),
  bills: () => ({
    ...playerBills,
    rank: (truth, score) => bill({ reads: 1 + Math.max(1, truth.above(score)) }),
  }),
};

/** The rank is one aggregation: a read for each 1,000 players who are better, at least one. */
export const countBetter: System = {
  ...readBetter,
  id: "count-better",
  name: "count() of the better ones",
  source: "Firebase's documentation of aggregation queries",
  open: (place) => openPlayers(place, async (query) => (await query.count().get()).data().count),
  bills: () => ({
    ...playerBills,
    rank: (truth, score) => bill({ reads: 1 + Math.max(1, Math.ceil(truth.above(score) / 1_000)) }),
  }),
};

const playerBills = {
  update: (_: unknown, change: Parameters<typeof storeBill>[0]) => storeBill(change),
  top: topBill,
  around: aroundBill,
  page: skippingBill,
};

type PlayerQuery = ReturnType<ReturnType<typeof playersOf>["where"]>;

async function openPlayers({ db }: Place, size: (query: PlayerQuery) => Promise<number>): Promise<Opened> {
  return {
    async submit(submission) {
      await storeScore(db, submission);
      return undefined;
    },
    async rank(player) {
      const score = await scoreOf(db, player);
      return score === undefined ? null : 1 + (await size(playersOf(db).where("score", ">", score)));
    },
    top: (count) => bestPlayers(db, count),
    around: (player, before, after) => playersAround(db, player, before, after),
    page: (from, size) => bestPlayers(db, size, from),
  };
}
