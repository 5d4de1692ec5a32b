/** What an operation is billed, and its meter. */
import { randomUUID } from "node:crypto";
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { documentSize } from "../../functions/src/model/document-size.ts";
import { mendTransactions } from "../../functions/src/world/mend-transactions.ts";
import { countRequests, type Internals, noBill } from "../../functions/src/world/meter.ts";

export interface Bill {
  /** Billed by Firestore. */
  reads: number;
  writes: number;
  deletes: number;
  /** Calls of functions by triggers, tasks and schedules; not the call that the app itself makes. */
  invocations: number;
  /** Commands to another server, such as Redis. */
  commands: number;
}

export const free: Bill = { reads: 0, writes: 0, deletes: 0, invocations: 0, commands: 0 };

export function bill(parts: Partial<Bill>): Bill {
  return { ...free, ...parts };
}

export function sumOf(...bills: Partial<Bill>[]): Bill {
  const sum = { ...free };
  for (const part of bills) {
    for (const name of Object.keys(sum) as (keyof Bill)[]) sum[name] += part[name] ?? 0;
  }
  return sum;
}

/** The mean of `count` bills that come to `sum`. */
export function meanOf(sum: Bill, count: number): Bill {
  const mean = { ...sum };
  for (const name of Object.keys(mean) as (keyof Bill)[]) mean[name] /= count;
  return mean;
}

/** Counts what happens between two looks at it. */
export interface Meter {
  /** What was billed since the last call. */
  take(): { bill: Bill; bytes: number };
  /** Does work that is not part of any operation: what an instance reads by the clock, however many ask it. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  /** Counts a call of a function by a trigger, task or schedule. */
  invoked(): void;
  /** Counts commands to another server. */
  commanded(commands: number): void;
}

/**
 * A client of the emulator in a project of its own, and its meter. `bytes` is the size of the documents returned, by
 * Firestore's rules of storage size (https://firebase.google.com/docs/firestore/storage-size).
 */
export function createMeteredClient(): { db: Firestore; meter: Meter } {
  const db = mendTransactions(new Firestore({ projectId: `demo-${randomUUID().slice(0, 13)}` }));
  const counted = noBill();
  countRequests(db, () => counted);
  let bytes = 0;
  countBytes(db, (more) => {
    bytes += more;
  });
  const other = { invocations: 0, commands: 0 };
  const set = (to: { bill: Bill; bytes: number }) => {
    const { invocations, commands, ...operations } = to.bill;
    Object.assign(counted, operations);
    Object.assign(other, { invocations, commands });
    bytes = to.bytes;
  };
  const soFar = () => ({ bill: { ...counted, ...other }, bytes });
  return {
    db,
    meter: {
      take() {
        const taken = soFar();
        set({ bill: free, bytes: 0 });
        return taken;
      },
      async aside(work) {
        const before = soFar();
        const result = await work();
        set(before);
        return result;
      },
      invoked() {
        other.invocations += 1;
      },
      commanded(commands) {
        other.commands += commands;
      },
    },
  };
}

interface StreamAnswer {
  found?: WireDocument | null;
  document?: WireDocument | null;
}

interface WireDocument {
  name?: string;
  fields?: Record<string, WireValue> | null;
}

/** The fields of a document as the client has them before it decodes them: each has one of these. */
interface WireValue {
  stringValue?: string;
  mapValue?: { fields?: Record<string, WireValue> | null } | null;
  arrayValue?: { values?: WireValue[] | null } | null;
  nullValue?: unknown;
  booleanValue?: boolean;
  bytesValue?: Uint8Array;
}

function countBytes(db: Firestore, add: (bytes: number) => void): void {
  const internals = db as unknown as Internals;
  const requestStream = internals.requestStream.bind(db);
  internals.requestStream = async (...request) => {
    const stream = await requestStream(...request);
    stream.on("data", ({ found, document }: StreamAnswer) => {
      const sent = found ?? document;
      // "projects/…/databases/…/documents/" is not part of a document's name.
      if (sent != null) add(documentSize((sent.name ?? "").split("/").slice(5).join("/"), fieldsOf(sent)));
    });
    // The client leaves the stream paused until it listens itself.
    stream.pause();
    return stream;
  };
}

function fieldsOf({ fields }: { fields?: Record<string, WireValue> | null }): object {
  return Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [name, sized(value)]));
}

/** A value of the same size. */
function sized(value: WireValue): unknown {
  if (value.mapValue != null) return fieldsOf(value.mapValue);
  if (value.arrayValue != null) return (value.arrayValue.values ?? []).map(sized);
  if (typeof value.stringValue === "string") return value.stringValue;
  if (value.bytesValue instanceof Uint8Array) return value.bytesValue;
  return "nullValue" in value || "booleanValue" in value ? null : 0; // numbers and times take the same
}
