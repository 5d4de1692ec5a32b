/** Locks: what transactions have read, and what happens to a commit that would change it. */
import type { QuerySpec } from "./query.ts";
import { type Change, grpcError, parentOf, type Store, type Write } from "./store.ts";

/** The result of an operation that must be tried again later. */
export const waiting = Symbol("waiting");

/** A transaction under way. */
export interface Transaction {
  /** Paths read; a collection that was queried ends in "/", and a group of collections begins with "**" too. */
  reads: Set<string>;
  /** Whether what it read was changed; then it can no longer commit. */
  broken: boolean;
  /** Those that began before have less. */
  begun: number;
  /** In whose way it found itself when it tried to commit. */
  waitsFor: readonly Transaction[];
}

export type Locks = ReturnType<typeof createLocks>;

/** What a commit does when it meets others' locks. Firestore may do any of the three. */
type OnConflict = (self: Transaction | undefined) => "wait" | "abort" | "break";

export function createLocks(onConflict: OnConflict) {
  const open = new Set<Transaction>();
  let begun = 0;
  const aborted = () => grpcError("aborted", "too much contention on these documents; please try again");
  return {
    /** @param again the transaction that this one repeats; it is as old. */
    begin(again?: Transaction): Transaction {
      begun += 1;
      const transaction = {
        reads: new Set<string>(),
        broken: false,
        begun: again?.begun ?? begun,
        waitsFor: [],
      };
      open.add(transaction);
      return transaction;
    },
    end: (transaction: Transaction) => void open.delete(transaction),
    /** @throws `aborted` if the transaction is broken. */
    read(transaction: Transaction, paths: readonly string[]): void {
      if (transaction.broken) throw aborted();
      for (const path of paths) transaction.reads.add(path);
    },
    /** Commits, for a transaction or without one. @throws `aborted`, or what the store throws. */
    commit(store: Store, writes: readonly Write[], self: Transaction | undefined): Change[] | typeof waiting {
      if (self?.broken === true) throw aborted();
      const met = [...open].filter((other) => other !== self && !other.broken && meets(other, writes));
      if (self !== undefined) self.waitsFor = met;
      const choice = met.length === 0 ? "break" : onConflict(self);
      if (choice === "wait") return waiting;
      if (choice === "abort") throw aborted();
      const changes = store.commit(writes);
      for (const other of met) other.broken = true;
      if (self !== undefined) open.delete(self);
      return changes;
    },
  };
}

/**
 * As Firestore's own for its server libraries: a commit waits until those whose reads it would change have ended. Of
 * transactions that wait for each other, the youngest is aborted.
 */
export const patient: OnConflict = (self) => {
  const [youngest] = (self === undefined ? [] : circleOf([self])).sort((a, b) => b.begun - a.begun);
  if (youngest === undefined) return "wait";
  youngest.broken = true;
  return youngest === self ? "abort" : "wait";
};

/** Transactions each of which waits for the next, and the last for the first; none if the first waits for others. */
function circleOf(way: readonly Transaction[]): Transaction[] {
  for (const next of way.at(-1)?.waitsFor ?? []) {
    if (next.broken) continue;
    if (next === way[0]) return [...way];
    const found = way.includes(next) ? [] : circleOf([...way, next]);
    if (found.length > 0) return found;
  }
  return [];
}

/** A query locks whole collections. Firestore locks less: the range that was read. */
export const lockOf = ({ collection, group }: Pick<QuerySpec, "collection" | "group">) =>
  group ? `**/${collection}/` : `${collection}/`;

/** Whether a transaction has read what is to be written. */
function meets({ reads }: Transaction, writes: readonly Write[]): boolean {
  return writes.some(({ path }) => {
    const parent = parentOf(path);
    const group = parent.slice(parent.lastIndexOf("/") + 1);
    const locks = [path, `${parent}/`, `**/${group}/`, "**//"];
    return locks.some((lock) => reads.has(lock));
  });
}
