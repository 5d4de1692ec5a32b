import fc from "fast-check";
import { expect, test } from "vitest";
import { compareIds } from "../../model/id-order.ts";
import { playerId } from "../../model/ids.ts";
import { anyId } from "../../../../test/support/ids.ts";
import { middleOf } from "./id-ranges.ts";

test("the middle of a range lies in the range, and Firestore accepts it as an id", () => {
  fc.assert(
    fc.property(fc.option(anyId, { nil: undefined }), fc.option(anyId, { nil: undefined }), (a, b) => {
      const [after, until] = a !== undefined && b !== undefined && compareIds(a, b) > 0 ? [b, a] : [a, b];
      const middle = middleOf({ after, until });
      if (middle === undefined) return;
      expect(compareIds(middle, after ?? "")).toBeGreaterThan(0);
      if (until !== undefined && until !== after) expect(compareIds(middle, until)).toBeLessThan(0);
      expect(playerId.safeParse(middle).success).toBe(true);
    }),
  );
});

test("a few cuts divide ids of Firebase Auth, and numbered ids", () => {
  for (const wanted of ["k3J", "player-000500000"]) {
    let range: { after?: string; until?: string } = {};
    let cuts = 0;
    for (; cuts < 200 && !(range.after ?? "").startsWith(wanted.slice(0, -1)); cuts++) {
      const middle = middleOf(range);
      if (middle === undefined) break;
      range = compareIds(middle, wanted) < 0 ? { ...range, after: middle } : { ...range, until: middle };
    }
    expect(cuts).toBeLessThan(8 * wanted.length);
    expect(range.after?.startsWith(wanted.slice(0, -1))).toBe(true);
  }
});

test("two adjacent ids have no middle", () => {
  expect(middleOf({ after: "a", until: "a!" })).toBeUndefined();
  expect(middleOf({ after: "a", until: "c" })).toBe("b");
});

test("a cut is never an id that Firestore rejects, and never contains a slash", () => {
  expect(middleOf({ after: "-", until: "/" })).toBeUndefined();
  expect(middleOf({ after: ".", until: "0" })).not.toBe("/");
  expect(middleOf({ after: "-z", until: "." + "!" })).not.toBe(".");
  expect(middleOf({ after: ".-", until: "./" })).toBeUndefined();
  expect(middleOf({ after: "__a^", until: "__a`" })).toBe("__a_");
  expect(middleOf({ after: "__a_^", until: "__a_`" })).toBeUndefined();
  expect(middleOf({ after: "__ab_^", until: "__ab_`" })).toBeUndefined();
  expect(middleOf({ after: "x__a_^", until: "x__a_`" })).toBe("x__a__");
  expect(middleOf({ after: "__a__a", until: "__a__c" })).toBe("__a__b");
});
