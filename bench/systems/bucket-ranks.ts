/**
 * Ranks from a few counts: buckets of scores, each with its players and the rank of its best one, and a straight line
 * between its ends. From the appendix of Google's "Fast and Reliable Ranking in Datastore".
 *
 * Example: 42 players are in [50, 74], the best of them 5th. Of the bucket's 24 points, a score of 60 is 14 below its
 * upper end: 5 + 14 × 42 / 24 = 29.5, rank 30.
 */

/** Players with scores from `low` to `high`, both included. */
export interface Bucket {
  low: number;
  high: number;
  count: number;
  /** Rank of the best player in it: one more than the players in higher buckets. */
  upper_rank: number;
}

/** The rank of a score, at least 1. Buckets rise; a score above them is first, one below them last. */
export function rankIn(buckets: readonly Bucket[], score: number): number {
  const bucket = buckets.findLast(({ low }) => low <= score);
  if (bucket !== undefined) return asPrinted(bucket, score);
  const lowest = buckets[0];
  return lowest === undefined ? 1 : lowest.upper_rank + lowest.count;
}

/** The source's worked example. */
export function asPrinted(bucket: Bucket, score: number): number {
  return Math.round(bucket.upper_rank + rankInBucket(bucket, score));
}

/** The source's other formula, `RankInBucket + upper_rank - 1`: one less, so that the best player of all would be 0th. */
export function oneLess(bucket: Bucket, score: number): number {
  return Math.round(rankInBucket(bucket, score) + bucket.upper_rank - 1);
}

function rankInBucket({ low, high, count }: Bucket, score: number): number {
  return high === low ? 0 : (Math.max(0, Math.min(high - low, high - score)) * count) / (high - low);
}

/** The lower ends of buckets of the same width. */
export function evenWidths(lowest: number, highest: number, buckets: number): number[] {
  const scores = highest - lowest + 1;
  return distinct(Array.from({ length: buckets }, (_, i) => lowest + Math.floor((i * scores) / buckets)));
}

/**
 * The lower ends of buckets that would hold the same number of players, if they lay evenly within the buckets there
 * are. After a few rounds of counting and this, they nearly do.
 */
export function evenDepths(last: readonly Bucket[], lowest: number, highest: number, size: number): number[] {
  const players = last.reduce((sum, { count }) => sum + count, 0);
  if (players === 0) return evenWidths(lowest, highest, size);
  const lows = [lowest];
  let below = 0;
  for (const { low, high, count } of last) {
    for (let at = lows.length; at < size && (at * players) / size < below + count; at++) {
      const share = ((at * players) / size - below) / count;
      lows.push(Math.round(low + share * (high + 1 - low)));
    }
    below += count;
  }
  return distinct(lows).filter((low) => low >= lowest && low <= highest);
}

/**
 * Buckets with these lower ends.
 * @param counts the players of each.
 */
export function bucketsOf(lows: readonly number[], highest: number, counts: readonly number[]): Bucket[] {
  const buckets: Bucket[] = [];
  let above = 0;
  for (let i = lows.length - 1; i >= 0; i--) {
    const [low = NaN, count = NaN] = [lows[i], counts[i]];
    const high = (lows[i + 1] ?? highest + 1) - 1;
    buckets.unshift({ low, high, count, upper_rank: above + 1 });
    above += count;
  }
  return buckets;
}

function distinct(rising: number[]): number[] {
  return [...new Set(rising)].sort((a, b) => a - b);
}
