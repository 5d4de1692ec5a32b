/** An endless stream of new scores on a board, for models that need no identities beyond it. */
import type { Shape } from "../generators/shapes.ts";
import { scoreMax } from "../systems/system.ts";
import type { Change } from "./truth.ts";
import { idOf } from "./work.ts";

/** Draws changes: some player of a board gets a new score of the same shape, within 0 to {@link scoreMax}. */
export function changesOf(shape: Shape, players: number, random: () => number): () => Change {
  const score = () => Math.max(0, Math.min(scoreMax, Math.round(shape.draw(random))));
  const scores = Float64Array.from({ length: players }, score);
  return () => {
    const index = Math.floor(random() * players);
    const before = scores[index] ?? NaN;
    const after = (scores[index] = score());
    return { player: idOf(index), before, after };
  };
}
