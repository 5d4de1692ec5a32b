/**
 * Reads that requests share. All requests that ask for a key while it is being read get the same answer, or the same
 * error. Answers may be kept for a time. Towards the end of this time one read renews the answer while the old answer
 * is still served, so that no request waits on a busy instance.
 *
 * An answer's age counts from the moment when its read began, and is checked when the answer is handed out, because an
 * instance may be stopped between two requests with a read pending. Transactions must read for themselves.
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
  /** How many keys are kept in memory; the least recently used keys go first. By default as many as `sizes` allows. */
  max?: number;
  /** The greatest age at which a value is served; 0 to share pending reads and keep nothing. */
  keepMs: number;
  /** The age from which a value is read again while it is still served; by default `keepMs`. */
  renewMs?: number;
  /** The greatest age at which this value is served, if that is less than `keepMs`. */
  keepMsOf?: (value: Value) => number;
  /** The largest total size of the values kept, in the caller's unit. A value larger than this is not kept. */
  sizes?: { max: number; of: (value: Value) => number };
}

/**
 * How old a pending read may be for further requests to wait for it. An older read hangs, as in an instance without
 * CPU.
 */
export const sharedReadMsMax = 10_000;

// eslint-disable-next-line max-lines-per-function -- short functions over one memory
export function createSharedReads<Value>(options: SharedReadsOptions<Value>) {
  const { now, max = 0, keepMs, renewMs = keepMs, keepMsOf = () => keepMs, sizes } = options;
  let begun = 0;
  /** Keys that are being read, which the library does not list. */
  const underWay = new Set<string>();
  const cache = new LRUCache<string, Shared<Value>, () => Promise<Value>>({
    max,
    ...(sizes && { maxSize: sizes.max, sizeCalculation: ({ value }) => sizes.of(value) }),
    // Requests that wait for a read get its answer, even if the key was forgotten or replaced in the meantime.
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
  /**
   * The age from which a request does not take the answer of a read that was pending when the request came. If nothing is
   * kept, any such answer will do unless the read hung.
   */
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
    const isOld = kept !== undefined && ageMs >= keepMsOf(kept.value);
    if (kept !== undefined && !isOld && ageMs < renewMs) return kept;
    const allowStale = !isOld && ageMs < keepMs;
    const found = await cache.forceFetch(key, { forceRefresh: true, allowStale, context: read });
    if (keepMs === 0 && cache.get(key) === found) cache.delete(key);
    const isTooOld = found.began <= asked && now() - found.beganMs >= ageMsMax;
    return isTooOld ? get(key, read) : found;
  }

  return {
    get,
    alone,
    /** The number of the last read so far: later reads have a higher `began`. */
    lastRead: () => begun,
    /** Keeps a value that the caller knows to be true now. The answer of a pending read of this key is not kept. */
    keep(key: string, value: Value): void {
      cache.set(key, { value, beganMs: now(), began: (begun += 1) });
    },
    /**
     * Puts what a caller knows better in the place of a value that is still in memory, which grows no younger by that.
     * @returns whether it was still there.
     */
    replace(key: string, before: Value, after: Value): boolean {
      const kept = cache.peek(key);
      const isThere = kept?.value === before;
      if (isThere) cache.set(key, { ...kept, value: after });
      return isThere;
    },
    peek: (key: string) => cache.peek(key, { allowStale: true }),
    /** Forgets a key. A pending read is still answered, but its answer is not kept. */
    forget: (key: string) => void cache.delete(key),
    /** Forgets all keys for which `isMeant` is true, which looks at each key in memory. */
    forgetAll(isMeant: (key: string) => boolean): void {
      for (const key of [...cache.keys(), ...underWay]) if (isMeant(key)) cache.delete(key);
    },
  };
}
