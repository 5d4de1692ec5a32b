import fc from "fast-check";
import { expect, test } from "vitest";
import { createPlayerOrder, idsFalling, newerFirst, olderFirst, type Ties } from "./player-order.ts";

test("after any changes, players are in the order of their scores, and equals in that of the ties", () => {
  const change = fc.record({ player: fc.integer({ min: 0, max: 9 }).map(String), after: fc.nat(4) });
  const ties = fc.constantFrom<Ties>(olderFirst, newerFirst, idsFalling);
  fc.assert(
    fc.property(fc.array(change), ties, (changes, compare) => {
      const order = createPlayerOrder(compare);
      const players = new Map<string, { player: string; score: number; change: number }>();
      for (const { player, after } of changes) {
        order.set({ player, before: players.get(player)?.score ?? null, after });
        const placed = order.placeOf(player);
        expect(placed).toMatchObject({ player, score: after });
        if (placed !== undefined) players.set(player, placed);
      }
      const sorted = [...players.values()].sort((a, b) => b.score - a.score || compare(a, b));
      expect(order.size).toBe(sorted.length);
      for (const [i, place] of sorted.entries()) {
        expect(order.before(place)).toBe(i);
        expect(order.above(place.score)).toBe(sorted.filter(({ score }) => score > place.score).length);
      }
    }),
  );
});

test("a new score makes a player the newest; the same score again does not", () => {
  const order = createPlayerOrder(newerFirst);
  for (const player of ["ann", "ben", "ann"]) order.set({ player, before: null, after: 7 });
  expect(order.placeOf("ann")?.change).toBeLessThan(order.placeOf("ben")?.change ?? 0);
});
