import fc from "fast-check";
import { expect, test } from "vitest";
import { anyId } from "../../../test/support/arbitraries.ts";
import { compareIds } from "./id-order.ts";

test("ids are ordered by their bytes, after those of numbers, which are ordered by number", () => {
  const numberIn = (id: string) => /^__id(-?\d+)__$/.exec(id)?.[1];
  const expected = (a: string, b: string) => {
    const [number, other] = [numberIn(a), numberIn(b)];
    if (number !== undefined && other !== undefined)
      return Number(BigInt(number) > BigInt(other)) - Number(BigInt(number) < BigInt(other));
    if (number !== undefined || other !== undefined) return number === undefined ? 1 : -1;
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  };
  fc.assert(
    fc.property(anyId, anyId, (a, b) => {
      expect(Math.sign(compareIds(a, b))).toBe(expected(a, b));
    }),
  );
});

test("imported ids come first, by number to the last of 64 bits; what only looks like one is a text", () => {
  const ids = [
    "__id-9223372036854775808__",
    "__id-3__",
    "__id7__",
    "__id10__",
    "__id9007199254740992__",
    "__id9007199254740993__",
    "__id9223372036854775807__",
    "!",
    "_",
    "__id7_",
    "__id8_",
    "a",
  ];
  expect(ids.toReversed().sort(compareIds)).toEqual(ids);
});

test("the edges of the surrogates lie in the order of code points", () => {
  const ids = ["a", "\ud7ff", "\ue000", "\uffee", "\u{10000}", "\u{10ffff}"];
  const orders = ids.map((id) => ids.map((other) => Math.sign(compareIds(id, other))));
  expect(orders).toEqual(ids.map((_, i) => ids.map((_other, j) => Math.sign(i - j))));
});
