import fc from "fast-check";
import { expect, test } from "vitest";
import type { Group } from "../documents/group.ts";
import type { League } from "../model/league.ts";
import { lastNumbers, planSeats } from "./plan-seats.ts";

const league: League = {
  span: "weekly",
  size: 7,
  min_size: 3,
  tiers: ["bronze", "silver", "gold"].map((id) => ({ id, name: id, promote: 1, demote: 1 })),
};

/** What a plan leaves: the newest group of each tier. */
function after(
  newest: Map<string, { id: string; group: Pick<Group, "seated" | "readers" | "league"> }>,
  steps: number[],
) {
  const plan = planSeats(
    league,
    steps.map((step, i) => ({ player: `p${i}`, step })),
    newest,
  );
  for (const { id, found, league: rules, given } of plan) {
    const readers = [...(found?.readers ?? []), ...given.map(({ player }) => player)];
    newest.set(rules.tier, {
      id,
      group: { seated: (found?.seated ?? 0) + given.length, readers, league: rules },
    });
  }
  return plan;
}

test("a tier has as many groups as its players fill, however they come, and none is above its size", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 20 }), { maxLength: 8 }),
      (waves) => {
        const newest: Parameters<typeof after>[0] = new Map();
        const seats = new Map<string, Set<string>>();
        for (const wave of waves)
          for (const { id, given } of after(newest, wave))
            for (const { seat } of given) {
              const taken = seats.get(id) ?? new Set();
              expect(taken.has(seat)).toBe(false);
              seats.set(id, taken.add(seat));
            }
        for (const [step, { id: tier }] of league.tiers.entries()) {
          const players = waves.flat().filter((one) => one === step).length;
          const groups = [...seats].filter(([id]) => id.startsWith(`${tier}-`)).map(([, { size }]) => size);
          expect(groups).toHaveLength(Math.ceil(players / league.size));
          expect(groups.reduce((sum, size) => sum + size, 0)).toBe(players);
          expect(Math.max(0, ...groups)).toBeLessThanOrEqual(league.size);
        }
      },
    ),
  );
});

test("13 a group keeps the size that it began with, and a new one has the present", () => {
  const rules = { tier: "bronze", ladder: ["bronze"], size: 5, min_size: 3, promote: 1, demote: 0 };
  const newest = new Map([["bronze", { id: "bronze-4", group: { seated: 4, readers: [], league: rules } }]]);
  const plan = after(
    newest,
    Array.from({ length: 10 }, () => 0),
  );
  expect(plan.map(({ id, given, league: { size } }) => [id, given.length, size])).toEqual([
    ["bronze-4", 1, 5],
    ["bronze-5", 7, 7],
    ["bronze-6", 2, 7],
  ]);
});

test("a tier whose newest group is not known begins a group of a number that no group has", () => {
  const last = lastNumbers(["bronze-1", "bronze-10", "bronze-9", "gold-x", "odd", "silver-2"]);
  expect([...last]).toEqual([
    ["bronze", 10],
    ["silver", 2],
  ]);
  const waiting = ["a", "b", "c"].map((player, step) => ({ player, step }));
  expect(planSeats(league, waiting, new Map(), last).map(({ id }) => id)).toEqual([
    "bronze-11",
    "silver-3",
    "gold-1",
  ]);
});
