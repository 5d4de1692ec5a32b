/** The files of the report: the tables of docs/benchmark.md and its pictures, from docs/benchmark.json. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { root } from "../../scripts/project.ts";
import { dollarsChart, rankReadsChart, sizesChart } from "./charts.ts";
import { pageOf, sentencesOf } from "./document.ts";
import type { Results } from "./results.ts";

export const reportFolder = join(root, "docs");

/** The text of each file by its name, without the results themselves. */
export async function reportFiles(results: Results): Promise<Record<string, string>> {
  return {
    "benchmark.md": await formatted("benchmark.md", pageOf(storedPage(), results)),
    "benchmark-rank-reads.svg": rankReadsChart(results),
    "benchmark-dollars.svg": dollarsChart(results),
    "benchmark-players.svg": sizesChart(results),
  };
}

/** What the page would have to say and does not. */
export function missingSentences(results: Results): string[] {
  const page = storedPage();
  return sentencesOf(results).filter((sentence) => !page.includes(sentence));
}

/** Writes the results and the report on them; and says which sentences of the page are to be changed by hand. */
export async function writeReport(results: Results): Promise<void> {
  const json = await formatted("benchmark.json", JSON.stringify(results));
  const files = { "benchmark.json": json, ...(await reportFiles(results)) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(reportFolder, name), text);
  console.log("Wrote docs/benchmark.json, the tables of docs/benchmark.md and pictures.");
  for (const sentence of missingSentences(results)) console.log(`docs/benchmark.md has to say: ${sentence}`);
}

/** What docs/benchmark.json has. */
export function storedResults(): Results {
  return JSON.parse(readFileSync(join(reportFolder, "benchmark.json"), "utf8")) as Results;
}

function storedPage(): string {
  return readFileSync(join(reportFolder, "benchmark.md"), "utf8");
}

/** A text as Prettier would write it to docs/. */
export async function formatted(name: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(join(root, name))), filepath: name });
}
