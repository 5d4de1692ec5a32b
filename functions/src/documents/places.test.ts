import fc from "fast-check";
import { expect, test } from "vitest";
import { anyOrder } from "../../../test/support/arbitraries.ts";
import { placesOf } from "./places.ts";

const seat = (player: string, score: number | undefined, seconds = 0) => ({
  player,
  score,
  achievedAt: score === undefined ? undefined : { seconds, nanoseconds: 0 },
});
const shown = (of: Parameters<typeof placesOf>[0], ...seats: ReturnType<typeof seat>[]) =>
  placesOf(of, seats).map(({ player, place, rank }) => [player, place, rank]);
const first = { order: "descending", ties: "first" } as const;

test("9 equals are placed by time, then by id, and share their rank", () => {
  const all = [seat("cyd", 7, 2), seat("bob", 7, 1), seat("ann", 7, 2), seat("dan", 9, 5)];
  expect(shown(first, ...all)).toEqual([
    ["dan", 1, 1],
    ["bob", 2, 2],
    ["ann", 3, 2],
    ["cyd", 4, 2],
  ]);
  expect(shown({ ...first, ties: "last" }, ...all)).toEqual([
    ["dan", 1, 1],
    ["cyd", 2, 2],
    ["ann", 3, 2],
    ["bob", 4, 2],
  ]);
});

test("10 zero, negative and ascending scores are scores; whoever has none that counts is last, by id", () => {
  const all = [
    seat("eve", undefined),
    seat("ann", -3),
    seat("bob", 0),
    seat("cyd", undefined),
    seat("dan", -0),
  ];
  expect(shown(first, ...all)).toEqual([
    ["bob", 1, 1],
    ["dan", 2, 1],
    ["ann", 3, 3],
    ["cyd", 4, undefined],
    ["eve", 5, undefined],
  ]);
  expect(shown({ ...first, order: "ascending" }, ...all).map(([player]) => player)).toEqual([
    "ann",
    "bob",
    "dan",
    "cyd",
    "eve",
  ]);
});

test("places count from 1 without a gap, in whatever order the seats come", () => {
  const anySeat = fc.record({
    player: fc.string({ minLength: 1, maxLength: 2 }),
    score: fc.option(fc.integer({ min: -2, max: 2 }), { nil: undefined }),
    seconds: fc.integer({ min: 0, max: 2 }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(anySeat, { selector: ({ player }) => player }), anyOrder, (all, order) => {
      const seats = all.map(({ player, score, seconds }) => seat(player, score, seconds));
      const placed = placesOf({ order, ties: "first" }, seats);
      expect(placed.map(({ place }) => place)).toEqual(seats.map((_, i) => i + 1));
      expect(placesOf({ order, ties: "first" }, seats.toReversed())).toEqual(placed);
    }),
  );
});
