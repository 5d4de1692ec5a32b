/** Each system under doubled, reordered and lost events: what its way to count promises, and no more. */
import { expect, test } from "vitest";
import { canBeWrong, type Faults, playFaults } from "../contest/faults.ts";
import type { FaultShares } from "../contest/postman.ts";
import { firerankDirect } from "../systems/firerank.ts";
import { systems } from "../systems/index.ts";
import type { System } from "../systems/system.ts";

const play = (system: System, shares: Partial<FaultShares>): Promise<Faults> =>
  playFaults(system, {
    players: 12,
    updates: 40,
    seed: 1,
    shares: { doubled: 0, reordered: 0, lost: 0, ...shares },
  });

const right = expect.objectContaining({ ranks: 0, placesMax: 0 }) as unknown;

for (const system of systems.filter(canBeWrong)) {
  const missing = system.available?.();
  test.skipIf(missing !== undefined)(`${system.id} is right if nothing goes wrong`, async () => {
    const { atEnd, afterChanges, failed } = await play(system, {});
    expect({ atEnd, afterChanges, failed }).toEqual({ atEnd: right, afterChanges: right, failed: 0 });
  });
}

test("Firerank is right though events of direct writes come twice and in any order", async () => {
  const { atEnd, done, failed } = await play(firerankDirect, { doubled: 0.2, reordered: 0.4 });
  expect(Math.min(done.doubled, done.reordered)).toBeGreaterThan(5);
  expect({ atEnd, failed }).toEqual({ atEnd: right, failed: 0 });
});

test("a lost event of a direct write leaves Firerank's ranks wrong until the player's next score, or a repair", async () => {
  const { atEnd, done, afterChanges, afterMending } = await play(firerankDirect, { lost: 0.4 });
  expect(done.lost).toBeGreaterThan(5);
  expect(atEnd.ranks).toBeGreaterThan(0);
  expect({ afterChanges, afterMending }).toEqual({ afterChanges: right, afterMending: right });
});
