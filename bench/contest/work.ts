/** The seeded work that every system gets, and scores that models draw. */
import { randomOf } from "../generators/random.ts";
import type { Shape } from "../generators/shapes.ts";
import { scoreMax, type Submission } from "../systems/system.ts";
import type { Change } from "./truth.ts";

export interface Work {
  title: string;
  /** A first score for each player. */
  arrivals: Submission[];
  /** New scores: mostly of players who are there, 5 % of new ones, and 2 % that repeat the last submission. */
  updates: Submission[];
}

const newShare = 0.05;
const sameShare = 0.02;

export function drawWork(shape: Shape, players: number, updates: number, seed: number): Work {
  const random = randomOf(seed);
  const score = () => inRange(shape.draw(random));
  const arrivals = Array.from({ length: players }, (_, i) => ({ player: idOf(i), score: score() }));
  const list: Submission[] = [];
  let known = players;
  for (let i = 0; i < updates; i++) {
    const drawn = random();
    const last = list.at(-1);
    if (last !== undefined && drawn < sameShare) list.push(last);
    else if (drawn > 1 - newShare) list.push({ player: idOf(known++), score: score() });
    else list.push({ player: idOf(Math.floor(random() * known)), score: score() });
  }
  return { title: `${players} players, ${shape.title}`, arrivals, updates: list };
}

/** Draws changes without end: some player of a board gets a new score of the same shape. */
export function changesOf(shape: Shape, players: number, random: () => number): () => Change {
  const score = () => inRange(shape.draw(random));
  const scores = Float64Array.from({ length: players }, score);
  return () => {
    const index = Math.floor(random() * players);
    const before = scores[index] ?? NaN;
    const after = (scores[index] = score());
    return { player: idOf(index), before, after };
  };
}

/** A score as systems take it: whole, and within 0 to {@link scoreMax}. */
export function inRange(score: number): number {
  return Math.max(0, Math.min(scoreMax, Math.round(score)));
}

/** An id of a player. They are of one length and do not follow the scores. */
export function idOf(index: number): string {
  return `player-${((index * 7_919) % 1_000_003).toString(36).padStart(4, "0")}`;
}
