/** Locks: what transactions have read, and what happens to a commit that would change it. */
import type { QuerySpec } from "./query.ts";
import type { Change, Store, Write } from "./store.ts";
import { grpcError, parentOf } from "./store.ts";

/** The result of an operation that must be tried again later. */
export const waiting = Symbol("waiting");

/** A transaction under way. */
export interface Transaction {
  /** Paths read; a collection that was queried ends in "/", and a group of collections begins with "**" too. */
  reads: Set<string>;
  /** Whether what it read was changed; then it can no longer commit. */
  broken: boolean;
}

export interface Locks {
  begin(): Transaction;
  end(transaction: Transaction): void;
  /** @throws `aborted` if the transaction is broken. */
  read(transaction: Transaction, paths: readonly string[]): void;
  /** Commits, for a transaction or without one. @throws `aborted`, or what the store throws. */
  commit(
    store: Store,
    writes: readonly Write[],
    self: Transaction | undefined,
  ): readonly Change[] | typeof waiting;
}

/** @param onConflict what a commit does when it meets others' locks. Firestore may do any of the three. */
export function createLocks(onConflict: () => "wait" | "abort" | "break"): Locks {
  const open = new Set<Transaction>();
  const aborted = () => grpcError("aborted", "too much contention on these documents");
  return {
    begin() {
      const transaction = { reads: new Set<string>(), broken: false };
      open.add(transaction);
      return transaction;
    },
    end: (transaction) => void open.delete(transaction),
    read(transaction, paths) {
      if (transaction.broken) throw aborted();
      for (const path of paths) transaction.reads.add(path);
    },
    commit(store, writes, self) {
      if (self?.broken === true) throw aborted();
      const met = [...open].filter((other) => other !== self && !other.broken && meets(other, writes));
      const choice = met.length === 0 ? "break" : onConflict();
      if (choice === "wait") return waiting;
      if (choice === "abort") throw aborted();
      const changes = store.commit(writes);
      for (const other of met) other.broken = true;
      if (self !== undefined) open.delete(self);
      return changes;
    },
  };
}

/** A query locks whole collections. Firestore locks less: the range that was read. */
export const lockOf = ({ collection, group }: Pick<QuerySpec, "collection" | "group">) =>
  group ? `**/${collection}/` : `${collection}/`;

/** Whether a transaction has read what is to be written. */
export function meets({ reads }: Transaction, writes: readonly Write[]): boolean {
  return writes.some(({ path }) => {
    const parent = parentOf(path);
    const group = parent.slice(parent.lastIndexOf("/") + 1);
    const locks = [path, `${parent}/`, `**/${group}/`, "**//"];
    return locks.some((lock) => reads.has(lock));
  });
}
