import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Timestamp } from "../../documents/firestore.ts";
import { compareIds } from "../../model/id-order.ts";
import { anyId, anyScore } from "../../../../test/support/arbitraries.ts";
import { middleKey, stretchesOf } from "./count-stretches.ts";

const time = (ms: number) => Timestamp.fromMillis(ms);

/** Which one comes first where everything runs from small to large; a place without an id stands for all of its time. */
function compare([score, at, id]: [number, Timestamp, string], place: readonly unknown[]): number {
  const [otherScore, otherAt, otherId] = place as [number, Timestamp?, string?];
  if (score !== otherScore || otherAt === undefined) return score - otherScore;
  const byTime = at.toMillis() - otherAt.toMillis();
  return byTime !== 0 || otherId === undefined ? byTime : compareIds(id, otherId);
}

describe("the middle of two places", () => {
  const place = fc.tuple(
    fc.oneof(anyScore, fc.integer({ min: 0, max: 2 })),
    fc.integer({ min: 0, max: 3_000 }).map(time),
    anyId,
  );

  test("has the first one before it and the last one not, whichever way they run", () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        const [low, high] = compare(a, b) < 0 ? [a, b] : [b, a];
        if (compare(low, high) === 0) return;
        const upwards = middleKey(low, high);
        expect(compare(low, upwards)).toBeLessThan(0);
        expect(compare(high, upwards)).toBeGreaterThanOrEqual(0);
        const downwards = middleKey(high, low);
        expect(compare(high, downwards)).toBeGreaterThan(0);
        expect(compare(low, downwards)).toBeLessThanOrEqual(0);
      }),
    );
  });

  test("of equal scores lies between their times, of equal times between their ids", () => {
    expect(middleKey([5, time(0), "a"], [5, time(1_000), "b"])).toEqual([5, time(500)]);
    expect(middleKey([5, time(7), "a"], [5, time(7), "c"])).toEqual([5, time(7), "b"]);
    expect(middleKey([5, "c"], [5, "a"])).toEqual([5, "b"]);
  });

  test("is the last one where nothing is between them, or nobody knows what", () => {
    expect(middleKey([1, time(0), "a"], [1 + Number.EPSILON, time(0), "a"])).toEqual([1 + Number.EPSILON]);
    expect(middleKey([1, "yesterday", "a"], [1, { x: 1 }, "b"])).toEqual([1, { x: 1 }]);
    expect(middleKey([1, { x: NaN }, "a"], [1, { x: NaN }, "c"])).toEqual([1, { x: NaN }, "b"]);
    expect(middleKey([0, time(0), "a"], [-0, time(2), "b"])).toEqual([-0, time(1)]);
  });
});

test("a season that one count gets through is one stretch; a larger one is cut at rows, into halves of that", () => {
  const scores = Float64Array.of(9, 8, 7, 6, 5);
  const players = Float64Array.of(3, 1, 4, 2, 2);
  const rows = { scores, lows: scores, players };
  expect(stretchesOf(rows, 12)).toEqual([{}]);
  expect(stretchesOf(rows, 8)).toEqual([{ before: [7] }, { from: [7], before: [6] }, { from: [6] }]);
});
