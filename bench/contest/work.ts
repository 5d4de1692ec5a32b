/** The seeded work that every system gets. */
import { randomOf } from "../generators/random.ts";
import type { Shape } from "../generators/shapes.ts";
import { scoreMax, type Submission } from "../systems/system.ts";

export interface Work {
  title: string;
  /** A first score for each player. */
  arrivals: Submission[];
  /** New scores: mostly of players who are there, 5 % of new ones, and 2 % that repeat the last submission. */
  updates: Submission[];
}

const newShare = 0.05;
const sameShare = 0.02;

/** Scores are drawn from the shape, rounded, and kept within 0 to {@link scoreMax}. */
export function drawWork(shape: Shape, players: number, updates: number, seed: number): Work {
  const random = randomOf(seed);
  const score = () => Math.max(0, Math.min(scoreMax, Math.round(shape.draw(random))));
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

/** An id of a player. They are of one length and do not follow the scores. */
export function idOf(index: number): string {
  return `player-${((index * 7_919) % 1_000_003).toString(36).padStart(4, "0")}`;
}
