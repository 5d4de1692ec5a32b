import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { definitionOf } from "../../../test/support/definitions.ts";
import { type League, leagueSchema, tierToBeginIn } from "./league.ts";
import { moveOf, tierAfter, zoneOf, zonesOf } from "./league-zones.ts";

const rules = { size: 30, min_size: 5, promote: 5, demote: 5 };
const tier = (id: string, more: object = {}) => ({ id, name: id, ...more });

/** Rules that a definition may have. */
const anyRules = fc
  .record({
    size: fc.integer({ min: 5, max: 100 }),
    min_size: fc.integer({ min: 1, max: 100 }),
    promote: fc.integer({ min: 0, max: 100 }),
    demote: fc.integer({ min: 0, max: 100 }),
  })
  .filter(
    ({ size, min_size, promote, demote }) =>
      leagueSchema.safeParse({
        span: "weekly",
        size,
        min_size,
        tiers: [tier("a"), tier("b", { promote, demote }), tier("c")],
      }).success,
  );

test("7 in groups of 1 to size, zones never overlap, and from three members on somebody stays", () => {
  fc.assert(
    fc.property(anyRules, (some) => {
      for (let members = 1; members <= some.size; members++) {
        const zones = Array.from({ length: members }, (_, i) => zoneOf(some, i + 1, members));
        const { up, down } = zonesOf(some, members);
        expect(zones.filter((zone) => zone === "up")).toHaveLength(up);
        expect(zones.filter((zone) => zone === "down")).toHaveLength(down);
        if (members >= 3) expect(zones).toContain(undefined);
        expect(up).toBeLessThanOrEqual(Math.max(1, (some.promote * members) / some.size));
        expect(down).toBeLessThanOrEqual((some.demote * members) / some.size);
      }
    }),
    { numRuns: 30 },
  );
});

test("17 a thin group moves as large a share as a full one, at least one up from five on, and nobody below min_size", () => {
  const moving = [30, 29, 12, 6, 5, 4, 1].map((members) => zonesOf(rules, members));
  expect(moving).toEqual([
    { up: 5, down: 5 },
    { up: 4, down: 4 },
    { up: 2, down: 2 },
    { up: 1, down: 1 },
    { up: 1, down: 0 },
    { up: 0, down: 0 },
    { up: 0, down: 0 },
  ]);
  expect(zonesOf({ ...rules, promote: 0 }, 30).up).toBe(0);
});

test("places beyond those that count are in no zone", () => {
  expect([1, 5, 6, 25, 26, 30, 31].map((place) => zoneOf(rules, place, 30))).toEqual([
    "up",
    "up",
    undefined,
    undefined,
    "down",
    "down",
    undefined,
  ]);
});

test("19 leaving is no shield: who has left goes down by the place, and never up", () => {
  expect((["up", "down", undefined] as const).map((zone) => moveOf(zone, true))).toEqual([
    "stayed",
    "down",
    "stayed",
  ]);
  expect((["up", "down", undefined] as const).map((zone) => moveOf(zone, false))).toEqual([
    "up",
    "down",
    "stayed",
  ]);
});

describe("12 on the ladder", () => {
  const ladder = ["bronze", "silver", "gold"];
  const league: League = leagueSchema.parse({
    span: "weekly",
    size: 30,
    tiers: ladder.map((id) => tier(id)),
  });
  const stood = (id: string, step: number) => ({ tier: id, step, untilMs: 0 });

  test("nobody leaves its ends, and a tier that is not on it stays", () => {
    expect(tierAfter(ladder, "silver", "up")).toBe("gold");
    expect(tierAfter(ladder, "gold", "up")).toBe("gold");
    expect(tierAfter(ladder, "bronze", "down")).toBe("bronze");
    expect(tierAfter(ladder, "silver", "stayed")).toBe("silver");
  });

  test("newcomers begin in the lowest tier, others in their own, wherever it is now", () => {
    expect(tierToBeginIn(league, undefined, 0)).toBe(0);
    expect(tierToBeginIn(league, stood("gold", 2), 0)).toBe(2);
    const withWood = { ...league, tiers: [{ ...tier("wood"), promote: 1, demote: 0 }, ...league.tiers] };
    expect(tierToBeginIn(withWood, stood("gold", 2), 0)).toBe(3);
  });

  test("where a tier was taken away, its players are in the one at its height, or in the highest", () => {
    const without = (id: string) => ({ ...league, tiers: league.tiers.filter((one) => one.id !== id) });
    expect(tierToBeginIn(without("silver"), stood("silver", 1), 0)).toBe(1);
    expect(tierToBeginIn(without("gold"), stood("gold", 2), 0)).toBe(1);
  });
});

test("11 who was away for one week, two or fifty goes down as the league says, at the return", () => {
  const weekMs = 7 * 86_400_000;
  const tiers = ["a", "b", "c", "d"].map((id) => ({ id, name: id, promote: 0, demote: 0 }));
  const league: League = { span: "weekly", size: 30, min_size: 5, tiers };
  const after = (inactive: League["inactive"], weeks: number, aheadMs = 0) =>
    tierToBeginIn({ ...league, inactive }, { tier: "d", step: 3, untilMs: 0 }, weeks * weekMs + aheadMs);
  const demotes = { weeks: 2, then: "demote" as const };
  expect([0, 1, 2, 3, 4, 6, 50].map((weeks) => after(demotes, weeks))).toEqual([3, 3, 2, 2, 1, 0, 0]);
  expect([2, 50].map((weeks) => after({ ...demotes, floor: "b" }, weeks))).toEqual([2, 1]);
  expect([1, 50].map((weeks) => after({ weeks: 1, then: "keep" }, weeks))).toEqual([3, 3]);
  expect(after(undefined, 50)).toBe(3);
  // Clocks may have gone forward or back in between.
  expect([-3_600_000, 3_600_000].map((ms) => after(demotes, 2, ms))).toEqual([2, 2]);
  const low = tierToBeginIn(
    { ...league, inactive: { ...demotes, floor: "c" } },
    { tier: "b", step: 1, untilMs: 0 },
    50 * weekMs,
  );
  expect(low, "who is below the floor does not go up").toBe(1);
});

describe("a wrong definition says what would be right:", () => {
  const right = {
    span: "weekly" as const,
    size: 30,
    tiers: [tier("bronze", { promote: 5 }), tier("silver", { demote: 5 })],
  };
  const refusalOf = (wrong: object, board: object = {}) => {
    try {
      definitionOf({ spans: ["weekly"], league: { ...right, ...wrong }, ...board });
    } catch (error) {
      return (error as { issues: { path: (string | number)[]; message: string }[] }).issues
        .map(({ path, message }) => `${path.slice(1).join(".")}: ${message}`)
        .join("; ");
    }
    return "none";
  };

  test("the right one is taken", () => {
    expect(refusalOf({})).toBe("none");
  });

  test.each([
    [{ span: "daily" }, 'span: must be "weekly"'],
    [{ size: 4, min_size: 4, tiers: [tier("a")] }, "size: must be at least 5"],
    [{ size: 101 }, "size: must be at most 100"],
    [{ size: undefined }, "size: is missing"],
    [{ size: 7.5 }, "size: must be a whole number; this is 7.5"],
    [{ min_size: 0 }, "min_size: must be at least 1"],
    [{ min_size: 31 }, "min_size: must not be above size"],
    [{ tiers: [] }, "tiers: must name at least one tier"],
    [{ tiers: Array.from({ length: 21 }, (_, i) => tier(`t${i}`)) }, "tiers: must name at most 20 tiers"],
    [{ tiers: [tier("Bronze")] }, 'tiers.0.id: must be 1 to 64 of a-z, 0-9 and "_", beginning with a letter'],
    [{ tiers: [tier("a"), tier("a")] }, "tiers.1.id: must not be the id of another tier"],
    [{ tiers: [tier("a", { promote: -1 }), tier("b")] }, "tiers.0.promote: must be at least 0"],
    [{ tiers: [tier("a", { promote: 1 })] }, "tiers.0.promote: must be 0: there is no tier above the last"],
    [
      { tiers: [tier("a", { demote: 1 }), tier("b")] },
      "tiers.0.demote: must be 0: there is no tier below the first",
    ],
    [
      { tiers: [tier("a"), tier("b", { promote: 15, demote: 15 }), tier("c")] },
      "tiers.1: promotes and demotes too many: in a group of 6, nobody would stay; lower promote or demote",
    ],
    [{ joins_until_hours: 0 }, "joins_until_hours: must be above 0"],
    [{ joins_until_hours: 169 }, "joins_until_hours: must be at most 168"],
    [{ inactive: { weeks: 0, then: "demote" } }, "inactive.weeks: must be at least 1"],
    [{ inactive: { weeks: 1, then: "leave" } }, 'inactive.then: must be "keep" or "demote"'],
    [
      { inactive: { weeks: 1, then: "demote", floor: "gold" } },
      "inactive.floor: must be the id of a tier: bronze, silver",
    ],
    [
      { inactive: { weeks: 1, then: "keep", floor: "silver" } },
      'inactive.floor: has no meaning beside `then: "keep"`',
    ],
  ])("%j", (wrong, said) => {
    expect(refusalOf(wrong)).toBe(said);
  });

  test("a board without weeks, and a template", () => {
    expect(refusalOf({}, { spans: ["daily"] })).toBe(
      "span: is not a span of this leaderboard, which has daily",
    );
    expect(refusalOf({}, { template: { ids: "any" } })).toBe(
      ": is for a leaderboard of its own: a template's boards have none",
    );
  });
});
