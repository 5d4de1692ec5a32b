import fc from "fast-check";
import { expect, test } from "vitest";
import { anyId } from "../../../test/support/arbitraries.ts";
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
  const orders = ids.map((id) => ids.map((other) => Math.sign(compareIds(id, other))));
  expect(orders).toEqual(ids.map((_, i) => ids.map((_other, j) => Math.sign(i - j))));
});
