import fc from "fast-check";
import { expect, test } from "vitest";
import { anyId } from "../../../test/support/ids.ts";
import { compareIds } from "./id-order.ts";

test("ids are ordered by their bytes", () => {
  fc.assert(
    fc.property(anyId, anyId, (a, b) => {
      expect(Math.sign(compareIds(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test("the edges of the surrogates lie in the order of code points", () => {
  const ids = ["a", "\ud7ff", "\ue000", "\uffee", "\u{10000}", "\u{10ffff}"];
  for (const [i, id] of ids.entries())
    for (const later of ids.slice(i + 1)) {
      expect([id, later, compareIds(id, later) < 0]).toEqual([id, later, true]);
      expect([later, id, compareIds(later, id) > 0]).toEqual([later, id, true]);
    }
});
