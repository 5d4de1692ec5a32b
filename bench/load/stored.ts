/**
 * How large usual documents are, and how many index entries a write of each changes: what Enterprise edition bills by.
 * scripts/deploy-doc.test.ts compares the table of docs/costs.md with it. Pure.
 */
import { readUnits, writeUnits, type Operations } from "../../cli/prices.ts";

/** A document that is read or written. */
export interface Stored {
  bytes: number;
  /** Index entries that a write of it changes, with the indexes of boards on which the highest score leads. */
  entries: number;
}

/** With a name and its mark. */
export const player: Stored = { bytes: 389, entries: 3 };
/** What a publication changes in it is in two indexes. */
export const season: Stored = { bytes: 1_024, entries: 2 };
export const runRecord: Stored = { bytes: 1_024, entries: 4 };

/** What a change adds to a shard document: a score of six digits, its end, and 8 for the count. */
export const changeBytes = 15;

/** A shard document, by the number of scores that it has changes of. */
export function shardOf(scores: number): Stored {
  return { bytes: 229 + changeBytes * scores, entries: 1 };
}

export function pageOf(scores: number): Stored {
  return { bytes: 277 + 16 * scores, entries: 2 };
}

export function topOf(entries: number): Stored {
  return { bytes: 178 + 140 * entries, entries: 0 };
}

/** An event of the top, by the number of players that it names. */
export function eventOf(players: number): Stored {
  return { bytes: 400 + 140 * players, entries: players };
}

/** What Firestore bills by document. */
type Counts = Pick<Operations, "reads" | "writes" | "deletes">;

/** Operations on documents of one kind. */
export interface Charge extends Partial<Counts> {
  on: Stored;
}

/** What Standard edition bills: documents. */
export function documentsOf(charges: readonly Charge[]): Counts {
  return sumOf(charges, () => ({ read: 1, write: 1 }));
}

/** What Enterprise edition bills: units, with deletes billed as writes. */
export function unitsOf(charges: readonly Charge[]): Counts {
  return sumOf(charges, ({ bytes, entries }) => ({
    read: readUnits(bytes),
    write: writeUnits(bytes, entries),
  }));
}

function sumOf(charges: readonly Charge[], weigh: (on: Stored) => { read: number; write: number }): Counts {
  const sum = { reads: 0, writes: 0, deletes: 0 };
  for (const { on, reads = 0, writes = 0, deletes = 0 } of charges) {
    const { read, write } = weigh(on);
    sum.reads += read * reads;
    sum.writes += write * writes;
    sum.deletes += write * deletes;
  }
  return sum;
}
