/**
 * How wrong estimated ranks are, on boards of published shapes, against a full sort; as data for the report. Beside the
 * estimates are Firerank's own ranks, from rows that are merged where a board has more scores than rows.
 */
import { rowsMax } from "../../functions/src/model/limits.ts";
import { mergeRows } from "../../functions/src/ranking/merge.ts";
import { drawScores, type Shape, shapes } from "../generators/shapes.ts";
import { lookupIn, rowsOf } from "../rank-error/measure.ts";
import type { System } from "../systems/system.ts";
import { type Truth, truthOf } from "./truth.ts";

/** Differences between ranks and the right ones. */
export interface RankError {
  /** Mean over the players, as a share of all. */
  mean: number;
  /** The largest, as a share of all players. */
  worst: number;
  /** Of the first 100 players: the median of the difference as a share of the right rank. */
  head: number;
}

export interface SystemError extends RankError {
  id: string;
  shape: string;
  players: number;
}

/** Boards that somebody published, and one that is even. */
export const errorShapes: readonly Shape[] = [
  shapes.chess,
  shapes.codeforces,
  shapes.osu,
  shapes.guitarHero,
  shapes.uniform9999,
];

/** Players whose ranks are looked up, evenly over the board. */
const probesMax = 100_000;
const headSize = 100;
/** Buckets of equal depth take their ends from the run before. */
const runsUntilSettled = 4;

/** Errors of all systems that estimate, and of Firerank, on each of the boards. */
export function errorsOf(
  systems: readonly Pick<System, "id" | "estimates">[],
  { players, seed, boards = errorShapes }: { players: number; seed: number; boards?: readonly Shape[] },
): SystemError[] {
  const errors: SystemError[] = [];
  for (const shape of boards) {
    const rising = drawScores(shape, players, seed).sort();
    const truth = truthOf(rising);
    const note = (id: string, rank: (score: number) => number) => {
      errors.push({ id, shape: shape.title, players, ...errorOf(rank, truth) });
    };
    // As Firerank publishes them: exact rows, merged into as many as a generation may have.
    const place = lookupIn(mergeRows(rowsOf(rising), rowsMax));
    note("firerank", (score) => place(score).rank);
    for (const system of systems) {
      const rank = settled(system, truth);
      if (rank !== undefined) note(system.id, rank);
    }
  }
  return errors;
}

/** A system's estimate once several runs have found the same players. */
export function settled({ estimates }: Pick<System, "estimates">, truth: Truth) {
  const estimateAt = estimates?.();
  for (let run = 1; run < runsUntilSettled; run++) estimateAt?.(truth);
  return estimateAt?.(truth);
}

/** Compares ranks with the right ones. */
export function errorOf(rank: (score: number) => number, truth: Truth): RankError {
  const { players } = truth;
  const difference = (index: number) => {
    const score = truth.scoreAt(index);
    const right = 1 + truth.above(score);
    return { places: Math.abs(rank(score) - right), right };
  };
  const stride = Math.max(1, Math.floor(players / probesMax));
  let [sum, worst, probes] = [0, 0, 0];
  for (let index = 0; index < players; index += stride) {
    const { places } = difference(index);
    sum += places;
    worst = Math.max(worst, places);
    probes += 1;
  }
  const head = Array.from({ length: Math.min(headSize, players) }, (_, index) => {
    const { places, right } = difference(index);
    worst = Math.max(worst, places);
    return places / right;
  }).sort((a, b) => a - b);
  return { mean: sum / probes / players, worst: worst / players, head: head[head.length >> 1] ?? 0 };
}
