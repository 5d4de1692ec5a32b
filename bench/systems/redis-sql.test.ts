import { expect, test } from "vitest";
import { keyOf, scoreOfKey } from "./redis-sql.ts";
import { scoreMax } from "./system.ts";

const second = 1_000;
const today = Date.parse("2026-11-22T12:00:00Z");

test("a better score comes first whenever it was achieved, and among equals the earlier one", () => {
  expect(keyOf(8, today + 60 * second)).toBeGreaterThan(keyOf(7, 0));
  expect(keyOf(7, today)).toBeGreaterThan(keyOf(7, today + second));
});

test("the score is found again in the number, which a double holds", () => {
  for (const score of [0, 1, scoreMax]) expect(scoreOfKey(keyOf(score, today))).toBe(score);
  expect(Number.isSafeInteger(keyOf(scoreMax, 0))).toBe(true);
});
