import { expect, test } from "vitest";
import { randomOf } from "../generators/random.ts";
import { shapes } from "../generators/shapes.ts";
import type { Load } from "../systems/system.ts";
import { largestRate } from "./waits.ts";
import { changesOf } from "./work.ts";

const rateOf = (load: Load, count?: number) =>
  largestRate(load, changesOf(shapes.uniform999, 30_000, randomOf(1)), count);
const one = (commits: string[][]): Load => ({ kind: "documents", commits: () => commits });

test("a tree whose root is written by every update takes one a second", () => {
  const commits: Extract<Load, { kind: "documents" }>["commits"] = ({ after }) => [
    ["root", `child ${Math.floor(after / 100)}`],
  ];
  expect(rateOf({ kind: "documents", commits }, 10_000)).toBeCloseTo(1, 1);
});

test("a commit waits for the busiest of its documents, and independent commits do not wait for each other", () => {
  expect(rateOf(one([["a", "b"]]), 100)).toBeCloseTo(1);
  expect(rateOf(one([["a"], ["b"]]), 100)).toBeCloseTo(1);
  expect(rateOf(one([["a"], ["a"]]), 100)).toBeCloseTo(0.5);
});

test("players' own documents carry any rate, and a queue what its workers take or something else allows", () => {
  expect(rateOf({ kind: "own document" })).toBe(Infinity);
  expect(rateOf({ kind: "queue", workers: 2, batch: 550 })).toBe(1_100);
  expect(rateOf({ kind: "queue", workers: 2, batch: 550, ratePerSecondMax: 7 })).toBe(7);
});

test("the largest rate is not low because few updates reach each of many documents", () => {
  const random = randomOf(1);
  const rate = rateOf({ kind: "documents", commits: () => [[String(Math.floor(random() * 4_096))]] });
  expect(rate).toBeGreaterThan(0.9 * 4_096);
  expect(rate).toBeLessThan(1.1 * 4_096);
});
