/** Which documents a board has. */
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { leaderboardPath } from "../../functions/src/documents/paths.ts";

/** The paths of all documents of a board or a template, itself included. */
export async function documentsOf(db: Firestore, leaderboard: string): Promise<string[]> {
  const found: string[] = [];
  async function look(path: string): Promise<void> {
    const ref = db.doc(path);
    if ((await ref.get()).exists) found.push(path);
    for (const collection of await ref.listCollections())
      for (const document of await collection.listDocuments()) await look(document.path);
  }
  await look(leaderboardPath(leaderboard));
  return found;
}
