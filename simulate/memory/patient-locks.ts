/**
 * Locks as Firestore's own for its server libraries: a commit that would change what another transaction has read waits
 * until that one ends, whether it is part of a transaction or not. If transactions wait for each other, the youngest of
 * them is aborted.
 */
import { meets, type Transaction } from "./locks.ts";
import { type Change, grpcError, type Store, type Write } from "./store.ts";

/** A transaction that knows its age. */
export interface Aged extends Transaction {
  /** Those that began before have less. */
  begun: number;
}

export interface PatientLocks {
  /** @param again the transaction that this one repeats; it is as old. */
  begin(again?: Aged): Aged;
  end(transaction: Aged): void;
  /** @throws `aborted` if the transaction is broken. */
  read(transaction: Aged, paths: readonly string[]): void;
  /** Commits once nothing is in the way, and ends the transaction. @throws `aborted`, or what the store throws. */
  commit(writes: readonly Write[], self?: Aged): Promise<readonly Change[]>;
}

interface Waiting {
  writes: readonly Write[];
  self: Aged | undefined;
  resolve: (changes: readonly Change[]) => void;
  reject: (error: unknown) => void;
}

/** It is one function, as all of it works on the same transactions. */
export function createPatientLocks(store: Store): PatientLocks {
  const open = new Set<Aged>();
  let queue: Waiting[] = [];
  let begun = 0;

  const aborted = () => grpcError("aborted", "too much contention on these documents; please try again");
  const inTheWayOf = ({ writes, self }: Waiting) =>
    [...open].filter((other) => other !== self && meets(other, writes));

  function perform({ writes, self, resolve, reject }: Waiting): void {
    if (self !== undefined) open.delete(self);
    try {
      resolve(store.commit(writes));
    } catch (error) {
      reject(error);
    }
  }

  /** Performs what can be, in the order in which it came, and breaks up who waits for each other. */
  function goOn(): void {
    for (;;) {
      const next = queue.find((one) => inTheWayOf(one).length === 0);
      if (next !== undefined) {
        queue = queue.filter((one) => one !== next);
        perform(next);
        continue;
      }
      const [youngest] = circle().sort((a, b) => b.begun - a.begun);
      if (youngest === undefined) return;
      youngest.broken = true;
      open.delete(youngest);
      for (const { self, reject } of queue) if (self === youngest) reject(aborted());
      queue = queue.filter(({ self }) => self !== youngest);
    }
  }

  /** Transactions each of which waits for the next, and the last for the first; none if there are no such. */
  function circle(): Aged[] {
    const waitsFor = new Map(queue.map((one) => [one.self, inTheWayOf(one)]));
    const seen = new Set<Aged>();
    function from(way: readonly Aged[]): Aged[] {
      for (const next of waitsFor.get(way.at(-1)) ?? []) {
        if (way.includes(next)) return way.slice(way.indexOf(next));
        if (seen.has(next)) continue;
        seen.add(next);
        const found = from([...way, next]);
        if (found.length > 0) return found;
      }
      return [];
    }
    for (const { self } of queue) {
      const found = self === undefined ? [] : from([self]);
      if (found.length > 0) return found;
    }
    return [];
  }

  return {
    begin(again) {
      const transaction = { reads: new Set<string>(), broken: false, begun: again?.begun ?? (begun += 1) };
      open.add(transaction);
      return transaction;
    },
    end(transaction) {
      open.delete(transaction);
      goOn();
    },
    read(transaction, paths) {
      if (transaction.broken) throw aborted();
      for (const path of paths) transaction.reads.add(path);
    },
    commit: (writes, self) =>
      new Promise((resolve, reject) => {
        if (self?.broken === true) reject(aborted());
        else queue.push({ writes, self, resolve, reject });
        goOn();
      }),
  };
}
