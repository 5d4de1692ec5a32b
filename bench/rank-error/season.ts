/** A long season: rounds of score changes, each folded into the rows of the one before and merged as a run does it. */
import { createFold } from "../../functions/src/ranking/fold.ts";
import { mergeRows } from "../../functions/src/ranking/merge.ts";
import { dropEmptyRows, noRows, type Rows } from "../../functions/src/ranking/rows.ts";
import { randomOf } from "../generators/random.ts";
import type { Shape } from "../generators/shapes.ts";
import { splitWideRows } from "./split.ts";

/** How scores change, round by round. */
export const courses = {
  /** A player's score is replaced by a new one. */
  latest: (old: number, fresh: number) => fresh,
  /** Only better ones count. */
  best: (old: number, fresh: number) => Math.max(old, fresh),
  /** New scores get worse each round: the leaders fall, and the former middle becomes the head. */
  decline: (old: number, fresh: number, round: number) => fresh * 0.97 ** round,
} satisfies Record<string, (old: number, fresh: number, round: number) => number>;

export interface Season {
  shape: Shape;
  players: number;
  course: keyof typeof courses;
  /** Players at the start, as a share; the others come evenly over the rounds. */
  startShare?: number;
  rounds: number;
  /** Players who change in a round, as a share of those there are. */
  changedShare: number;
  rowsMax: number;
  seed: number;
  /** Reads rows again that are wider than this share of the players above; see split.ts. */
  splitBound?: number;
}

/** The ranking after a round, and the scores that a full sort would rank. */
export interface Round {
  round: number;
  rows: Rows;
  scores: Float64Array;
  reads: number;
}

/** Plays a season on a descending board; round 0 is the first merge. Rows and scores are valid until the next round. */
export function* playSeason(season: Season): Generator<Round> {
  const { shape, players, course, startShare = 1, rounds, changedShare, rowsMax, seed, splitBound } = season;
  const random = randomOf(seed);
  const all = new Float64Array(players);
  let rows: Rows = noRows;
  let present = 0;
  for (let round = 0; round <= rounds; round++) {
    const fold = createFold("descending", rows);
    const changes = round === 0 ? 0 : Math.round(changedShare * present);
    for (let change = 0; change < changes; change++) {
      const player = Math.floor(random() * present);
      const old = all[player] ?? NaN;
      const next = courses[course](old, shape.draw(random), round);
      if (next === old) continue;
      fold.add(old, -1);
      fold.add(next, 1);
      all[player] = next;
    }
    const arrived = Math.round(players * (startShare + ((1 - startShare) * round) / Math.max(1, rounds)));
    for (; present < arrived; present++) {
      all[present] = courses[course](-Infinity, shape.draw(random), round);
      fold.add(all[present] ?? NaN, 1);
    }
    const scores = all.subarray(0, present);
    rows = mergeRows(dropEmptyRows(fold.finish()), rowsMax);
    let reads = 0;
    if (splitBound !== undefined) ({ rows, reads } = splitWideRows(rows, scores, splitBound, rowsMax));
    yield { round, rows, scores, reads };
  }
}
