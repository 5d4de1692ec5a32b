/** A whole database as JSON: what a release has stored, kept for the releases after it. */
import {
  type CollectionReference,
  type DocumentReference,
  type Firestore,
  Timestamp,
} from "../../functions/src/documents/firestore.ts";

/** Documents by path; a time is `{ "$time": [seconds, nanoseconds] }`. */
export type Stored = Record<string, Record<string, unknown>>;

/** Everything that a database holds, in the order of paths. */
export async function dump(db: Firestore): Promise<Stored> {
  const found: [string, Record<string, unknown>][] = [];
  const walk = async (within: Firestore | DocumentReference): Promise<void> => {
    const collections: CollectionReference[] = await within.listCollections();
    for (const collection of collections) {
      for (const document of (await collection.get()).docs) {
        found.push([document.ref.path, coded(document.data()) as Record<string, unknown>]);
        await walk(document.ref);
      }
    }
  };
  await walk(db);
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes all documents. */
export async function load(db: Firestore, stored: Stored): Promise<void> {
  const writer = db.bulkWriter({ throttling: false });
  for (const [path, data] of Object.entries(stored))
    void writer.set(db.doc(path), decoded(data) as Record<string, unknown>);
  await writer.close();
}

function coded(value: unknown): unknown {
  if (value instanceof Timestamp) return { $time: [value.seconds, value.nanoseconds] };
  return mapped(value, coded);
}

function decoded(value: unknown): unknown {
  if (typeof value === "object" && value !== null && "$time" in value) {
    const [seconds = 0, nanoseconds = 0] = value.$time as number[];
    return new Timestamp(seconds, nanoseconds);
  }
  return mapped(value, decoded);
}

function mapped(value: unknown, map: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, map(inner)]));
}
