/**
 * A counter that gets exact counts by binary search in a sorted array, with its own clock: it shows the queries of a
 * counted ranking of ten million players, what Firestore would bill for them, and how long they would take.
 *
 * The time is a model, not a measurement: 50 ms for a count and 20 µs for each entry counted; 50 ms for any other query
 * and 0.1 ms for each document. Firestore promises neither; both are on the slow side of what a function in the
 * database's region sees.
 */
import { setImmediate as idle } from "node:timers/promises";
import { nextKey } from "../../functions/src/model/keys.ts";
import { samplePlayersPerQuery, sampleQueries } from "../../functions/src/model/limits.ts";
import { scoreOfKey, sortKey, type Order } from "../../functions/src/model/score.ts";
import type { Counter } from "../../functions/src/ranking/ask-counts.ts";
import { randomOf } from "../generators/random.ts";

const requestMs = 50;
const entryMs = 0.02;
const documentMs = 0.1;

/** The queries so far. */
export interface Asked {
  counts: number;
  reads: number;
  /** How often all queries were answered before new ones came. */
  rounds: number;
  /** The entries of the largest count. */
  largestCount: number;
  /** The most concurrent queries. */
  atOnceMax: number;
  /** By the model above. */
  ms: number;
}

/** A counter of scores that are sorted, best first. */
export type Twin = Counter & { asked: Asked };

/** The sort keys of scores, best first. */
export function sortedKeys(order: Order, scores: Float64Array): Float64Array {
  return scores.map((score) => sortKey(order, score)).sort();
}

/**
 * A counter of players. It is one function, as all answers wait on one clock and are counted in `asked`.
 * @param keys sorted.
 * @param ids whether ids are independent of the scores, or players with neighbouring ids have neighbouring scores,
 * which makes samples poor.
 */
export function createTwin(order: Order, keys: Float64Array, ids: "random" | "sorted" = "random"): Twin {
  const random = randomOf(1);
  const asked: Asked = { counts: 0, reads: 0, rounds: 0, largestCount: 0, atOnceMax: 0, ms: 0 };
  const pending: { dueMs: number; answer: () => void }[] = [];
  let isTurning = false;
  let questions = 0;

  /** Answers the pending queries in order of their time, each batch once no new ones come. */
  async function turn(): Promise<void> {
    isTurning = true;
    // An answer may lead to a new query.
    await idle();
    while (pending.length > 0) {
      asked.atOnceMax = Math.max(asked.atOnceMax, pending.length);
      const next = pending.reduce((a, b) => (b.dueMs < a.dueMs ? b : a));
      asked.ms = next.dueMs;
      for (let i = pending.length - 1; i >= 0; i--) {
        const question = pending[i];
        if (question !== undefined && question.dueMs <= asked.ms) {
          pending.splice(i, 1);
          question.answer();
        }
      }
      if (pending.length === 0) asked.rounds += 1;
      await idle();
    }
    isTurning = false;
  }

  function after<Result>(ms: number, result: Result): Promise<Result> {
    return new Promise((resolve) => {
      pending.push({
        // Never two at the same time, so that rounds are counted correctly.
        dueMs: asked.ms + ms + (questions += 1) * 1e-7,
        answer: () => {
          resolve(result);
        },
      });
      if (!isTurning) void turn();
    });
  }

  const place = (score: number) => firstNotBefore(keys, sortKey(order, score));

  return {
    asked,
    count(from, until) {
      const count = place(until) - place(from);
      asked.counts += 1;
      asked.reads += Math.max(1, Math.ceil(count / 1_000));
      asked.largestCount = Math.max(asked.largestCount, count);
      return after(requestMs + entryMs * count, count);
    },
    firstScore(from, until) {
      const at = place(from);
      asked.reads += 2;
      const found = at < place(until) ? scoreOfKey(order, keys[at] ?? NaN) : undefined;
      return after(requestMs, found);
    },
    worstScore() {
      asked.reads += 2;
      const last = keys.at(-1);
      return after(requestMs, last === undefined ? undefined : scoreOfKey(order, last));
    },
    // The equals are assumed to have come evenly over a million seconds.
    timesOf() {
      asked.reads += 4;
      return after(requestMs, { firstMs: 0, lastMs: 1e9 });
    },
    countEqual(score, fromMs = 0, untilMs = 1e9) {
      const from = place(score);
      const all = firstNotBefore(keys, nextKey(sortKey(order, score))) - from;
      const count = Math.round((all * untilMs) / 1e9) - Math.round((all * fromMs) / 1e9);
      asked.counts += 1;
      asked.reads += Math.max(1, Math.ceil(count / 1_000));
      asked.largestCount = Math.max(asked.largestCount, count);
      return after(requestMs + entryMs * count, count);
    },
    async sample() {
      const pieces = Array.from({ length: sampleQueries }, () => {
        const start = random() * keys.length;
        const found = Array.from({ length: samplePlayersPerQuery }, (_, i) => {
          const at = ids === "sorted" ? start + i : random() * keys.length;
          return scoreOfKey(order, keys[Math.min(keys.length - 1, Math.floor(at))] ?? NaN);
        });
        asked.reads += found.length;
        return after(requestMs + documentMs * found.length, found);
      });
      return (await Promise.all(pieces)).flat();
    },
  };
}

/** The index of the first key that is not less than `key`. */
export function firstNotBefore(keys: Float64Array, key: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? NaN) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
