/**
 * Regular update: a periodic job reads all players, the best first, and writes the rank on each player's document, and
 * the place among all, which lists follow. It also writes the document of the best ones. So a rank is one read, however
 * many players there are, and a run costs a read and a write for each player, whether or not anything changed.
 */
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { bill } from "../contest/bill.ts";
import type { Entry } from "../contest/truth.ts";
import { aroundBill, storeBill } from "./player-bills.ts";
import { entryOf, playersAround, playersOf, storeScore } from "./players.ts";
import type { Bills, Opened, Place, System } from "./system.ts";
import { readTop, topSize, writeTop } from "./top-document.ts";

export const regularUpdate: System = {
  id: "regular-update",
  name: "Rank written on every player",
  layout: `A document for each player with score, rank and place, and one with the best ${topSize}.`,
  source:
    "“Periodic Update” in the answer about ranks in Firestore (https://stackoverflow.com/a/46732461), and the hourly " +
    "job in Google's “Fast and Reliable Ranking in Datastore” (2013)",
  rank: "exact at the last run",
  keeps: "latest",
  cannot: {},
  load: { kind: "own document" },
  runSeconds: 3_600,
  asOfRun: ["top", "page"],
  open,
  bills: (start) => {
    let ranked = start.players;
    return {
      update: (_, change) => storeBill(change),
      rank: () => bill({ reads: 1 }),
      top: () => bill({ reads: 1 }),
      around: aroundBill,
      page: (_, from, size) => bill({ reads: Math.max(1, Math.min(size, ranked - from)) }),
      run(truth) {
        ranked = truth.players;
        return bill({ reads: Math.max(1, truth.players), writes: truth.players + 1, invocations: 1 });
      },
    } satisfies Bills;
  },
};

async function open({ db, meter }: Place): Promise<Opened> {
  return {
    async submit(submission) {
      await storeScore(db, submission);
      return undefined;
    },
    async rank(player) {
      return ((await playersOf(db).doc(player).get()).get("rank") as number | undefined) ?? null;
    },
    top: (count) => readTop(db, count),
    around: (player, before, after) => playersAround(db, player, before, after),
    page: (from, size) => placedFrom(db, from, size),
    async run() {
      meter.invoked();
      await writeTop(db, await writeRanks(db));
    },
  };
}

/** Writes all ranks and places, and returns the best players. Equal scores share a rank. */
async function writeRanks(db: Firestore): Promise<Entry[]> {
  const batchSize = 500;
  const best: Entry[] = [];
  let batch = db.batch();
  let place = 0;
  let rank = 0;
  let scoreBefore: number | undefined;
  for (const document of (await playersOf(db).orderBy("score", "desc").select("score").get()).docs) {
    const entry = entryOf(document);
    place += 1;
    if (entry.score !== scoreBefore) rank = place;
    scoreBefore = entry.score;
    if (place <= topSize) best.push(entry);
    batch.update(document.ref, { rank, place });
    if (place % batchSize === 0) {
      await batch.commit();
      batch = db.batch();
    }
  }
  await batch.commit();
  return best;
}

/** Players from an index on, by their places: a read for each, at least 1. */
async function placedFrom(db: Firestore, from: number, size: number): Promise<Entry[]> {
  const found = await playersOf(db).where("place", ">", from).orderBy("place").limit(size).get();
  return found.docs.map(entryOf);
}
