/** The best players in one document, `ladder/top`, which a periodic job writes. To read them is 1 read. */
import type { DocumentReference, Firestore } from "../../functions/src/documents/firestore.ts";
import type { Entry } from "../contest/truth.ts";

/** How many players the document has. */
export const topSize = 100;

function topDocument(db: Firestore): DocumentReference {
  return db.doc("ladder/top");
}

/** Stores the best players: 1 write. */
export async function writeTop(db: Firestore, players: Entry[]): Promise<void> {
  await topDocument(db).set({ players });
}

/** The best players of the last run, at most {@link topSize}: 1 read. */
export async function readTop(db: Firestore, count: number): Promise<Entry[]> {
  const players = (await topDocument(db).get()).get("players") as Entry[] | undefined;
  return (players ?? []).slice(0, count);
}
