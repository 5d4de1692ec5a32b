/**
 * Sketches: short summaries of a stream of scores that answer about how many of them are above a score. Each is built
 * from the scores of all players, in an order that has nothing to do with them, into an object that Firestore stores.
 */
import { DDSketch } from "@datadog/sketches-js";
import { TDigest } from "tdigest";

export interface SketchKind<Stored extends object = object> {
  build(scores: Iterable<number>, random: () => number): Stored;
  /** Reads what is stored: the share of the stream above a score, from 0 to 1. */
  shareAbove(stored: Stored): (score: number) => number;
}

/** How often each score came, with an undercount of at most this share of the stream. */
const lossyError = 0.0001;

/** Manku and Motwani, "Approximate Frequency Counts over Data Streams" (2002). Takes time for each score. */
export const lossyCounting: SketchKind<{ scores: number[]; counts: number[]; total: number }> = {
  build(scores) {
    const width = Math.ceil(1 / lossyError);
    const seen = new Map<number, { count: number; missed: number }>();
    let total = 0;
    for (const score of scores) {
      const entry = seen.get(score);
      if (entry === undefined) seen.set(score, { count: 1, missed: Math.floor(total / width) });
      else entry.count += 1;
      total += 1;
      if (total % width > 0) continue;
      // At the end of each window, what came too seldom is forgotten.
      for (const [rare, { count, missed }] of seen) if (count + missed <= total / width) seen.delete(rare);
    }
    const falling = [...seen].sort(([a], [b]) => b - a);
    return { scores: falling.map(([score]) => score), counts: falling.map(([, { count }]) => count), total };
  },
  shareAbove({ scores, counts, total }) {
    const sums = sumsBefore(counts);
    return (score) => (sums[indexWhere(scores, (other) => other <= score)] ?? NaN) / total;
  },
};

/** The quantiles that the frugal sketches follow: the middles of a hundred equal shares. */
export const frugalQuantiles = Array.from({ length: 100 }, (_, i) => (i + 0.5) / 100);

type Quantiles = SketchKind<{ quantiles: number[] }>;

/**
 * Frugal streaming with one number for each quantile, which moves by one: Ma, Muthukrishnan and Sandler, "Frugal
 * Streaming for Estimating Quantiles" (2013). It begins at the first score. A score takes time for each quantile; one
 * random number decides for all of them.
 */
export const frugal1U: Quantiles = {
  build: (scores, random) =>
    followQuantiles(scores, random, (guess, score) => guess + Math.sign(score - guess)),
  shareAbove: shareAboveQuantiles,
};

/**
 * Frugal streaming with two numbers for each quantile: the second is its step, which grows while it keeps its way. Where
 * the scores stay as they are, it turns so often that it ends up with steps of one.
 */
export const frugal2U: Quantiles = {
  build(scores, random) {
    const steps = frugalQuantiles.map(() => 1);
    const ways = frugalQuantiles.map(() => 1);
    return followQuantiles(scores, random, (guess, score, i) => {
      const way = Math.sign(score - guess);
      let step = (steps[i] ?? 1) + (way === ways[i] ? 1 : -1);
      let moved = guess + way * (step > 0 ? Math.ceil(step) : 1);
      if ((moved - score) * way > 0) {
        step -= (moved - score) * way;
        moved = score;
      }
      // Having turned, it begins with small steps again.
      if (way !== ways[i] && step > 1) step = 1;
      steps[i] = step;
      ways[i] = way;
      return moved;
    });
  },
  shareAbove: shareAboveQuantiles,
};

function followQuantiles(
  scores: Iterable<number>,
  random: () => number,
  move: (guess: number, score: number, i: number) => number,
): { quantiles: number[] } {
  const quantiles: number[] = [];
  for (const score of scores) {
    if (quantiles.length === 0) quantiles.push(...frugalQuantiles.map(() => score));
    const drawn = random();
    for (let i = 0; i < quantiles.length; i++) {
      const guess = quantiles[i] ?? score;
      const quantile = frugalQuantiles[i] ?? 0;
      const moves = score > guess ? drawn > 1 - quantile : score < guess && drawn > quantile;
      if (moves) quantiles[i] = move(guess, score, i);
    }
  }
  return { quantiles };
}

/** A straight line between two quantiles. */
function shareAboveQuantiles({ quantiles }: { quantiles: number[] }): (score: number) => number {
  // Each is followed by itself, so that two may have changed places.
  const rising = quantiles.toSorted((a, b) => a - b);
  return (score) => {
    const above = indexWhere(rising, (other) => other > score);
    if (above === 0) return 1;
    if (above === rising.length) return 0;
    const [low = NaN, high = NaN] = [rising[above - 1], rising[above]];
    return 1 - (above - 0.5 + (score - low) / (high - low)) / rising.length;
  };
}

/** Share of the scores that a centroid may have, at most, and centroids from which on they are merged. */
const digestDelta = 0.01;
const centroidsMax = 25 / digestDelta;

/**
 * T. Dunning's t-digest with a compression of 0.01, as the package `tdigest` has it. To merge centroids, the package
 * shuffles them by Math.random; here the same is done by the seed, so that results repeat.
 */
export const tDigest: SketchKind<{ means: number[]; counts: number[] }> = {
  build(scores, random) {
    let digest = new TDigest(digestDelta, 0); // 0: it merges nothing on its own
    for (const score of scores) {
      digest.push(score);
      if (digest.size() > centroidsMax) digest = compressed(digest, random);
    }
    const centroids = compressed(digest, random).toArray();
    return { means: centroids.map(({ mean }) => mean), counts: centroids.map(({ n }) => n) };
  },
  shareAbove({ means, counts }) {
    const digest = new TDigest(0, 0); // a compression of 0 merges nothing
    digest.push_centroid(means.map((mean, i) => ({ mean, n: counts[i] ?? 0 })));
    return (score) => 1 - digest.p_rank(score);
  },
};

/** The centroids of a digest, put into a new one in a random order. */
function compressed(digest: TDigest, random: () => number): TDigest {
  const keyed = digest.toArray().map((centroid) => ({ centroid, at: random() }));
  const smaller = new TDigest(digestDelta, 0);
  smaller.push_centroid(keyed.sort((a, b) => a.at - b.at).map(({ centroid }) => centroid));
  return smaller;
}

/** How far a score may be from the middle of its bin, as a share of the score. */
const relativeAccuracy = 0.01;

/**
 * Masson, Rim and Lee, "DDSketch" (2019), as Datadog's package has it: counts of bins that grow with the score. A score
 * is taken to be in the middle of its bin. The package can only add.
 */
export const ddSketch: SketchKind<{ bins: number[]; counts: number[]; zeros: number; total: number }> = {
  build(scores) {
    const sketch = new DDSketch({ relativeAccuracy });
    for (const score of scores) sketch.accept(score);
    const { store } = sketch;
    const filled = store.bins.flatMap((count, i) => (count > 0 ? [{ bin: i + store.offset, count }] : []));
    return {
      bins: filled.map(({ bin }) => bin),
      counts: filled.map(({ count }) => count),
      zeros: sketch.zeroCount,
      total: sketch.count,
    };
  },
  shareAbove({ bins, counts, zeros, total }) {
    const { mapping } = new DDSketch({ relativeAccuracy });
    const below = sumsBefore(counts);
    return (score) => {
      if (score <= 0) return (total - zeros / 2) / total;
      const bin = mapping.key(score);
      const at = indexWhere(bins, (other) => other >= bin);
      const equal = bins[at] === bin ? (counts[at] ?? 0) : 0;
      return (total - zeros - (below[at] ?? NaN) - equal / 2) / total;
    };
  },
};

/** The sums before each value, and of all. */
function sumsBefore(values: readonly number[]): number[] {
  const sums = [0];
  for (const value of values) sums.push((sums.at(-1) ?? 0) + value);
  return sums;
}

/** The first index where it holds, of a list where it holds for all that follow; else the length. */
function indexWhere(list: readonly number[], holds: (value: number) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle] ?? NaN)) high = middle;
    else low = middle + 1;
  }
  return low;
}
