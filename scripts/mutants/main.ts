/**
 * `npm run test:mutants`: changes the pure modules in small ways, one at a time, and runs their tests, which should
 * notice. A change that they do not notice is either in `survivors.ts` with its reason, or a test is missing.
 *
 *     npm run test:mutants                      # all modules
 *     npm run test:mutants -- ranking/fold top  # those whose path holds one of these words
 *
 * Fails if fewer than 95 % of the non-equivalent mutants are killed, or if one survives without an explanation. The
 * result of each is in .firerank/mutants/lines.txt.
 */
import { spawn } from "node:child_process";
import { globSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../project.ts";
import { folder, instrumentedFile, linesFile, wantedFile } from "./files.ts";
import { instrument, type Mutant } from "./instrument.ts";
import { modules } from "./modules.ts";
import { survivors } from "./survivors.ts";

/** The least share of killed mutants among the non-equivalent ones. */
const shareMin = 0.95;
/** A test that takes longer hangs, in code outside the pure modules. */
const testSecondsMax = 60;
const source = join(root, "functions", "src");

const words = process.argv.slice(2);
const files = globSync(modules, { cwd: source })
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) throw new Error(`No pure module has ${words.join(" or ")} in its path.`);

mkdirSync(folder, { recursive: true });
const { mutants, modules: instrumented } = await instrument(
  source,
  files.map((file) => join(source, file)),
);
writeFileSync(instrumentedFile, JSON.stringify(instrumented));
const wanted = mutants.filter(({ isText }) => !isText);
console.log(
  `${wanted.length} mutants of ${files.length} modules; ${mutants.length - wanted.length} texts left out.`,
);
process.exitCode = report(await fates(wanted)) ? 0 : 1;

/** The result of each mutant, by its id. */
async function fates(all: readonly Mutant[]): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  writeFileSync(linesFile, "");
  for (;;) {
    const left = all.filter(({ id }) => !known.has(id));
    if (left.length === 0) return known;
    writeFileSync(wantedFile, JSON.stringify(left.map(({ id }) => id)));
    const hanging = await tryMutants();
    for (const [, id = "", fate = ""] of readFileSync(linesFile, "utf8").matchAll(/^end (\d+) (.*)$/gm))
      known.set(id, fate);
    if (hanging !== undefined) known.set(hanging, "Killed by a time limit");
  }
}

/** Runs the tests and the mutants until all are tried or one hangs. Returns the one that hangs. */
async function tryMutants(): Promise<string | undefined> {
  const log = openSync(join(folder, "vitest.log"), "w");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--config", join("scripts", "mutants", "vitest.config.ts")];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", log, log] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let [seen, since] = ["", Date.now()];
  for (;;) {
    const code = await Promise.race([ended, sleep(1_000, undefined)]);
    const last = lastLine();
    if (code === 0) return undefined;
    if (code !== undefined && last === "")
      throw new Error(`Vitest failed; see ${join(folder, "vitest.log")}`);
    if (last !== seen) [seen, since] = [last, Date.now()];
    const hangs = seen.startsWith("begin") && Date.now() - since > testSecondsMax * 1_000;
    if (!hangs && code === undefined) continue;
    child.kill("SIGKILL");
    await ended;
    // A process that ended by itself was killed by its current mutant, usually for lack of memory.
    return /^begin (\d+)/.exec(lastLine())?.[1];
  }
}

function lastLine(): string {
  return readFileSync(linesFile, "utf8").trimEnd().split("\n").at(-1) ?? "";
}

/** Prints a line for each module and each unexplained mutant. Returns whether all is well. */
function report(fateOf: ReadonlyMap<string, string>): boolean {
  const used = new Set<string>();
  const scores = new Map(files.map((file) => [file, noScore()]));
  let unexplained = 0;
  for (const { id, file, line, change } of wanted) {
    const [fate = ""] = (fateOf.get(id) ?? "").split(" ");
    const score = scores.get(file);
    if (score === undefined) continue;
    score[fate === "Static" ? "static" : "mutants"] += 1;
    if (fate === "Killed") score.killed += 1;
    if (fate === "Killed" || fate === "Static") continue;
    const known = survivors.find((survivor) => survivor.file === file && survivor.changes.includes(change));
    if (known !== undefined) {
      used.add(`${file} ${change}`);
      score[known.isEquivalent ? "equivalent" : "accepted"] += 1;
    } else {
      unexplained += 1;
      console.log(`${file}:${line} ${fate}\n    ${change}`);
    }
  }
  const stale = survivors
    .filter(({ file }) => files.includes(file))
    .flatMap(({ file, changes }) => changes.map((change) => ({ file, change })))
    .filter(({ file, change }) => !used.has(`${file} ${change}`));
  for (const { file, change } of stale)
    console.log(`${file}: no such survivor any more; take it from survivors.ts\n    ${change}`);
  const total = [...scores.values()].reduce(sum, noScore());
  console.table(
    Object.fromEntries(
      [...scores, ["all", total] as const].map(([file, score]) => [file, withPercent(score)]),
    ),
  );
  return unexplained === 0 && stale.length === 0 && shareOf(total) >= shareMin;
}

interface Score {
  mutants: number;
  killed: number;
  /** Survivors that no test could distinguish from the original. */
  equivalent: number;
  /** Other survivors that are explained. */
  accepted: number;
  /** Mutants in code that runs when a module is loaded, such as schemas; not tried, and not counted above. */
  static: number;
}

function noScore(): Score {
  return { mutants: 0, killed: 0, equivalent: 0, accepted: 0, static: 0 };
}

function sum(a: Score, b: Score): Score {
  return {
    mutants: a.mutants + b.mutants,
    killed: a.killed + b.killed,
    equivalent: a.equivalent + b.equivalent,
    accepted: a.accepted + b.accepted,
    static: a.static + b.static,
  };
}

function shareOf({ mutants: all, killed, equivalent }: Score): number {
  return all === equivalent ? 1 : killed / (all - equivalent);
}

function withPercent(score: Score) {
  return { ...score, percent: Math.round(1_000 * shareOf(score)) / 10 };
}
