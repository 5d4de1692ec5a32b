/** The queries of private groups. Their indexes are in firestore.indexes.json. */
import { FieldPath, type Firestore, Timestamp } from "./firestore.ts";
import { groupCodesPath, privateGroupsPath, type SeasonKey } from "./paths.ts";

/** One private group of a board, if there is any. Cost: one read. */
export const anyPrivateGroup = (db: Firestore, leaderboard: string) =>
  db.collection(privateGroupsPath(leaderboard)).limit(1);

/** Private groups of a board that have a member; by the member's hash. Cost: one read each, at least one. */
export const privateGroupsOf = (db: Firestore, leaderboard: string, member: string) =>
  db.collection(privateGroupsPath(leaderboard)).where("owners", "array-contains", member);

/** Those of them that have not ended. Cost: one read each, at least one. */
export const openGroupsOf = (db: Firestore, leaderboard: string, member: string) =>
  privateGroupsOf(db, leaderboard, member).where("unsettled", "==", true);

/** The last of those that have ended, the newest first. Cost: one read each, at least one. */
export const endedGroupsOf = (db: Firestore, leaderboard: string, member: string) =>
  privateGroupsOf(db, leaderboard, member).orderBy("settled_at", "desc").limit(20);

/** Private groups of a board that have not ended and have one of some members, at most 30. Cost: one read each, at least one. */
export const openGroupsOfSome = (db: Firestore, leaderboard: string, members: readonly string[]) =>
  db
    .collection(privateGroupsPath(leaderboard))
    .where("owners", "array-contains-any", members)
    .where("unsettled", "==", true);

/** Private groups of a board that show a season and have not ended, by id. Cost: one read each, at least one. */
export const privateGroupsShowing = (db: Firestore, { leaderboard, season }: SeasonKey) =>
  db
    .collection(privateGroupsPath(leaderboard))
    .where("season", "==", season)
    .where("unsettled", "==", true)
    .orderBy(FieldPath.documentId());

/** Private groups of all boards that are to end by now, the longest due first. Cost: one read each, at least one. */
export const privateGroupsDue = (db: Firestore, nowMs: number) =>
  db
    .collectionGroup("private_groups")
    .where("end_due_at", "<=", Timestamp.fromMillis(nowMs))
    .orderBy("end_due_at");

/** The codes of a private group. Cost: one read each, at least one. */
export const codesOf = (db: Firestore, leaderboard: string, group: string) =>
  db.collection(groupCodesPath(leaderboard)).where("group", "==", group);
