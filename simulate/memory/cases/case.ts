/**
 * Cases that both the database in memory and the emulators pass, so that the imitation need not be trusted. They cover
 * what the functions use of Firestore: each case is a sentence about it and the code that shows it.
 */
import type {
  DocumentReference,
  DocumentSnapshot,
  Firestore,
  Query,
  Timestamp,
} from "../../../functions/src/documents/firestore.ts";
import type { WireValue } from "../wire/messages.ts";
import { grpc, grpcCode } from "../../../functions/src/world/retryable.ts";

/** Where a case runs: a database, with an empty collection that no other case uses. */
export interface Stage {
  db: Firestore;
  /** The path of the collection. */
  path: string;
  /** A name that no other case uses. */
  name: string;
}

export type Case = (stage: Stage) => Promise<void>;
export type Cases = Readonly<Record<string, Case>>;

/** A document of the stage. */
export function at({ db, path }: Stage, id = "a"): DocumentReference {
  return db.doc(`${path}/${id}`);
}

/** When a document was created and last changed. @throws if it is not there. */
export async function timesOf(
  reference: DocumentReference,
): Promise<{ createTime: Timestamp; updateTime: Timestamp }> {
  const { createTime, updateTime } = await reference.get();
  if (createTime === undefined || updateTime === undefined) throw new Error(`${reference.path} is not there`);
  return { createTime, updateTime };
}

/** The fields of a document as they came, where a JavaScript number says too little. */
export function wireOf(found: DocumentSnapshot): Record<string, WireValue> {
  const fields = Object.entries(
    (found as unknown as { _fieldsProto: Record<string, WireValue> })._fieldsProto,
  );
  return Object.fromEntries(
    fields.map(([name, { integerValue, doubleValue }]) => [
      name,
      integerValue === undefined ? { doubleValue } : { integerValue: String(integerValue) },
    ]),
  ) as Record<string, WireValue>;
}

/** A guard that the document has not changed since now. */
export async function asItIs(reference: DocumentReference): Promise<{ lastUpdateTime: Timestamp }> {
  return { lastUpdateTime: (await timesOf(reference)).updateTime };
}

/** Writes documents one after the other, each named by its key. */
export async function fill(stage: Stage, documents: Readonly<Record<string, object>>): Promise<void> {
  for (const [id, data] of Object.entries(documents)) await at(stage, id).set(data);
}

/** The ids that a query finds, in its order. */
export async function idsOf(query: Query): Promise<string[]> {
  return (await query.get()).docs.map(({ id }) => id);
}

/**
 * How work fails: the name of one of Firestore's codes; "refused" if the client itself refuses; "no" if it does not
 * fail.
 */
export async function failure(work: () => unknown): Promise<keyof typeof grpc | "refused" | "no" | number> {
  try {
    await work();
    return "no";
  } catch (error) {
    const code = grpcCode(error);
    if (code === undefined) return "refused";
    const names = Object.keys(grpc) as (keyof typeof grpc)[];
    return names.find((name) => grpc[name] === code) ?? code;
  }
}
