import { join } from "node:path";
import { expect, test } from "vitest";
import { comparison } from "./compare.ts";
import { reportFolder, storedResults } from "./files.ts";

const stored = storedResults(join(reportFolder, "benchmark.json"));

test("a result is the same as itself", () => {
  expect(comparison(stored, stored)).toBe("Every number is the same.\n\nProblems: 0 and 0.");
});

test("a comparison has a line for each number that differs, and for a system that one of them lacks", () => {
  const [first, ...others] = stored.counted;
  const rank = first?.billed.rank;
  if (first === undefined || rank === undefined) throw new Error("there is no rank");
  const dearer = {
    ...first,
    billed: { ...first.billed, rank: { ...rank, mean: { ...rank.mean, reads: 7 } } },
  };
  const lines = comparison(stored, { ...stored, counted: [dearer, ...others.slice(1)] }).split("\n");
  expect(lines).toContain(`| ${first.id} | rank | 1 r | 7 r |`);
  expect(lines).toContain(`| ${others[0]?.id} | all | there | not there |`);
  expect(lines).toHaveLength(4 + 2);
});

test("a file that is no result is named", () => {
  const file = join(reportFolder, "..", "package.json");
  expect(() => storedResults(file)).toThrow(`${file} is not a result of the benchmark: it has no list`);
});
