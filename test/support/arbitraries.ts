/** Generators that several tests share. */
import fc from "fast-check";
import { playerId } from "../../functions/src/model/ids.ts";
import type { Order } from "../../functions/src/model/score.ts";

/** Either order. */
export const anyOrder = fc.constantFrom<Order>("descending", "ascending");

const edges = [0, -0, 0.1, 0.2, 0.1 + 0.2, 5e-324, -5e-324, 2 ** 53 - 1, 1 - 2 ** 53, 2 ** 53 - 2];

/** Scores that often meet, and those at the edges: fractional, negative, zero of both signs, tiny, the largest. */
export const anyScore = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -20, max: 20 }) },
  { weight: 3, arbitrary: fc.integer({ min: -80, max: 80 }).map((quarters) => quarters / 4) },
  { weight: 2, arbitrary: fc.constantFrom(...edges) },
  { weight: 2, arbitrary: fc.double({ min: 1 - 2 ** 53, max: 2 ** 53 - 1, noNaN: true }) },
);

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Ids of all kinds that players may have: of documents that were imported from Datastore too. */
export const anyId = fc
  .oneof(
    fc.oneof(fc.integer({ min: -5, max: 5 }), int64).map((number) => `__id${number}__`),
    fc.string({ minLength: 1, maxLength: 6 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 4 }),
    fc.string({
      unit: fc.constantFrom("a", "b", "/", ".", "_", "0", " ", "~", "\ue000", "😀"),
      minLength: 1,
      maxLength: 5,
    }),
  )
  .filter((id) => playerId.safeParse(id).success);

/** Random numbers in [0, 1) that a seed repeats: mulberry32, for inputs too large to generate one by one. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
