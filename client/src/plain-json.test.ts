import { expect, test } from "vitest";
import { plainJson } from "./plain-json.ts";

class Loadout {
  weapon = "bow";
}

test("a request is copied as JSON has it, without undefined fields", () => {
  const value = {
    a: [1, "x", null, true],
    b: undefined,
    c: { d: undefined, at: new Date(0) },
    e: new Loadout(),
  };
  expect(plainJson(value)).toEqual({
    a: [1, "x", null, true],
    c: { at: "1970-01-01T00:00:00.000Z" },
    e: { weapon: "bow" },
  });
  expect(plainJson(value)).not.toHaveProperty("b");
});

const circle: { self?: object } = {};
circle.self = [circle];

test.each<[unknown, RegExp]>([
  [NaN, /^level: JSON has no NaN$/],
  [-Infinity, /^level: JSON has no -Infinity/],
  [1n, /BigInt/],
  [Symbol("x"), /^level: JSON has no Symbol\(x\)/],
  [() => 1, /^level: JSON has no .*1/],
  [new Date(NaN), /^level: JSON has no Invalid Date/],
  [new Map([["a", 1]]), /^level: JSON has no \[object Map\]/],
  [new Set([1]), /^level: JSON has no \[object Set\]/],
  [circle, /circular/],
])("%o is refused, and named", (level, message) => {
  for (const request of [{ level }, { metadata: { list: [{ level }] } }])
    expect(() => plainJson(request)).toThrow(
      expect.objectContaining({ code: "invalid_request", message: expect.stringMatching(message) as string }),
    );
});
