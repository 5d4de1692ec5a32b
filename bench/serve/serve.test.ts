import { expect, test } from "vitest";
import { quantile } from "../quantile.ts";
import type { Sample } from "./contest.ts";
import { digits, ratiosOf, resultTable } from "./tables.ts";

test("a quantile is the smallest value that the share does not exceed", () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([50, 99, 100]);
  expect(quantile([5], 0.01)).toBe(5);
});

const sample = (system: string, perSecond: number, kind: Sample["kind"] = "busy"): Sample => ({
  ...{ system, perSecond, kind, requests: 10, p50Ms: 1, p99Ms: 2 },
  ...{ perCoreSecond: 4_000, coreShare: 0.75, databaseCpuMs: 0 },
});

test("a ratio compares what was measured side by side, not the medians of all repeats", () => {
  const samples = [sample("a", 10), sample("b", 5), sample("a", 100), sample("b", 25)];
  expect(ratiosOf(samples, ["a", "b"], "perSecond")).toEqual([2, 4]);
});

test("the table names each system once, with its ratio to the first", () => {
  const of = (kind: Sample["kind"]) => [sample("a", 3_000, kind), sample("b", 1_500, kind)];
  const rows = resultTable([...of("busy"), ...of("alone")]).split("\n");
  expect(rows[2]).toBe(
    "| a | 4,000 (4,000–4,000) | 1 | 3,000 (3,000–3,000) | 1 | 75 % | 1 / 2 | 1 / 2 | 0 |",
  );
  expect(rows[3]).toContain("| 1 (1–1) | 1,500 (1,500–1,500) | 2 (2–2) |");
  expect(digits(0.012345)).toBe("0.0123");
});
