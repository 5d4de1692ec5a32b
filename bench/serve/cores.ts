/** Pins processes to cores, and measures their CPU time. Linux only; elsewhere nothing is pinned. */
import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { descendantsOf } from "../../scripts/processes.ts";

/** The command prefix that pins a program to a core; empty if there is no core to spare. */
export function pinnedTo(core: number): string[] {
  return canPin() ? ["taskset", "-c", String(core)] : [];
}

/** Keeps this process, and all its threads, to a core. */
export function pinSelfTo(core: number): void {
  if (canPin()) execFileSync("taskset", ["-acp", String(core), String(process.pid)], { stdio: "ignore" });
}

/** Whether function and load can have a core each. */
export function canPin(): boolean {
  if (process.platform !== "linux" || availableParallelism() < 2) return false;
  try {
    execFileSync("taskset", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The kernel counts in hundredths of a second. */
const ticksPerSecond = 100;

/** CPU time that a process and its descendants have used, in seconds; NaN if the system does not say. */
export function cpuSeconds(pid: number): number {
  const pids = [pid, ...descendantsOf(pid).map((process) => process.pid)];
  return pids.reduce((sum, each) => sum + ticksOf(each), 0) / ticksPerSecond;
}

const idleMs = 100;
const idleMsMax = 60_000;

/**
 * Waits until processes have used no CPU time for a tenth of a second, for instance a database that is still working on
 * abandoned requests; at most a minute.
 */
export async function untilIdle(pids: readonly number[]): Promise<void> {
  const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const deadline = Date.now() + idleMsMax;
  for (let before = NaN, now = used(); now > before || Number.isNaN(before);) {
    if (Number.isNaN(now) || Date.now() > deadline) return; // the system does not say
    before = now;
    await sleep(idleMs);
    now = used();
  }
}

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // "pid (name) state parent … utime stime …"; the name may hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return NaN;
  }
}
