/** The queries of the checks, in one place: a test holds them against the indexes, as it does those of the functions. */
import { FieldPath, type Firestore, type Query } from "../../functions/src/documents/firestore.ts";
import { leaderboardsPath } from "../../functions/src/documents/paths.ts";

/** A document of such a collection before and one after all in `leaderboards`, if there are. Cost: one read each. */
export function outsideLeaderboards(db: Firestore, collection: string): [Query, Query] {
  const all = db.collectionGroup(collection).orderBy(FieldPath.documentId());
  // Firestore compares paths part by part, and a space sorts before all that names usually have.
  const [first, after] = [db.doc(`${leaderboardsPath}/ `), db.doc(`${leaderboardsPath} /x`)];
  return [all.endBefore(first).limit(1), all.startAt(after).limit(1)];
}
