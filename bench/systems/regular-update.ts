/**
 * Regular update: a periodic job reads all players, the best first, and writes the rank on each player's document, and
 * the place among all, which pages follow. It also writes the document of the best ones. So a rank is one read, however
 * many players there are, and a run costs a read and a write for each player, whether or not anything changed.
 */
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { bill } from "../contest/bill.ts";
import type { Entry } from "../contest/truth.ts";
import {
  bestPlayers,
  billPlayers,
  entriesOf,
  entryOf,
  openPlayers,
  playersOf,
  readTop,
  topSize,
  writeTop,
} from "./players.ts";
import type { System } from "./system.ts";

export const regularUpdate: System = {
  id: "regular-update",
  name: "Rank written on every player",
  layout: `A document for each player with score, rank and place, and one with the best ${topSize}.`,
  source:
    "“Periodic Update” in the answer about ranks in Firestore (https://stackoverflow.com/a/46732461), and the hourly " +
    "job in Google's “Fast and Reliable Ranking in Datastore” (2013)",
  rank: "exact at the last run",
  updatesPerSecondMax: Infinity,
  runSeconds: 3_600,
  asOfRun: ["top", "page"],
  open: ({ db, meter }) =>
    openPlayers(db, {
      rank: (_, player) => (player.get("rank") as number | undefined) ?? null,
      top: (count) => readTop(db, count),
      page: (from, size) => entriesOf(playersOf(db).where("place", ">", from).orderBy("place").limit(size)),
      async run() {
        meter.invoked();
        await writeTop(db, await writeRanks(db));
      },
    }),
  bills(start) {
    let ranked = start.players;
    return billPlayers({
      rank: () => bill({ reads: 1 }),
      top: () => bill({ reads: 1 }),
      page: (_, from, size) => bill({ reads: Math.max(1, Math.min(size, ranked - from)) }),
      run({ players }) {
        ranked = players;
        return bill({ reads: Math.max(1, players), writes: players + 1, invocations: 1 });
      },
    });
  },
};

/** Writes all ranks and places, and returns the best players. Equal scores share a rank. */
async function writeRanks(db: Firestore): Promise<Entry[]> {
  const writer = db.bulkWriter();
  const best: Entry[] = [];
  let [place, rank, scoreBefore] = [0, 0, NaN];
  for (const document of (await bestPlayers(db).select("score").get()).docs) {
    const entry = entryOf(document);
    place += 1;
    if (entry.score !== scoreBefore) rank = place;
    scoreBefore = entry.score;
    if (place <= topSize) best.push(entry);
    void writer.update(document.ref, { rank, place });
  }
  await writer.close();
  return best;
}
