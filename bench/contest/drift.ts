/** What becomes of sketches that get each new score and cannot take the old one out, instead of being built again. */
import { randomOf } from "../generators/random.ts";
import { drawScores, type Shape } from "../generators/shapes.ts";
import type { System } from "../systems/system.ts";
import { errorOf } from "./errors.ts";

/** The largest rank error, as a share of the players. */
export interface Drift {
  id: string;
  players: number;
  /** Built again from all scores. */
  rebuilt: number;
  /** Fed each score that was submitted. */
  fed: number;
}

/** Every player comes with a score of the upper half and then gets one of the lower half, which the sketches hear of. */
export function driftOf(
  systems: readonly Pick<System, "id" | "estimate" | "drift">[],
  shape: Shape,
  players: number,
  seed: number,
): Drift[] {
  const random = randomOf(seed);
  const scores = drawScores(shape, 2 * players, seed).sort();
  const [now, before] = [scores.slice(0, players), scores.slice(players)];
  const stream = Float64Array.of(...shuffled(before, random), ...shuffled(now, random));
  return systems.flatMap(({ id, estimate, drift }) => {
    if (estimate === undefined || drift === undefined) return [];
    const [rebuilt, fed] = [estimate(now), drift(stream, players)].map((rank) => errorOf(rank, now).worst);
    return [{ id, players, rebuilt: rebuilt ?? NaN, fed: fed ?? NaN }];
  });
}

function shuffled(values: Float64Array, random: () => number): Float64Array {
  const keyed = Array.from(values, (value) => ({ value, at: random() }));
  return Float64Array.from(keyed.sort((a, b) => a.at - b.at).map(({ value }) => value));
}
