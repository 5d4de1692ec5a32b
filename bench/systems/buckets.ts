/**
 * Buckets with a global query: a periodic job counts the players of each bucket of scores and stores all buckets in one
 * document. A rank is looked up there, with a straight line within the bucket. From the appendix of Google's "Fast and
 * Reliable Ranking in Datastore".
 *
 * Example: 42 players are in [50, 74], the best of them 5th. Of the bucket's 24 points, a score of 60 is 14 below its
 * upper end: 5 + 14 × 42 / 24 = 29.5, rank 30.
 *
 * The source's job read every player; `count()`, which came later, is billed a read for each 1,000 of them.
 */
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { bill } from "../contest/bill.ts";
import type { Truth } from "../contest/truth.ts";
import { billPlayers, openPlayers, playersOf } from "./players.ts";
import type { System } from "./system.ts";

/** Players with scores from `low` to `high`, both included. */
export interface Bucket {
  low: number;
  high: number;
  count: number;
  /** Rank of the best player in it: one more than the players in higher buckets. */
  upper_rank: number;
}

const size = 100;

export const evenBuckets = bucketSystem("width");
/** Their ends follow the players: each run takes them from the counts of the last. */
export const deepBuckets = bucketSystem("depth");

/**
 * A run costs 2 reads for the lowest and the highest score, a read for each 1,000 players of a bucket, at least one, and
 * a write; with `depth`, also a read of the last run's buckets. A rank costs 2 reads.
 */
function bucketSystem(shape: "width" | "depth"): System {
  const isDeep = shape === "depth";
  /** The buckets after each run. */
  const runs = () => {
    let last: Bucket[] = [];
    return (truth: Truth) => {
      const buckets = countedBy(truth, last);
      if (isDeep) last = buckets;
      return buckets;
    };
  };
  return {
    id: isDeep ? `buckets-depth-${size}` : `buckets-${size}`,
    name: `${size} buckets of equal ${shape}`,
    layout: `Players; a document with ${size} buckets of scores, each with its players and the rank of its best.`,
    source: "appendix of Google's “Fast and Reliable Ranking in Datastore” (2013)",
    rank: "estimate",
    updatesPerSecondMax: Infinity,
    open({ db, meter }) {
      const document = db.doc("ranking/buckets");
      const read = async () => (await document.get()).get("buckets") as Bucket[] | undefined;
      return openPlayers(db, {
        async rank(score) {
          const buckets = await read();
          return buckets === undefined ? null : rankIn(buckets, score);
        },
        async run() {
          meter.invoked();
          const last = isDeep ? ((await read()) ?? []) : [];
          await document.set({ buckets: await countBuckets(db, last) });
        },
      });
    },
    bills() {
      const bucketsAfter = runs();
      return billPlayers({
        rank: () => bill({ reads: 2 }),
        run(truth) {
          const counted = bucketsAfter(truth).reduce(
            (sum, { count }) => sum + Math.max(1, Math.ceil(count / 1_000)),
            0,
          );
          return bill({ reads: (isDeep ? 3 : 2) + counted, writes: 1, invocations: 1 });
        },
      });
    },
    estimates() {
      const bucketsAfter = runs();
      return (truth) => {
        const buckets = bucketsAfter(truth);
        return (score) => rankIn(buckets, score);
      };
    },
  };
}

/** The rank of a score, at least 1. Buckets rise; a score above them is first, one below them last. */
export function rankIn(buckets: readonly Bucket[], score: number): number {
  const bucket = buckets.findLast(({ low }) => low <= score);
  if (bucket === undefined) {
    const [lowest] = buckets;
    return lowest === undefined ? 1 : lowest.upper_rank + lowest.count;
  }
  const { low, high, count, upper_rank } = bucket;
  // The source divides by the distance of the ends, so that the lowest score comes after all players of its bucket.
  const within = high === low ? 0 : (Math.max(0, high - score) * count) / (high - low);
  return Math.round(upper_rank + within);
}

/** The lower ends of buckets of the same width. */
export function evenWidths(lowest: number, highest: number, buckets: number): number[] {
  const scores = highest - lowest + 1;
  const lows = Array.from({ length: buckets }, (_, i) => lowest + Math.floor((i * scores) / buckets));
  return [...new Set(lows)];
}

/**
 * The lower ends of buckets that would hold the same number of players, if they lay evenly within the last buckets. After
 * a few runs, they nearly do. Without last buckets, the ends are those of {@link evenWidths}.
 */
export function evenDepths(lowest: number, highest: number, size: number, last: readonly Bucket[]): number[] {
  const [first] = last;
  if (first === undefined) return evenWidths(lowest, highest, size);
  const players = first.upper_rank - 1 + first.count;
  const lows: number[] = [];
  let below = 0;
  for (const { low, high, count } of last) {
    for (let at = lows.length + 1; at < size && (at * players) / size < below + count; at++)
      lows.push(Math.round(low + (((at * players) / size - below) / count) * (high + 1 - low)));
    below += count;
  }
  return [...new Set([lowest, ...lows.filter((low) => low > lowest && low <= highest)])];
}

/**
 * Buckets with these lower ends.
 * @param counts the players of each.
 */
export function bucketsOf(lows: readonly number[], highest: number, counts: readonly number[]): Bucket[] {
  let above = 0;
  return lows
    .map((low, i) => ({ low, high: (lows[i + 1] ?? highest + 1) - 1, count: counts[i] ?? NaN }))
    .toReversed()
    .map((bucket) => {
      const upper_rank = above + 1;
      above += bucket.count;
      return { ...bucket, upper_rank };
    })
    .reverse();
}

async function countBuckets(db: Firestore, last: readonly Bucket[]): Promise<Bucket[]> {
  const players = playersOf(db);
  const endOf = async (direction: "asc" | "desc") =>
    (await players.orderBy("score", direction).limit(1).get()).docs[0]?.get("score") as number | undefined;
  const [lowest, highest] = await Promise.all([endOf("asc"), endOf("desc")]);
  if (lowest === undefined || highest === undefined) return [];
  const lows = evenDepths(lowest, highest, size, last);
  const counts = lows.map(async (low, i) => {
    const from = players.where("score", ">=", low);
    const next = lows[i + 1];
    const query = next === undefined ? from : from.where("score", "<", next);
    return (await query.count().get()).data().count;
  });
  return bucketsOf(lows, highest, await Promise.all(counts));
}

function countedBy(truth: Truth, last: readonly Bucket[]): Bucket[] {
  if (truth.players === 0) return [];
  const [lowest, highest] = [Math.floor(truth.scoreAt(truth.players - 1)), Math.ceil(truth.scoreAt(0))];
  const lows = evenDepths(lowest, highest, size, last);
  const from = (low: number | undefined) => (low === undefined ? 0 : truth.above(low) + truth.equals(low));
  return bucketsOf(
    lows,
    highest,
    lows.map((low, i) => from(low) - from(lows[i + 1])),
  );
}
