/**
 * Reads that requests share: all that ask for a key while it is being read get the same answer, or the same error.
 * Answers may be kept for a time. Towards its end one read renews the answer while it is still served, so that no
 * request waits for it on a busy instance.
 *
 * An answer's age counts from the moment when its read began, and is checked when it is handed out: an instance may
 * be stopped between two requests, with a read pending. Transactions must read for themselves.
 */
import { LRUCache } from "lru-cache";

/** A value that was read, and when its read began. */
export interface Shared<Value> {
  value: Value;
  beganMs: number;
  /** The number of the read among all reads of this instance; see `lastRead`. */
  began: number;
}

export type SharedReads<Value> = ReturnType<typeof createSharedReads<Value>>;

interface SharedReadsOptions<Value> {
  now: () => number;
  /** Keys in memory; the least recently used go first. */
  max: number;
  /** The greatest age at which a value is served; 0 to share pending reads and keep nothing. */
  keepMs: number;
  /** The age from which a value is read again while it is still served; by default not before `keepMs`. */
  renewMs?: number;
  /** A bound for the total size of the values kept, in the caller's unit. A value larger than that is not kept. */
  sizes?: { max: number; of: (value: Value) => number };
}

/** How old a pending read may be for others to wait for it too. An older one hangs, as in an instance without CPU. */
export const sharedReadMsMax = 10_000;

export function createSharedReads<Value>(options: SharedReadsOptions<Value>) {
  const { now, max, keepMs, renewMs = keepMs, sizes } = options;
  let begun = 0;
  /** Keys that are being read: the library does not list them. */
  const underWay = new Set<string>();
  const cache = new LRUCache<string, Shared<Value>, () => Promise<Value>>({
    max,
    ...(sizes && { maxSize: sizes.max, sizeCalculation: ({ value }) => sizes.of(value) }),
    // All that wait for a read get its answer, even if it was forgotten or replaced in the meantime.
    ignoreFetchAbort: true,
    // After a failed renewal the old value stays useful until it is too old.
    noDeleteOnFetchRejection: true,
    async fetchMethod(key, _before, { context: read }) {
      underWay.add(key);
      try {
        return await alone(read);
      } finally {
        underWay.delete(key);
      }
    },
  });
  /** A read that a crowd waits for is as good as one of each request's own, unless it hung. */
  const ageMsMax = keepMs === 0 ? sharedReadMsMax : keepMs;

  async function alone(read: () => Promise<Value>): Promise<Shared<Value>> {
    return { began: (begun += 1), beganMs: now(), value: await read() };
  }

  /**
   * The value of a key: from memory, from a pending read of it, or else by `read`. A read that fails is not kept, and
   * rejects for all that wait for it.
   */
  async function get(key: string, read: () => Promise<Value>): Promise<Shared<Value>> {
    const asked = begun;
    const kept = cache.get(key);
    const ageMs = kept === undefined ? Infinity : now() - kept.beganMs;
    if (kept !== undefined && ageMs < renewMs) return kept;
    const allowStale = ageMs < keepMs;
    const found = await cache.forceFetch(key, { forceRefresh: true, allowStale, context: read });
    if (keepMs === 0 && cache.get(key) === found) cache.delete(key);
    const isTooOld = found.began <= asked && now() - found.beganMs >= ageMsMax;
    return isTooOld ? get(key, read) : found;
  }

  return {
    get,
    alone,
    /** The number of the last read so far: reads that begin after this have a higher `began`. */
    lastRead: () => begun,
    /** Keeps a value that the caller knows to be true now. A pending read of the key is then not kept. */
    keep(key: string, value: Value): void {
      cache.set(key, { value, beganMs: now(), began: (begun += 1) });
    },
    peek: (key: string) => cache.peek(key, { allowStale: true }),
    /** Forgets all keys for which `isMeant` is true. A pending read is still answered, and not kept. */
    forget(isMeant: (key: string) => boolean): void {
      for (const key of [...cache.keys(), ...underWay]) if (isMeant(key)) cache.delete(key);
    },
  };
}
