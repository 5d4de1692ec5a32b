/** The emulators of firebase-tools as a process of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { Emulator } from "./emulator.ts";
import { firebaseTools, workFolder } from "./project.ts";

interface Launch {
  /** Where firebase-tools leaves its own debug logs. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The file for what it says. */
  log: string;
}

/** Runs `firebase emulators:start`, in a group of its own: Ctrl-C in the terminal reaches only us, who stop it in order. */
export function launch(
  { wrapper, env: own }: Emulator,
  args: readonly string[],
  { cwd, env, log }: Launch,
): ChildProcess {
  const firebase = join(firebaseTools, "bin", "firebase.js");
  const [program, ...words] = [...wrapper, process.execPath, firebase, "emulators:start", ...args] as const;
  const output = openSync(log, "w");
  return spawn(program ?? process.execPath, words, {
    cwd,
    // Each process of the functions loads the same modules.
    env: { ...env, ...own, NO_UPDATE_NOTIFIER: "1", NODE_COMPILE_CACHE: workFolder("compiled") },
    detached: true,
    stdio: ["ignore", output, output],
  });
}

/**
 * Waits until all are ready: firebase-tools logs that after it has loaded the functions; their port is open long before.
 * @throws if they end before, or take longer than `msMax`
 */
export async function becomesReady(
  child: ChildProcess,
  log: string,
  { msMax, meanwhile = () => undefined }: { msMax: number; meanwhile?: () => void },
): Promise<void> {
  const deadline = Date.now() + msMax;
  while (!readFileSync(log, "utf8").includes("All emulators ready")) {
    const isOver = child.pid === undefined || child.exitCode !== null || Date.now() > deadline;
    if (isOver) throw new Error(`The emulators did not start. The end of ${log}:\n\n${endOf(log)}\n`);
    await sleep(200);
    meanwhile();
  }
}

/** The last lines of the log, without the table of addresses that firebase-tools ends with when all seems well. */
export function endOf(log: string): string {
  const [report = ""] = stripVTControlCharacters(readFileSync(log, "utf8")).split("\n\n┌");
  return report.trimEnd().split("\n").slice(-30).join("\n");
}
