/** How uncertain a ranking is, by its own bounds and against a full sort. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { firstWhere } from "../../functions/src/model/search.ts";
import { createFold } from "../../functions/src/ranking/fold.ts";
import { packPages } from "../../functions/src/ranking/pack-pages.ts";
import { noRows, type Rows } from "../../functions/src/ranking/rows.ts";
import { placeOf } from "../../functions/src/reading/lookup.ts";

/** A row for each different score of a descending board. */
export function rowsOf(scores: Iterable<number>): Rows {
  const fold = createFold("descending", noRows);
  for (const score of scores) fold.add(score, 1);
  return fold.finish();
}

export interface Bounds {
  rows: number;
  players: number;
  /** The largest ratio of a row's players to the players above it: the relative bound of a rank's error. */
  worst: number;
  /** Ranks 1 to this one are exact. */
  exactHead: number;
}

/** The bounds according to the rows. */
export function boundsOf({ scores, lows, players }: Rows): Bounds {
  let above = 0;
  let [worst, exactHead] = [0, Infinity];
  players.forEach((count, row) => {
    if (scores[row] !== lows[row]) {
      // The best score of a merged row is exact too.
      exactHead = Math.min(exactHead, above + 1);
      worst = Math.max(worst, count / above);
    }
    above += count;
  });
  return { rows: players.length, players: above, worst, exactHead: Math.min(exactHead, above) };
}

/** One stretch of ranks; shares of the rank, the largest in the stretch. */
export interface Stretch {
  rank: number;
  bound: number;
  error: number;
}

export interface Errors {
  /** The largest error of a rank as a share of it. */
  worst: number;
  /** Probes whose true rank was not between `rank_best` and `rank_worst`, or whose "exact" rank was wrong. */
  outside: number;
  stretches: Stretch[];
}

const noTime = Timestamp.fromMillis(0);
const generation = {
  generation: 1,
  unusable_scores: 0,
  as_of: noTime,
  read_at: noTime,
  next_publish_at: noTime,
};

/** Looks a score up in a descending ranking, as an answer does. */
export function lookupIn(rows: Rows): (score: number) => ReturnType<typeof placeOf> {
  const pages = packPages("descending", rows, generation);
  return (score) => {
    const page = pages.findLast(({ from_score: from }) => from >= score) ?? pages[0];
    if (page === undefined) throw new Error("a ranking has at least one page");
    return placeOf("descending", page, score);
  };
}

/**
 * Looks ranks up in the pages of a descending ranking and compares them with a full sort of the scores.
 * @param probesPerStretch ranks looked up in each of the stretches, of which there are eight to a power of ten.
 */
export function errorsOf(rows: Rows, scores: Float64Array, probesPerStretch: number): Errors {
  const lookUp = lookupIn(rows);
  const sorted = scores.slice().sort().reverse();
  const errors: Errors = { worst: 0, outside: 0, stretches: [] };
  for (let from = 1; from < sorted.length;) {
    const until = Math.min(sorted.length + 1, Math.max(from + 1, Math.round(from * 10 ** 0.125)));
    const stretch: Stretch = { rank: from, bound: 0, error: 0 };
    const stride = Math.max(1, Math.floor((until - from) / probesPerStretch));
    for (let index = from - 1; index < until - 1; index += stride) {
      const score = sorted[index] ?? NaN;
      const rank = 1 + firstWhere(sorted, (other) => other <= score);
      const place = lookUp(score);
      const wrong = place.exact ? place.rank !== rank : place.rank_best > rank || place.rank_worst < rank;
      if (wrong) errors.outside += 1;
      stretch.error = Math.max(stretch.error, Math.abs(place.rank - rank) / rank);
      stretch.bound = Math.max(stretch.bound, (place.rank_worst - place.rank_best) / rank);
    }
    errors.worst = Math.max(errors.worst, stretch.error);
    errors.stretches.push(stretch);
    from = until;
  }
  return errors;
}
