import fc from "fast-check";
import { expect, test } from "vitest";
import { createWatermark } from "./watermark.ts";

test("the mark is before the first unfinished piece, in whatever order they end", () => {
  const orders = fc
    .integer({ min: 1, max: 20 })
    .chain((count) => fc.shuffledSubarray([...Array(count).keys()], { minLength: count }));
  fc.assert(
    fc.property(orders, (order) => {
      const mark = createWatermark(7);
      const pieces = order.map((_, i) => mark.begin(100 * (i + 1)));
      const ended = new Set<number>();
      for (const i of order) {
        pieces[i]?.end();
        ended.add(i);
        const first = order.map((_, other) => other).find((other) => !ended.has(other)) ?? order.length;
        expect(mark.reached()).toBe(first === 0 ? 7 : 100 * first);
      }
    }),
  );
});
