import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/project.ts";
import { readmeTable } from "./readme-table.ts";
import type { Results } from "./results.ts";

const text = (path: string) => readFileSync(join(root, path), "utf8");
/** Without what aligns the cells. */
const lines = (markdown: string) =>
  markdown
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.replace(/\s+/g, " ").replace(/ -+(?= )/g, " -"));

test("README compares Firerank with other ways by the numbers of the last benchmark", () => {
  const results = JSON.parse(text("docs/benchmark.json")) as Results;
  const rows = lines(readmeTable(results));
  expect(rows.length).toBeGreaterThan(5);
  expect(lines(text("README.md"))).toEqual(expect.arrayContaining(rows));
});
