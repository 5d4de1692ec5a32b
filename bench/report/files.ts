/** The files of the report: docs/benchmark.md and its pictures, from docs/benchmark.json. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { root } from "../../scripts/project.ts";
import { dollarsChart, rankReadsChart, sizesChart } from "./charts.ts";
import { documentOf } from "./document.ts";
import type { Results } from "./results.ts";

export const reportFolder = join(root, "docs");

/** The text of each file by its name, without the results themselves. */
export async function reportFiles(results: Results): Promise<Record<string, string>> {
  return {
    "benchmark.md": await formatted("benchmark.md", documentOf(results)),
    "benchmark-rank-reads.svg": rankReadsChart(results),
    "benchmark-dollars.svg": dollarsChart(results),
    "benchmark-players.svg": sizesChart(results),
  };
}

/** Writes the results and the report on them. */
export async function writeReport(results: Results): Promise<void> {
  const json = await formatted("benchmark.json", JSON.stringify(results));
  const files = { "benchmark.json": json, ...(await reportFiles(results)) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(reportFolder, name), text);
  console.log("Wrote docs/benchmark.md, docs/benchmark.json and pictures.");
}

/** What docs/benchmark.json has. */
export function storedResults(): Results {
  return JSON.parse(readFileSync(join(reportFolder, "benchmark.json"), "utf8")) as Results;
}

async function formatted(name: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(join(root, name))), filepath: name });
}
