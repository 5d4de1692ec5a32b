/**
 * How the extension firestore-counter adds shards up. Every minute a function sums up to 199 of them in one transaction.
 * If there are more, it starts workers, which sum up to 499 a round, in a transaction for each counter. Here one worker
 * does all rounds.
 *
 * The extension also calls a function when a shard is written. It has one instance, which listens for a minute and sums
 * up to 199 shards whenever some come: at once, as long as few clients write. That is left out, and so is its bill. Of
 * each update it would be, for the listener, 2 reads of shards and 1 of the state; for the sum, 1 of the state, 2 of
 * shards and 2 of counters, 3 writes and 2 deletes.
 */
import type {
  CollectionReference,
  DocumentReference,
  Firestore,
  Query,
  QueryDocumentSnapshot,
} from "../../functions/src/documents/firestore.ts";
import { FieldPath, FieldValue } from "../../functions/src/documents/firestore.ts";
import type { Meter } from "../contest/bill.ts";

/** From here on, the function leaves the shards to workers. */
export const shardsForWorkers = 200;
/** Shards that a worker takes in a round. */
export const shardsPerRound = 499;

const shardCollection = "_counter_shards_";

export function countersOf(db: Firestore): CollectionReference {
  return db.collection("scores");
}

/** The shard of a counter that one client writes. */
export function shardOf(db: Firestore, counter: string, client: string): DocumentReference {
  return countersOf(db).doc(counter).collection(shardCollection).doc(client);
}

function stateOf(db: Firestore): DocumentReference {
  return db.doc("_firebase_ext_/sharded_counter");
}

/** Writes the extension's own document. */
export async function install(db: Firestore): Promise<void> {
  await stateOf(db).set({ workers: [] });
}

/** Adds all shards to their counters, and deletes them. */
export async function sumShards(db: Firestore, meter: Meter): Promise<void> {
  meter.invoked();
  if (await sumFew(db)) return;
  const worker = stateOf(db).collection("workers").doc("0000");
  await worker.set({ slice: { start: "", end: "" } });
  meter.invoked();
  let found: number;
  do {
    const { docs } = await shardsIn(db, shardsPerRound).get();
    found = docs.length;
    await Promise.all([...byCounter(docs)].map(([path, shards]) => sumCounter(worker, db.doc(path), shards)));
  } while (found === shardsPerRound);
  await worker.delete();
}

/** The first shards of all counters, in the order of their paths. */
function shardsIn(db: Firestore, limit: number): Query {
  return db.collectionGroup(shardCollection).orderBy(FieldPath.documentId()).limit(limit);
}

/** @returns whether there were few enough. */
function sumFew(db: Firestore): Promise<boolean> {
  return db.runTransaction(async (transaction) => {
    await transaction.get(stateOf(db));
    const { docs } = await transaction.get(shardsIn(db, shardsForWorkers));
    if (docs.length === shardsForWorkers) return false;
    const counters = [...byCounter(docs)];
    const values = await Promise.all(
      counters.map(async ([path]) => playersIn(await transaction.get(db.doc(path)))),
    );
    for (const [i, [path, shards]] of counters.entries()) {
      const player_count = shards.reduce((sum, shard) => sum + playersIn(shard), values[i] ?? 0);
      transaction.set(db.doc(path), { player_count }, { merge: true });
    }
    for (const { ref } of docs) transaction.delete(ref);
    transaction.set(stateOf(db), { timestamp: FieldValue.serverTimestamp() }, { merge: true });
    return true;
  });
}

/** Sums shards of one counter, while the worker's document is there. */
function sumCounter(
  worker: DocumentReference,
  counter: DocumentReference,
  found: QueryDocumentSnapshot[],
): Promise<void> {
  return counter.firestore.runTransaction(async (transaction) => {
    const [own, value, ...shards] = await transaction.getAll(worker, counter, ...found.map(({ ref }) => ref));
    if (own?.exists !== true || value === undefined) return;
    const player_count = shards.reduce((sum, shard) => sum + playersIn(shard), playersIn(value));
    transaction.set(counter, { player_count }, { merge: true });
    for (const { ref } of shards) transaction.delete(ref);
  });
}

/** Shards by the path of their counter. */
function byCounter(shards: QueryDocumentSnapshot[]): Map<string, QueryDocumentSnapshot[]> {
  return Map.groupBy(shards, ({ ref }) => ref.parent.parent?.path ?? "");
}

function playersIn(document: { get(field: string): unknown }): number {
  return (document.get("player_count") as number | undefined) ?? 0;
}
