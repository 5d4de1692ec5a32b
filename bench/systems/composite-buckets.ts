/**
 * Buckets of 25 scores, each a document with a map of its players, whose keys `score-date-player` sort as the board does.
 * Who looks for neighbours reads a bucket and, at its ends, the next ones. How many are better, only all higher buckets
 * together say.
 */
import {
  type CollectionReference,
  FieldValue,
  type Query,
  type QuerySnapshot,
  type Transaction,
} from "../../functions/src/documents/firestore.ts";
import type { Entry } from "../contest/truth.ts";
import { compositeBills, holdsBuckets, playersPerBucketMax } from "./composite-bills.ts";
import { bucketOf, entryOf, keyOf, type TieOrder } from "./composite-keys.ts";
import { playersOf } from "./players.ts";
import type { Opened, Place, System } from "./system.ts";

/**
 * An update costs a read and a write of the player, and a write of one bucket or, between two, of both. Players around
 * one cost 2 reads, and one for each further bucket; a rank 1 read, and one for each bucket from the player's up; the top
 * and a page one for each bucket above their end. A bucket without players is read too; where the board ends, a query
 * that finds nothing costs 1.
 */
export const compositeBuckets: System = system("older first");
export const newerCompositeBuckets: System = system("newer first");

function system(order: TieOrder): System {
  return {
    id: order === "older first" ? "composite-buckets" : "composite-buckets-newer",
    name: `Buckets of 25 with composite keys, ${order}`,
    layout:
      "Players with score and date; a document for each 25 scores with a map of keys “score-date-player”.",
    source: "Aerospike's use case “Leaderboards”, known from notes on it",
    rank: "exact",
    keeps: "latest",
    cannot: { run: "nothing is left to do" },
    load: {
      kind: "documents",
      commits: ({ before, after }) => {
        const buckets = before === null ? [after] : [before, after];
        return [[...new Set(buckets.map((score) => `bucket ${bucketOf(score)}`))]];
      },
    },
    limit: `A bucket is one document of at most 1 MiB: about ${playersPerBucketMax.toLocaleString("en")} players with scores so close to each other. Its map needs to be left out of the indexes, or 20,000 are too many.`,
    holds: holdsBuckets,
    open: (place) => Promise.resolve(open(place, order)),
    bills: (start) => compositeBills(start, order),
  };
}

function open(place: Place, order: TieOrder): Opened {
  const { db } = place;
  const board = db.collection("scoreboard");
  /** Reads of one moment, so that nobody is between two buckets. */
  const ask = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    db.runTransaction(work, { readOnly: true });
  const ownOf = async (transaction: Transaction, player: string) =>
    (await transaction.get(playersOf(db).doc(player))).data() as Own | undefined;
  const page = (from: number, size: number) =>
    ask(async (transaction) => {
      const found = await walk(board, (query) => transaction.get(query), "desc", from + size);
      return found.slice(from, from + size).map(entryOf);
    });
  return {
    async submit({ player, score }) {
      const dateMs = place.now();
      await db.runTransaction(async (transaction) => {
        const own = await ownOf(transaction, player);
        if (own?.score === score) return;
        move(board, transaction, { player, score, dateMs }, own, order);
        transaction.set(playersOf(db).doc(player), { score, dateMs });
      });
      return undefined;
    },
    rank: (player) =>
      ask(async (transaction) => {
        const own = await ownOf(transaction, player);
        if (own === undefined) return null;
        const higher = await transaction.get(board.where("bucket", ">=", bucketOf(own.score)));
        return 1 + keysOf(higher).filter((key) => entryOf(key).score > own.score).length;
      }),
    top: (count) => page(0, count),
    around: (player, before, after) =>
      ask(async (transaction) => {
        const own = await ownOf(transaction, player);
        if (own === undefined) return [];
        return around(board, transaction, { player, ...own }, { before, after }, order);
      }),
    page,
  };
}

interface Own {
  score: number;
  dateMs: number;
}

/** Writes a player's new key, and deletes the old one. */
function move(
  board: CollectionReference,
  transaction: Transaction,
  { player, score, dateMs }: Own & { player: string },
  old: Own | undefined,
  order: TieOrder,
): void {
  const bucketAt = (at: number) => board.doc(String(bucketOf(at)));
  const entries: Record<string, unknown> = { [keyOf({ player, score, dateMs }, order)]: true };
  if (old !== undefined) {
    const left = { [keyOf({ player, ...old }, order)]: FieldValue.delete() };
    if (bucketOf(old.score) === bucketOf(score)) Object.assign(entries, left);
    else transaction.set(bucketAt(old.score), { entries: left }, { merge: true });
  }
  transaction.set(bucketAt(score), { bucket: bucketOf(score), entries }, { merge: true });
}

async function around(
  board: CollectionReference,
  transaction: Transaction,
  own: Own & { player: string },
  { before, after }: { before: number; after: number },
  order: TieOrder,
): Promise<Entry[]> {
  const bucket = bucketOf(own.score);
  const get = (query: Query) => transaction.get(query);
  const keys = mapKeys((await transaction.get(board.doc(String(bucket)))).data());
  const at = keys.indexOf(keyOf(own, order));
  const higher = await walk(board, get, "asc", before - at, bucket);
  const lower = await walk(board, get, "desc", after - (keys.length - 1 - at), bucket);
  const all = [...higher.reverse(), ...keys, ...lower];
  const index = at + higher.length;
  return all.slice(Math.max(0, index - before), index + after + 1).map(entryOf);
}

/** Keys of the buckets beyond one, bucket by bucket until there are enough of them: those nearest to it first. */
async function walk(
  board: CollectionReference,
  get: (query: Query) => Promise<QuerySnapshot>,
  direction: "asc" | "desc",
  enough: number,
  beyond?: number,
): Promise<string[]> {
  const keys: string[] = [];
  for (let at = beyond; keys.length < enough;) {
    const next = board.orderBy("bucket", direction).limit(1);
    const found = await get(at === undefined ? next : next.startAfter(at));
    const document = found.docs[0];
    if (document === undefined) break;
    at = document.get("bucket") as number;
    const more = mapKeys(document.data());
    keys.push(...(direction === "asc" ? more.reverse() : more));
  }
  return keys;
}

function keysOf(buckets: QuerySnapshot): string[] {
  return buckets.docs.flatMap((bucket) => mapKeys(bucket.data()));
}

/** The keys of a bucket, best first. */
function mapKeys(bucket: Record<string, unknown> | undefined): string[] {
  return Object.keys(bucket?.["entries"] ?? {})
    .sort()
    .reverse();
}
