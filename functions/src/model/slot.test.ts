import fc from "fast-check";
import { expect, test } from "vitest";
import { intervalMs, lastSlotEnd, slotEnd } from "./slot.ts";

test("each moment lies in one slot of the interval's length, between the last slot end and the next", () => {
  const anyMoment = fc.integer({ min: 0, max: 4_102_444_800_000 });
  fc.assert(
    fc.property(anyMoment, fc.integer({ min: 1, max: 86_400_000 }), (now, interval) => {
      const [last, next] = [lastSlotEnd(now, interval), slotEnd(now, interval)];
      expect(last).toBeLessThanOrEqual(now);
      expect(next).toBeGreaterThan(now);
      expect([next - last, next % interval]).toEqual([interval, 0]);
      expect(slotEnd(last, interval)).toBe(next);
    }),
  );
});

test("an interval is a whole number of milliseconds, and at least one", () => {
  expect(intervalMs(5)).toBe(300_000);
  expect(intervalMs(0.05)).toBe(3_000);
  expect(intervalMs(1 / 7)).toBe(8_571);
  expect(intervalMs(1e-9)).toBe(1);
});
