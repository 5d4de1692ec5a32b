/**
 * hidane makes a folder for its `java`, named after its process id, and removes it when it ends. One that is killed leaves
 * it, and a later one with the same id refuses to start.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Removes the folders of those that no longer run. Folders of other users stay. */
export function removeLeftShims(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^hidane-shim-(\d+)$/.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch (error) {
      if (!["EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
