/** What a mistake of the simulation is made of (mutants.ts, league-mutants.ts). */
import { Timestamp } from "../functions/src/documents/firestore.ts";
import type { QuerySpec } from "./memory/query.ts";
import type { Data, Write } from "./memory/store.ts";
import type { Changed } from "./plan.ts";

type WriteMistake = (write: Write, by: string) => Write | undefined;

/** One mistake. `by` is the name of the invocation, or of the instance where it commits for many. */
export interface Mutant {
  /** What arrives of a write; nothing where the write gets lost. */
  write?: WriteMistake;
  /** What a query asks. */
  query?: (spec: QuerySpec, by: string) => QuerySpec;
  /** As of when a document is read, or a collection searched; nothing stands for the present. */
  readAt?: (path: string, at: Timestamp | undefined, by: string, now: Timestamp) => Timestamp | undefined;
  /** Which document is read in place of another. */
  readFrom?: (path: string) => string;
  /** Whether a queue tells no later attempt at a task from the first. */
  tellsNoAttempts?: boolean;
  /** Changes the plans that seeds draw, so that the mistake shows sooner. */
  plan?: Changed;
}

const isDelete = ({ apply }: Write) => apply({}) === undefined;

/** Writes of documents get lost. */
export const lost =
  (where: RegExp, who = /(?:)/): WriteMistake =>
  (write, by) =>
    where.test(write.path) && who.test(by) && !isDelete(write) ? undefined : write;

/** Deletes of documents get lost. */
export const kept =
  (where: RegExp, who = /(?:)/): WriteMistake =>
  (write, by) =>
    where.test(write.path) && who.test(by) && isDelete(write) ? undefined : write;

/** Documents are written or deleted whatever others have made of them meanwhile. */
export const unguarded =
  (where: RegExp): WriteMistake =>
  (write) =>
    where.test(write.path) ? { ...write, guard: {} } : write;

/** Something else is written. A change that answers nothing leaves the document as it was. */
export const changed =
  (
    where: RegExp,
    who: RegExp,
    change: (after: Data, before: Data | undefined) => Data | undefined,
  ): WriteMistake =>
  (write, by) => {
    if (!where.test(write.path) || !who.test(by) || isDelete(write)) return write;
    return { ...write, apply: (before) => change(write.apply(before) ?? {}, before) ?? before };
  };

export const without =
  (name: string) =>
  ({ [name]: _, ...others }: Data): Data =>
    others;
export const minutesBefore = (time: Timestamp, minutes: number) =>
  Timestamp.fromMillis(time.toMillis() - minutes * 60_000);
