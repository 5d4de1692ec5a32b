/**
 * `npm run bench`: every known way to rank, side by side, on the same work, and the benches of Firerank's own parts.
 *
 *     npm run bench                               everything; about half an hour on two cores
 *     npm run bench -- systems [--only ids] [--players 400] [--updates 200] [--seed 1]
 *     npm run bench -- fold | rank-error | counted | closing | load | serve [their options]
 *     npm run bench -- --smoke                    everything tiny
 *     npm run bench -- --compare a.json b.json    how two results differ
 *
 * Writes docs/benchmark.md, docs/benchmark.json and docs/benchmark-*.svg; with `--smoke` or `--only` to .firerank/bench instead.
 * Fails if a system gives an answer that it claims not to give, or is billed something else than its formula says.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root, workFolder } from "../scripts/project.ts";
import { comparison } from "./report/compare.ts";
import type { Results } from "./report/results.ts";
import { benchSystems } from "./systems-bench.ts";

/** The benches of Firerank's own parts: their scripts, and their options when everything is to be tiny. */
const parts: Record<string, { script: string; smoke?: string[] }> = {
  fold: { script: "fold.ts", smoke: ["--scores", "20000", "--documents", "20"] },
  "rank-error": { script: "rank-error/main.ts", smoke: ["--players", "70000", "--rounds", "1"] },
  counted: { script: "counted/main.ts" },
  closing: { script: "closing/main.ts" },
  load: { script: "load/main.ts" },
  serve: { script: "serve/main.ts" },
};
/** Those that a whole run has; the others take long or need much memory, and are asked for by name. */
const inWholeRun = ["fold", "rank-error", "load", "serve"];

const usage = `Usage: npm run bench [-- systems | ${Object.keys(parts).join(" | ")}] [options], or --smoke, or --compare a.json b.json`;

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error((error as Error).message);
  return 1;
});

async function main(args: string[]): Promise<number> {
  const [first = ""] = args;
  const part = parts[first];
  if (part !== undefined) return runScript(part.script, args.slice(1));
  const options = readOptions(first === "systems" ? args.slice(1) : args);
  if (options === undefined) {
    console.error(usage);
    return 2;
  }
  if (options.compare !== undefined) return compare(options.compare);
  const failed = await benchSystems(options);
  if (failed > 0) console.error(`${failed} problems; they are in the report.`);
  if (first === "systems") return failed > 0 ? 1 : 0;
  const codes = [failed > 0 ? 1 : 0];
  for (const name of inWholeRun) codes.push(await runPart(name, options.smoke));
  return Math.max(...codes);
}

function readOptions(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        only: { type: "string" },
        players: { type: "string" },
        updates: { type: "string" },
        seed: { type: "string", default: "1" },
        smoke: { type: "boolean", default: false },
        compare: { type: "boolean", default: false },
      },
    });
    const { smoke, only, compare: isComparison } = values;
    if (isComparison !== (positionals.length === 2) || positionals.length > 2) return undefined;
    const numbers = {
      players: Number(values.players ?? (smoke ? 12 : 400)),
      updates: Number(values.updates ?? (smoke ? 6 : 200)),
      seed: Number(values.seed),
    };
    if (!Object.values(numbers).every((value) => Number.isInteger(value) && value > 0)) return undefined;
    const files = isComparison ? (positionals as [string, string]) : undefined;
    return { ...numbers, smoke, only: only?.split(","), compare: files };
  } catch {
    return undefined; // an unknown option
  }
}

async function runPart(name: string, smoke: boolean): Promise<number> {
  const part = parts[name];
  if (part === undefined || (smoke && part.smoke === undefined)) return 0;
  console.log(`\n== ${name}`);
  // Where it writes its pictures; those of a tiny run are no news.
  return smoke ? runScript(part.script, part.smoke ?? [], workFolder("bench")) : runScript(part.script, []);
}

function runScript(script: string, args: string[], cwd = root): Promise<number> {
  const command = [join(import.meta.dirname, script), ...args];
  const child = spawn(process.execPath, command, { stdio: "inherit", cwd });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      resolve(code ?? 1);
    });
  });
}

function compare([a, b]: [string, string]): number {
  console.log(comparison(resultsIn(a), resultsIn(b)));
  return 0;
}

/** @throws if the file is not there, or has no results. */
function resultsIn(file: string): Results {
  try {
    const results = JSON.parse(readFileSync(file, "utf8")) as Results;
    if (Array.isArray(results.counted)) return results;
    throw new Error("it has no list `counted`");
  } catch (error) {
    throw new Error(`${file} is not a result of the benchmark: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
