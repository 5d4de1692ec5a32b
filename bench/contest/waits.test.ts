import { expect, test } from "vitest";
import { randomOf } from "../generators/random.ts";
import { shapes } from "../generators/shapes.ts";
import type { Commits } from "../systems/system.ts";
import { largestRate } from "./waits.ts";
import { changesOf } from "./work.ts";

const rateOf = (commits: Commits, count?: number) =>
  largestRate(commits, changesOf(shapes.uniform999, 30_000, randomOf(1)), count);

test("a tree whose root is written by every update takes one a second", () => {
  const commits: Commits = ({ after }) => [["root", `child ${Math.floor(after / 100)}`]];
  expect(rateOf(commits, 10_000)).toBeCloseTo(1, 1);
});

test("a commit waits for the busiest of its documents, and independent commits do not wait for each other", () => {
  expect(rateOf(() => [["a", "b"]], 100)).toBeCloseTo(1);
  expect(rateOf(() => [["a"], ["b"]], 100)).toBeCloseTo(1);
  expect(rateOf(() => [["a"], ["a"]], 100)).toBeCloseTo(0.5);
});

test("the largest rate is not low because few updates reach each of many documents", () => {
  const random = randomOf(1);
  const rate = rateOf(() => [[String(Math.floor(random() * 4_096))]]);
  expect(rate).toBeGreaterThan(0.9 * 4_096);
  expect(rate).toBeLessThan(1.1 * 4_096);
});
