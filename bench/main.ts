/**
 * `npm run bench`: every known way to rank, side by side, on the same work, and the benches of Firerank's own parts.
 *
 *     npm run bench                               everything; about half an hour on two cores
 *     npm run bench -- systems [--only ids] [--players 400] [--updates 200] [--seed 1]
 *     npm run bench -- fold | rank-error | closing | load | overhead | serve [their options]
 *     npm run bench -- --smoke                    everything tiny
 *     npm run bench -- --compute                  keeps what was counted, and computes everything else of docs/benchmark.json again
 *     npm run bench -- --compare a.json b.json    how two results differ
 *
 * Writes docs/benchmark.md, docs/benchmark.json and docs/benchmark-*.svg; with any of the options of `systems`, or with
 * `--smoke`, to .firerank/bench instead.
 * Fails if a system gives an answer that it claims not to give, or is billed something else than its formula says.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root, workFolder } from "../scripts/project.ts";
import { comparison } from "./report/compare.ts";
import { storedResults } from "./report/files.ts";
import { benchSystems, computeAgain } from "./systems-bench.ts";

interface Part {
  script: string;
  /** Names of its options, each of which takes a value. */
  options: string[];
  /** What it gets when everything is to be tiny. */
  smoke?: string[];
}

/** The benches of Firerank's own parts. */
const parts: Record<string, Part> = {
  fold: {
    script: "fold.ts",
    options: ["scores", "documents"],
    smoke: ["--scores", "20000", "--documents", "20"],
  },
  "rank-error": {
    script: "rank-error/main.ts",
    options: ["players", "rounds"],
    smoke: ["--players", "70000", "--rounds", "1"],
  },
  overhead: { script: "overhead/main.ts", options: ["seconds", "repeats"] },
  closing: { script: "closing/main.ts", options: ["players", "documents-per-read"] },
  load: { script: "load/main.ts", options: [] },
  serve: {
    script: "serve/main.ts",
    options: ["players", "repeats", "seconds", "connections", "without"],
  },
};
/** Those that a whole run has; the others take long or need much memory, and are asked for by name. */
const inWholeRun = ["fold", "rank-error", "load", "overhead", "serve"];

const usage = `Usage:
  npm run bench                                everything; about half an hour on two cores
  npm run bench -- systems [--only ids] [--players N] [--updates N] [--seed N]
  npm run bench -- ${Object.keys(parts).join(" | ")} [their options]
  npm run bench -- --smoke                     everything tiny
  npm run bench -- --compute                   all but what was counted on the emulator, again
  npm run bench -- --compare a.json b.json     how two results differ`;
const defaults = { players: 400, updates: 200, seed: 1 };
const tiny = { players: 12, updates: 3, seed: 1 };

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error((error as Error).message);
  return 1;
});

async function main(args: string[]): Promise<number> {
  const [first = ""] = args;
  const part = parts[first];
  if (part !== undefined) return runAlone(first, part, args.slice(1));
  if (first === "--help") {
    console.log(usage);
    return 0;
  }
  const asked = read(first === "systems" ? args.slice(1) : args);
  if (typeof asked === "string") {
    console.error(`${asked}\n${usage}`);
    return 2;
  }
  const { compare, compute, ...options } = asked;
  if (compare !== undefined) {
    console.log(comparison(storedResults(compare[0]), storedResults(compare[1])));
    return 0;
  }
  if (compute) {
    await computeAgain();
    return 0;
  }
  const failed = await benchSystems(options);
  if (failed > 0) console.error(`${failed} problems; they are in the report.`);
  const codes = [failed > 0 ? 1 : 0];
  // Who names systems wants no more than these.
  if (first === "systems" || options.only !== undefined) return Math.max(...codes);
  for (const name of inWholeRun) codes.push(await runPart(name, options.smoke));
  return Math.max(...codes);
}

/** What is asked for, or what is wrong with it, in a sentence. */
function read(args: string[]) {
  const parsed = parse(args);
  if (parsed instanceof Error) return parsed.message;
  const { values, positionals } = parsed;
  const { smoke, compute, only, compare } = values;
  const [a, b] = positionals;
  if (compare && positionals.length !== 2) return "--compare takes two files.";
  if (!compare && a !== undefined) return `There is no bench ${positionals.join(" ")}.`;
  const numbers = { ...(smoke ? tiny : defaults) };
  for (const name of ["players", "updates", "seed"] as const) {
    const given = values[name];
    if (given === undefined) continue;
    numbers[name] = Number(given);
    if (!Number.isInteger(numbers[name]) || numbers[name] < 1) {
      return `--${name} is a whole number from 1, not ${given}.`;
    }
  }
  const isUsual = Object.entries(defaults).every(
    ([name, value]) => numbers[name as keyof typeof numbers] === value,
  );
  return {
    ...numbers,
    smoke,
    compute,
    only: only?.split(","),
    isWhole: isUsual && !smoke && only === undefined,
    compare: a !== undefined && b !== undefined ? ([a, b] as const) : undefined,
  };
}

/** The options, or what is wrong with one. */
function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        only: { type: "string" },
        players: { type: "string" },
        updates: { type: "string" },
        seed: { type: "string" },
        smoke: { type: "boolean", default: false },
        compute: { type: "boolean", default: false },
        compare: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return error as Error;
  }
}

/** Runs a part that was asked for by name. */
async function runAlone(name: string, { script, options }: Part, args: string[]): Promise<number> {
  const known = Object.fromEntries(options.map((option) => [option, { type: "string" as const }]));
  try {
    parseArgs({ args, options: known });
  } catch (error) {
    const list = options.map((option) => ` [--${option} …]`).join("");
    console.error(`${(error as Error).message}\nUsage: npm run bench -- ${name}${list}`);
    return 2;
  }
  return runScript(script, args);
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
