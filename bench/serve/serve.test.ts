import { expect, test } from "vitest";
import { shapes } from "../generators/shapes.ts";
import { drawBoard, questionAt } from "./board.ts";
import type { Sample } from "./contest.ts";
import { quantile } from "./load.ts";
import { ratioOf, spreadFor, spreadOf } from "./summary.ts";
import { digits, resultTable } from "./tables.ts";

test("a question's rank is one more than the players with a better score", () => {
  const board = drawBoard("board", shapes.chess, 3_000, 7);
  for (const index of [0, 1, 500, 2_999]) {
    const { score, rank } = questionAt(board, index);
    expect(rank).toBe(1 + board.scores.filter((other) => other > score).length);
  }
});

test("a quantile is the smallest value that the share does not exceed", () => {
  const sorted = Array.from({ length: 100 }, (_, i) => i + 1);
  expect([quantile(sorted, 0.5), quantile(sorted, 0.99), quantile(sorted, 1)]).toEqual([50, 99, 100]);
  expect(quantile([5], 0.01)).toBe(5);
});

const sample = (system: string, repeat: number, perSecond: number): Sample => ({
  system,
  repeat,
  perSecond,
  kind: "busy",
  requests: 10,
  p50Ms: 1,
  p99Ms: 2,
  perCoreSecond: 4_000,
  coreShare: 0.75,
  databaseCpuMs: 0,
});

test("a ratio compares what was measured side by side, not the medians of all repeats", () => {
  const samples = [sample("a", 0, 10), sample("b", 0, 5), sample("a", 1, 100), sample("b", 1, 25)];
  expect(ratioOf(samples, ["a", "b"], "busy", "perSecond")).toEqual({ median: 2, least: 2, most: 4 });
  expect(spreadFor(samples, "a", "busy", "perSecond")).toEqual({ median: 10, least: 10, most: 100 });
  expect(() => spreadOf([])).toThrow(/nothing/);
});

test("the table names each system once, with its ratio to the first", () => {
  const samples = [sample("a", 0, 3_000), sample("b", 0, 1_500)];
  const alone = samples.map((one) => ({ ...one, kind: "alone" }));
  const rows = resultTable([...samples, ...alone], "a", ["busy", "alone"]).split("\n");
  expect(rows[2]).toBe(
    "| a | 4,000 (4,000–4,000) | 1 | 3,000 (3,000–3,000) | 1 | 75 % | 1 / 2 | 1 / 2 | 0 |",
  );
  expect(rows[3]).toContain("| 1 (1–1) | 1,500 (1,500–1,500) | 2 (2–2) |");
  expect(digits(0.012345)).toBe("0.0123");
});
