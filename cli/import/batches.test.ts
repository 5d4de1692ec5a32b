import fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "../../test/support/arbitraries.ts";
import { type Batch, batchesOf, type NumberedRecord } from "./batches.ts";

async function* recordsOf(players: readonly number[]): AsyncGenerator<NumberedRecord> {
  yield* players.map((player, index) => ({ index, record: { player: `p${player}`, score: index } }));
}

test("however batches overlap, each player's last line wins, and no two batches hold a player at once", async () => {
  const players = fc.array(fc.nat({ max: 9 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(players, fc.integer({ min: 1, max: 5 }), fc.integer(), async (list, size, seed) => {
      const random = seededRandom(seed);
      const batches = batchesOf(recordsOf(list), size);
      const written = new Map<string, number>();
      const held = new Set<string>();
      const ends: number[] = [];
      const write = async (batch: Batch) => {
        for (const player of batch.records.keys()) expect(held.has(player)).toBe(false);
        for (const player of batch.records.keys()) held.add(player);
        for (let turns = Math.floor(random() * 20); turns > 0; turns--) await Promise.resolve();
        for (const [player, { index }] of batch.records) written.set(player, index);
        for (const player of batch.records.keys()) held.delete(player);
        batch.end();
      };
      const lane = async () => {
        for (;;) {
          const { value: batch } = await batches.next();
          if (batch === undefined) return;
          ends.push(batch.upTo);
          expect(batch.records.size).toBeLessThanOrEqual(size);
          await write(batch);
        }
      };
      await Promise.all([lane(), lane(), lane()]);
      expect(Object.fromEntries(written)).toEqual(
        Object.fromEntries(list.map((player, index) => [`p${player}`, index])),
      );
      expect(ends.at(-1) ?? 0).toBe(list.length);
    }),
  );
});

test("a player who comes twice within a batch is written once", async () => {
  const batches = batchesOf(recordsOf([1, 2, 1, 3]), 3);
  const { value } = await batches.next();
  expect([...(value?.records ?? [])].map(([player, { index }]) => [player, index])).toEqual([
    ["p1", 2],
    ["p2", 1],
    ["p3", 3],
  ]);
  expect(value?.upTo).toBe(4);
});
