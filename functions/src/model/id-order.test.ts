import fc from "fast-check";
import { expect, test } from "vitest";
import { anyId } from "../testing/ids.ts";
import { compareIds } from "./id-order.ts";

test("ids are ordered by their bytes", () => {
  fc.assert(
    fc.property(anyId, anyId, (a, b) => {
      expect(Math.sign(compareIds(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
