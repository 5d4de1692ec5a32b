/**
 * The frame of most ways: the players' own documents, `players/{player}` with a `score`. A transaction reads the old score
 * and writes the new one: 1 read and 1 write. Lists are queries of these documents.
 */
import type {
  CollectionReference,
  DocumentSnapshot,
  Firestore,
  Query,
  Transaction,
} from "../../functions/src/documents/firestore.ts";
import { bill, type Bill, sumOf } from "../contest/bill.ts";
import type { Change, Entry } from "../contest/truth.ts";
import type { Bills, Opened, Submission } from "./system.ts";

export function playersOf(db: Firestore): CollectionReference {
  return db.collection("players");
}

/** What a way has of its own. */
export interface Way extends Partial<Omit<Opened, "submit" | "rank">> {
  /** Goes into the transaction that stores a score, after the player was read and before anything is written. */
  count?: (transaction: Transaction, change: Change) => Promise<void> | void;
  /** The rank of a player whose document has been read. */
  rank: (score: number, player: DocumentSnapshot) => Promise<number | null> | number | null;
}

/** A way that keeps the players' documents and, unless it has others, finds lists there. */
export function openPlayers(db: Firestore, { count, rank, ...own }: Way): Opened {
  return {
    submit: (submission) => storeScore(db, submission, count),
    async rank(player) {
      const found = await playersOf(db).doc(player).get();
      return found.exists ? rank(found.get("score") as number, found) : null;
    },
    top: (size) => entriesOf(bestPlayers(db).limit(size)),
    around: (player, before, after) => playersAround(db, player, before, after),
    page: (from, size) => entriesOf(bestPlayers(db).offset(from).limit(size)),
    ...own,
  };
}

/** A score that is the same changes nothing: 1 read. */
async function storeScore(db: Firestore, { player, score }: Submission, count?: Way["count"]): Promise<void> {
  const document = playersOf(db).doc(player);
  await db.runTransaction(async (transaction) => {
    const before = ((await transaction.get(document)).get("score") as number | undefined) ?? null;
    if (before === score) return;
    await count?.(transaction, { player, before, after: score });
    transaction.set(document, { score }, { merge: true });
  });
}

/** The best first. */
export function bestPlayers(db: Firestore): Query {
  return playersOf(db).orderBy("score", "desc");
}

/** By two queries from the player's own document. */
async function playersAround(db: Firestore, player: string, before: number, after: number): Promise<Entry[]> {
  const own = await playersOf(db).doc(player).get();
  if (!own.exists) return [];
  const beside = (direction: "asc" | "desc", size: number) =>
    entriesOf(
      playersOf(db).orderBy("score", direction).orderBy("__name__", direction).startAfter(own).limit(size),
    );
  const [better, worse] = await Promise.all([beside("asc", before), beside("desc", after)]);
  return [...better.reverse(), entryOf(own), ...worse];
}

/** Players by query: a read for each, also for those that an offset skips, at least 1. */
export async function entriesOf(query: Query): Promise<Entry[]> {
  return (await query.get()).docs.map(entryOf);
}

/** A player's document as an entry. */
export function entryOf(document: { id: string; get(field: string): unknown }): Entry {
  return { player: document.id, score: document.get("score") as number };
}

/** The bills of a way that {@link openPlayers} opens. */
export interface WayBills extends Partial<Omit<Bills, "update">> {
  /** What a changed score is billed beside the player's own document. */
  count?: (change: Change) => Partial<Bill>;
  rank: Bills["rank"];
}

export function billPlayers({ count, ...own }: WayBills): Bills {
  return {
    update: (_, change) =>
      isChange(change) ? sumOf({ reads: 1, writes: 1 }, count?.(change) ?? {}) : bill({ reads: 1 }),
    top: ({ players }, size) => bill({ reads: Math.max(1, Math.min(size, players)) }),
    around({ players }, index, before, after) {
      const better = Math.min(before, index);
      const worse = Math.min(after, players - 1 - index);
      return bill({ reads: 1 + Math.max(1, better) + Math.max(1, worse) });
    },
    // Those that the query skips are billed too.
    page: ({ players }, from, size) =>
      bill({ reads: Math.max(1, from + Math.max(0, Math.min(size, players - from))) }),
    ...own,
  };
}

/** Whether a submission changes what counts. */
export function isChange({ before, after }: Change): boolean {
  return before !== after;
}

/** By how much a change moves the number of players of each score. */
export function countsOf({ before, after }: Change): { score: number; by: 1 | -1 }[] {
  return [...(before === null ? [] : [{ score: before, by: -1 as const }]), { score: after, by: 1 }];
}

/** How many players the document of the best ones has. */
export const topSize = 100;

/** The best players in one document, which a periodic job writes: 1 write. */
export async function writeTop(db: Firestore, players: Entry[]): Promise<void> {
  await db.doc("ladder/top").set({ players });
}

/** The best players of the last run, at most {@link topSize}: 1 read. */
export async function readTop(db: Firestore, count: number): Promise<Entry[]> {
  const players = (await db.doc("ladder/top").get()).get("players") as Entry[] | undefined;
  return (players ?? []).slice(0, count);
}
