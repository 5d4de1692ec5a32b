import fc from "fast-check";
import { expect, test } from "vitest";
import { compareIds } from "../../model/id-order.ts";
import { playerId } from "../../model/ids.ts";
import { anyId } from "../../../../test/support/arbitraries.ts";
import { middleOf } from "./id-ranges.ts";

test("the middle of a range lies in the range, and Firestore accepts it as an id", () => {
  fc.assert(
    fc.property(fc.option(anyId, { nil: undefined }), fc.option(anyId, { nil: undefined }), (a, b) => {
      const [after, until] = a !== undefined && b !== undefined && compareIds(a, b) > 0 ? [b, a] : [a, b];
      const middle = middleOf({ after, until });
      if (middle === undefined) return;
      if (after !== undefined) expect(compareIds(middle, after)).toBeGreaterThan(0);
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

test.each([
  ["a", "a!", undefined],
  ["a", "c", "b"],
  // A cut is never an id that Firestore rejects, and never contains a slash.
  ["-", "/", undefined],
  [".-", "./", undefined],
  ["__a^", "__a`", "__a_"],
  ["__a_^", "__a_`", undefined],
  ["__ab_^", "__ab_`", undefined],
  ["x__a_^", "x__a_`", "x__a__"],
  ["__a__a", "__a__c", "__a__b"],
  // Ids of numbers lie before all others, and 0 is none.
  ["__id7__", "__id11__", "__id9__"],
  ["__id7__", "__id8__", undefined],
  ["__id-1__", "__id1__", undefined],
  ["__id-1__", "__id3__", "__id1__"],
  ["__id-2__", "__id1__", "__id-1__"],
  ["", "__id-9223372036854775806__", "__id-9223372036854775807__"],
  ["__id7__", "a", "__id9223372036854775807__"],
  ["__id9223372036854775807__", "#", "!"],
  // Between the texts `__id6__` and `__id8__`, which are none of Firestore's, would lie the id of a number.
  ["__id6_a", "__id6_c", "__id6_b"],
  ["__id6_^", "__id6_`", undefined],
])("the middle of %j and %j is %j", (after, until, middle) => {
  expect(middleOf({ after, until })).toBe(middle);
});

test("a cut is not an id of dots, nor a slash", () => {
  expect(middleOf({ after: ".", until: "0" })).not.toBe("/");
  expect(middleOf({ after: "-z", until: ".!" })).not.toBe(".");
});
