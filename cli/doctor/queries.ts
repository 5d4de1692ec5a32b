/** The queries of the checks, in one place: a test holds them against the indexes, as it does those of the functions. */
import { FieldPath, type Firestore, type Query, Timestamp } from "../../functions/src/documents/firestore.ts";
import { leaderboardsPath } from "../../functions/src/documents/paths.ts";

/** Seasons whose board's definition was deleted. Cost: one read each, at least one. */
export function parkedSeasons(db: Firestore, limit: number): Query {
  return db.collectionGroup("seasons").where("parked", "==", "no_definition").limit(limit);
}

/** Records of runs that began since a time, the newest first. Cost: one read each, at least one. */
export function runsSince(
  db: Firestore,
  outcome: "published" | "failed" | "done" | "running",
  sinceMs: number,
  limit: number,
): Query {
  return db
    .collectionGroup("runs")
    .where("outcome", "==", outcome)
    .where("started_at", ">=", Timestamp.fromMillis(sinceMs))
    .orderBy("started_at", "desc")
    .limit(limit);
}

/**
 * One document each, if there are any, of collections of a name that sort before and after everything in
 * `leaderboards`. Cost: one read each, found or not.
 */
export function outsideLeaderboards(db: Firestore, collection: string): [Query, Query] {
  const all = db.collectionGroup(collection).orderBy(FieldPath.documentId());
  // Firestore compares paths part by part, and a space sorts before all that names usually have.
  const [first, after] = [db.doc(`${leaderboardsPath}/ `), db.doc(`${leaderboardsPath} /x`)];
  return [all.endBefore(first).limit(1), all.startAt(after).limit(1)];
}
