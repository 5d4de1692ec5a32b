import { expect, test } from "vitest";
import { freshMs, pausesIn } from "./pauses.ts";

test("runs that follow each other have no pause, and a longer time between two is one", () => {
  expect(pausesIn([], 100)).toEqual([]);
  expect(pausesIn([5], 100)).toEqual([]);
  expect(pausesIn([0, 100, 200, 301, 400, 900], 100)).toEqual([
    [200, 301],
    [400, 900],
  ]);
});

test("a season is fresh for two intervals, and for two minutes at least, as the schedule runs once a minute", () => {
  expect(freshMs(1_000)).toBe(120_000);
  expect(freshMs(300_000)).toBe(600_000);
});
