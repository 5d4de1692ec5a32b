import { expect, test } from "vitest";
import { z } from "zod";
import { firstProblem } from "./errors.ts";

const zods = /Invalid|expected|received|Too (?:small|big)|Unrecognized/;

test.each([
  [z.string(), undefined, "is missing"],
  [z.enum(["a", "b"]), undefined, 'is missing; it must be "a" or "b"'],
  [z.string(), 7, "must be a text; this is a number"],
  [z.number(), NaN, "must be a finite number; this is NaN"],
  [z.int(), 1.5, "must be a whole number; this is 1.5"],
  [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 item"],
  [z.string().min(2), "a", "must have at least 2 characters"],
  [z.enum(["a", "b"]), "c", 'must be "a" or "b"'],
  [z.strictObject({}), { rank: 1 }, 'has "rank", which is not known here'],
  [z.number().multipleOf(5), 7, "must be a multiple of 5"],
  [z.union([z.string(), z.number()]), true, "has not the form that it should have"],
  [z.url(), "here", "has not the form that it should have"],
  [z.date(), "now", 'must be of another kind; this is the text "now"'],
  [z.number(), "7".repeat(99), `must be a finite number; this is the text "${"7".repeat(40)}"`],
  [z.number(), {}, "must be a finite number; this is an empty object"],
  [z.number(), { value: 7 }, 'must be a finite number; this is an object with "value"'],
  [
    z.string(),
    { a: 1, b: 2, c: 3, d: 4 },
    'must be a text; this is an object with "a" and "b" and "c" and more',
  ],
  [z.map(z.string(), z.string()), null, "must be of another kind; this is null"],
  [z.literal([1, 2]), 7, "must be 1 or 2"],
])("of a wrong value nobody reads zod's words: %#", (schema, value, words) => {
  const { error } = schema.safeParse(value);
  expect(error && firstProblem(error)).toBe(words);
  expect(error?.issues.map(({ message }) => message).join()).not.toMatch(zods);
});
