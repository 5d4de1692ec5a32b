/**
 * hidane makes a folder for its `java`, named after its process id, and removes it when it ends. One that is killed
 * leaves it, and a later one with the same id refuses to start.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runningProcesses } from "./processes.ts";

const prefix = "hidane-shim-";

/** Removes the folders of those that no longer run. Folders of other users stay. */
export function removeLeftShims(folder: string): void {
  const pids = readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((pid) => /^\d+$/.test(pid));
  if (pids.length === 0) return;
  // Asked after the folders are known, so that one that has just started is among them.
  const running = new Set(runningProcesses().map(({ pid }) => String(pid)));
  for (const pid of pids.filter((one) => !running.has(one))) {
    try {
      rmSync(join(folder, prefix + pid), { recursive: true, force: true });
    } catch (error) {
      if (!["EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}
