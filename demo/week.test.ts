import fc from "fast-check";
import { expect, test } from "vitest";
import { definitionSchema } from "../functions/src/model/definition.ts";
import { beginOf } from "../functions/src/model/midnights.ts";
import { nextMinute, weekBeginningAt } from "./week.ts";

test("the board's week, and its day, begins at the minute that is wanted", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (atMs) => {
      const minute = nextMinute(atMs);
      expect(minute - atMs).toBeGreaterThanOrEqual(0);
      expect(minute - atMs).toBeLessThan(60_000);
      const calendar = definitionSchema(0).parse(weekBeginningAt(minute));
      expect(beginOf("week", minute, calendar)).toBe(minute);
      expect(beginOf("day", minute, calendar)).toBe(minute);
    }),
  );
});
