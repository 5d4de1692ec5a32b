/**
 * Reads that all who wait share: whoever asks for what is being read gets the same answer, or the same error. What was
 * read may be kept for a time; towards its end it is answered with once more while it is read again, so that nobody
 * waits for it on a busy instance.
 *
 * An answer's age counts from the moment when its read began, and is checked when it is handed out: an instance may be
 * stopped between two requests, and a read under way with it. Reads of transactions are not to be shared, as each
 * transaction must see for itself.
 */
import { LRUCache } from "lru-cache";
import { sharedReadMsMax } from "../model/limits.ts";

/** Something read, and when its read began. */
export interface Shared<Value> {
  value: Value;
  beganMs: number;
  /** Of all reads of this instance, which one it was; see {@link SharedReads.mark}. */
  began: number;
}

export interface SharedReads<Value> {
  /**
   * What a key stands for: from memory, from the read of it that is under way, or else by `read`. A read that fails is
   * not kept, and rejects for all who wait for it.
   */
  get(key: string, read: () => Promise<Value>): Promise<Shared<Value>>;
  /** Reads without sharing. */
  alone(read: () => Promise<Value>): Promise<Shared<Value>>;
  /** Where the reads stand: those that begin after this have a higher `began`. */
  mark(): number;
  /** Keeps what the caller knows to be true now. A read under way is not kept any more. */
  keep(key: string, value: Value): void;
  /** What is in memory of a key, however old it is. */
  peek(key: string): Shared<Value> | undefined;
  /** Forgets all keys of which something holds. A read under way is answered with and not kept. */
  forget(isMeant: (key: string) => boolean): void;
}

interface Parts<Value> {
  now: () => number;
  /** Keys in memory; those used longest ago go first. */
  max: number;
  /** The greatest age at which a value is answered with; 0 to share reads under way and keep nothing. */
  keepMs: number;
  /** From which age on a value is read again while it is answered with; by default not before `keepMs`. */
  renewMs?: number;
  /** A bound for the sum of the sizes of what is kept, in a unit of the caller's; what is larger by itself is not kept. */
  sizes?: { max: number; of: (value: Value) => number };
}

export function createSharedReads<Value>(parts: Parts<Value>): SharedReads<Value> {
  const { now, max, keepMs, renewMs = keepMs, sizes } = parts;
  let begun = 0;
  /** Keys that are being read: the library does not list them. */
  const underWay = new Set<string>();
  const cache = new LRUCache<string, Shared<Value>, () => Promise<Value>>({
    max,
    ...boundsOf(sizes),
    // Who waits for a read is answered by it, also if it was forgotten or replaced meanwhile.
    ignoreFetchAbort: true,
    // What was there before a failed renewal is of use until it is too old.
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
  /** A read that all of a crowd wait for is as good as one of their own, unless it hung. */
  const ageMsMax = keepMs === 0 ? sharedReadMsMax : keepMs;

  async function alone(read: () => Promise<Value>): Promise<Shared<Value>> {
    const began = (begun += 1);
    const beganMs = now();
    return { began, beganMs, value: await read() };
  }

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
    mark: () => begun,
    keep(key, value) {
      cache.set(key, { value, beganMs: now(), began: (begun += 1) });
    },
    peek: (key) => cache.peek(key, { allowStale: true }),
    forget(isMeant) {
      for (const key of [...cache.keys(), ...underWay]) if (isMeant(key)) cache.delete(key);
    },
  };
}

function boundsOf<Value>(sizes: Parts<Value>["sizes"]) {
  if (sizes === undefined) return {};
  return { maxSize: sizes.max, sizeCalculation: ({ value }: Shared<Value>) => sizes.of(value) };
}
