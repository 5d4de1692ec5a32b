/**
 * The players' own documents, which nearly every system has: `players/{player}` with a `score`. A transaction reads the
 * old score and writes the new one: 1 read and 1 write.
 */
import type { CollectionReference, Firestore, Transaction } from "../../functions/src/documents/firestore.ts";
import type { Change, Entry } from "../contest/truth.ts";
import type { Opened, Submission } from "./system.ts";

export function playersOf(db: Firestore): CollectionReference {
  return db.collection("players");
}

/** The score of a player, or `undefined`: 1 read. */
export async function scoreOf(db: Firestore, player: string): Promise<number | undefined> {
  return (await playersOf(db).doc(player).get()).get("score") as number | undefined;
}

/**
 * Stores a score, and whatever else belongs into the same transaction. Other fields of the player stay as they are.
 * @param keeps with `highest`, a score that is not higher changes nothing: 1 read.
 * @param also gets the change within the transaction, after the player was read and before anything is written.
 * @returns the change, or `undefined` if the score is the same or does not count.
 */
export function storeScore(
  db: Firestore,
  { player, score }: Submission,
  keeps: "latest" | "highest" = "latest",
  also: (transaction: Transaction, change: Change) => Promise<void> | void = () => undefined,
): Promise<Change | undefined> {
  const document = playersOf(db).doc(player);
  return db.runTransaction(async (transaction) => {
    const before = ((await transaction.get(document)).get("score") as number | undefined) ?? null;
    if (before === score || (keeps === "highest" && before !== null && score < before)) return undefined;
    const change = { player, before, after: score };
    await also(transaction, change);
    transaction.set(document, { score }, { merge: true });
    return change;
  });
}

/** The best players, by query: a read for each, at least 1. */
export async function bestPlayers(db: Firestore, count: number, offset = 0): Promise<Entry[]> {
  const found = await playersOf(db).orderBy("score", "desc").offset(offset).limit(count).get();
  return found.docs.map(entryOf);
}

/** The best players with at most a score, by query: a read for each, also for those that the offset skips, at least 1. */
export async function playersFrom(
  db: Firestore,
  score: number,
  offset: number,
  count: number,
): Promise<Entry[]> {
  const found = await playersOf(db)
    .where("score", "<=", score)
    .orderBy("score", "desc")
    .offset(offset)
    .limit(count)
    .get();
  return found.docs.map(entryOf);
}

/**
 * The players around one, by two queries from the player's own document: 1 read for the player, and one for each other,
 * at least 1 for each query.
 */
export async function playersAround(
  db: Firestore,
  player: string,
  before: number,
  after: number,
): Promise<Entry[]> {
  const own = await playersOf(db).doc(player).get();
  if (!own.exists) return [];
  const [better, worse] = await Promise.all([
    playersOf(db).orderBy("score", "asc").orderBy("__name__", "asc").startAfter(own).limit(before).get(),
    playersOf(db).orderBy("score", "desc").orderBy("__name__", "desc").startAfter(own).limit(after).get(),
  ]);
  return [...better.docs.map(entryOf).reverse(), entryOf(own), ...worse.docs.map(entryOf)];
}

/** The lists of players that come from the players' own documents. */
export function playerLists(db: Firestore): Pick<Opened, "top" | "around" | "page"> {
  return {
    top: (count) => bestPlayers(db, count),
    around: (player, before, after) => playersAround(db, player, before, after),
    page: (from, size) => bestPlayers(db, size, from),
  };
}

/** A player's document as an entry. */
export function entryOf(document: { id: string; get(field: string): unknown }): Entry {
  return { player: document.id, score: document.get("score") as number };
}
