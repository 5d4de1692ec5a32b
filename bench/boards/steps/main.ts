/**
 * `npm run bench -- steps`: what the runs of many small boards take that are due in one minute: processor time, the time
 * that calls of tasks are billed, and memory. Beside them the same of an earlier commit.
 *
 *     npm run bench -- steps [--boards 2000] [--rounds 1] [--latency 20] [--than <commit>]
 *
 * Then it is done once more with ten times the boards, to see how it grows. With a latency, each request to the
 * database takes so many milliseconds more. Processor time is of the functions, of Firestore's client library, and of
 * the database in memory, which takes a tenth. With 20,000 boards it takes some minutes and 2 GB of memory.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { optionsOf, refuse } from "../../../scripts/options.ts";
import { root, workFolder } from "../../../scripts/project.ts";
import { count, table } from "../../report/markdown.ts";
import type { Taken } from "./play-runs.ts";

/** Before small boards shared tasks. */
const earlier = "53d6bb0c";

const text = { type: "string" } as const;
const { values } = optionsOf(
  "npm run bench -- steps [--boards 2000] [--rounds 1] [--latency 20] [--than <commit>]",
  { options: { boards: text, rounds: text, latency: text, than: text } },
);
const { boards = "2000", rounds = "1", latency = "20", than = earlier } = values;
if ([boards, rounds, latency].some((number) => !/^\d+$/.test(number))) refuse("Numbers are whole ones.");

const trees = { now: root, [than]: treeOf(than) };
const rows: string[][] = [];
const growth: string[] = [];
for (const [name, tree] of Object.entries(trees)) {
  const [few, many] = [1, 10].map((factor) => take(tree, factor * Number(boards))) as [Taken, Taken];
  rows.push(rowOf(name, few), rowOf(name, many));
  const ratio = (many.processorMs / few.processorMs).toFixed(2);
  growth.push(
    `${name}: a run among ${count(many.boards)} boards takes ${ratio} times that among ${count(few.boards)}.`,
  );
}
console.log(
  table(
    "build|boards|tasks|runs played|processor, ms a run|of it the schedule|billed, ms a run|kept, bytes a board|a task, KB",
    rows,
  ),
);
console.log(`\n${growth.join("\n")}`);

function rowOf(name: string, taken: Taken): string[] {
  const { runs, tasks, processorMs, scheduleMs, billedMs, keptBytes, taskBytes } = taken;
  const numbers = [taken.boards, tasks, runs, processorMs, scheduleMs, billedMs, keptBytes];
  return [name, ...numbers.map(count), count(taskBytes / 1_024)];
}

function take(tree: string, all: number): Taken {
  const script = join(import.meta.dirname, "play-runs.ts");
  const given = ["--expose-gc", "--max-old-space-size=6000", script, tree, String(all), rounds, latency];
  const { status, stdout } = spawnSync(process.execPath, given, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the play of ${all} boards ended with ${status}`);
  return JSON.parse(stdout) as Taken;
}

/** The sources of a commit, with the packages that are installed here. */
function treeOf(commit: string): string {
  const folder = workFolder(`tree-${commit}`);
  if (existsSync(join(folder, "functions", "node_modules"))) return folder;
  mkdirSync(folder, { recursive: true });
  const parts = ["functions", "simulate", "package.json"];
  const { status, stdout: archive } = spawnSync("git", ["archive", commit, ...parts], {
    cwd: root,
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) refuse(`git has no commit ${commit}.`);
  const unpacked = spawnSync("tar", ["-x"], { cwd: folder, input: archive });
  if (unpacked.status !== 0) throw new Error(`the sources of ${commit} could not be unpacked`);
  for (const packages of ["node_modules", "functions/node_modules"])
    symlinkSync(join(root, packages), join(folder, packages));
  return folder;
}
