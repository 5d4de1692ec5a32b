import { expect, test } from "vitest";
import { shapes } from "../generators/shapes.ts";
import { quantile } from "../quantile.ts";
import { drawBoard, questionAt } from "./board.ts";
import type { Sample } from "./contest.ts";
import { startProgram } from "./program.ts";
import { digits, ratiosOf, resultTable } from "./tables.ts";

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

const sample = (system: string, repeat: number, perSecond: number, kind = "busy"): Sample => ({
  ...{ system, repeat, perSecond, kind },
  requests: 10,
  p50Ms: 1,
  p99Ms: 2,
  perCoreSecond: 4_000,
  coreShare: 0.75,
  databaseCpuMs: 0,
});

test("a ratio compares what was measured side by side, not the medians of all repeats", () => {
  const samples = [sample("a", 0, 10), sample("b", 0, 5), sample("a", 1, 100), sample("b", 1, 25)];
  expect(ratiosOf(samples, ["a", "b"], "perSecond")).toEqual([2, 4]);
});

test("the table names each system once, with its ratio to the first", () => {
  const of = (kind: string) => [sample("a", 0, 3_000, kind), sample("b", 0, 1_500, kind)];
  const rows = resultTable([...of("busy"), ...of("alone")]).split("\n");
  expect(rows[2]).toBe(
    "| a | 4,000 (4,000–4,000) | 1 | 3,000 (3,000–3,000) | 1 | 75 % | 1 / 2 | 1 / 2 | 0 |",
  );
  expect(rows[3]).toContain("| 1 (1–1) | 1,500 (1,500–1,500) | 2 (2–2) |");
  expect(digits(0.012345)).toBe("0.0123");
});

test("a program that ends before it is ready is an error with its last words, and the package that has it", async () => {
  const log = `${import.meta.dirname}/../../.firerank/servers-test.log`;
  const ready = async () => false;
  const command = [process.execPath, "-e", "console.error('no such luck'); process.exit(3)"];
  await expect(startProgram({ command, log, ready })).rejects.toThrow(/ended with code 3[\s\S]*no such luck/);
  const absent = startProgram({ command: ["nowhere-server"], log, ready, debianPackage: "nowhere" });
  await expect(absent).rejects.toThrow(/ENOENT.*package nowhere/);
});
