/**
 * `npm run bench -- steps`: what the runs of many small boards take that are due in one minute: processor time, the time
 * that calls of tasks are billed, and memory. Beside them the same of an earlier commit.
 *
 *     npm run bench -- steps [--boards 2000] [--rounds 2] [--latency 20] [--than <commit>]
 *
 * Then it is done once more with ten times the boards, to see how it grows. With a latency, each request to the
 * database takes so many milliseconds more. Processor time is of the functions, of Firestore's client library, and of
 * the database in memory, which takes a tenth.
 */
import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { optionsOf, refuse } from "../../../scripts/options.ts";
import { root, workFolder } from "../../../scripts/project.ts";
import { count, table } from "../../report/markdown.ts";
import type { Taken } from "./play-runs.ts";

/** Before small boards shared tasks. */
const earlier = "53d6bb0c";

const text = { type: "string" } as const;
const { values } = optionsOf(
  "npm run bench -- steps [--boards 2000] [--rounds 2] [--latency 20] [--than <commit>]",
  { options: { boards: text, rounds: text, latency: text, than: text } },
);
const { boards = "2000", rounds = "2", latency = "20", than = earlier } = values;
if ([boards, rounds, latency].some((number) => !/^\d+$/.test(number))) refuse("Numbers are whole ones.");

const trees = { now: root, [than]: treeOf(than) };
const rows: string[][] = [];
for (const factor of [1, 10])
  for (const [name, tree] of Object.entries(trees))
    rows.push(rowOf(name, take(tree, factor * Number(boards))));
console.log(
  table(
    "build|boards|tasks|processor, ms a run|of it the schedule|billed, ms a run|kept, bytes a board|a task, KB",
    rows,
  ),
);

function rowOf(name: string, taken: Taken): string[] {
  const { runs, tasks, processorMs, scheduleMs, billedSeconds, keptBytes, taskBytes } = taken;
  const numbers = [taken.boards, tasks, processorMs, scheduleMs, (1_000 * billedSeconds) / runs, keptBytes];
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
  if (existsSync(join(folder, "functions"))) return folder;
  const git = spawnSync("git", ["worktree", "add", "--force", "--detach", folder, commit], { cwd: root });
  if (git.status !== 0) refuse(`git has no commit ${commit}.`);
  for (const packages of ["node_modules", "functions/node_modules"])
    symlinkSync(join(root, packages), join(folder, packages));
  return folder;
}
