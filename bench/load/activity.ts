/** How often players submit: a few very often, most of them seldom. */
import { randomLogNormal } from "d3-random";
import { drawnIndex } from "../generators/shapes.ts";

/** Draws the player of a submission, as a whole number. */
export type Activity = (random: () => number) => number;

/** Spread of the players' activity (the sigma of a lognormal). */
const sigma = 1.5;

/** Seconds between two submissions of one player, at least: a short game. */
export const secondsBetweenMin = 20;

/**
 * Activity of `players` who submit `perSecond` times together, none more than once in 20 s.
 * @throws if even that is not enough.
 */
export function lognormalActivity(players: number, perSecond: number, random: () => number): Activity {
  if (players / secondsBetweenMin < perSecond)
    throw new Error(
      `${players} players cannot submit ${perSecond} times a second, each at most once in 20 s`,
    );
  const draw = randomLogNormal.source(random)(0, sigma);
  const weights = Float64Array.from({ length: players }, draw);
  const scale = scaleTo(weights, perSecond);
  const cumulative = new Float64Array(players);
  let sum = 0;
  weights.forEach((weight, player) => {
    cumulative[player] = sum += Math.min(weight * scale, 1 / secondsBetweenMin);
  });
  return (random) => drawnIndex(cumulative, random() * sum);
}

/** By what to multiply the weights so that, capped, they come to `perSecond`. */
function scaleTo(weights: Float64Array, perSecond: number): number {
  const total = (scale: number) =>
    weights.reduce((sum, weight) => sum + Math.min(weight * scale, 1 / secondsBetweenMin), 0);
  let high = 1e-6;
  while (total(high) < perSecond * 0.9999) high *= 2;
  let low = high / 2;
  for (let i = 0; i < 12; i++) {
    const middle = (low + high) / 2;
    if (total(middle) < perSecond) low = middle;
    else high = middle;
  }
  return high;
}
