/** The processes in which the Functions emulator runs functions: each runs one call at a time, and is kept for the next. */
import { commandOf, descendantsOf, type RunningProcess } from "./processes.ts";

export interface FunctionsWorker {
  process: RunningProcess;
  /** The function that it runs: `submitScore`. */
  name: string;
}

/** The firebase-tools process of a hub (`FIREBASE_EMULATOR_HUB`, as `host:port`). */
export async function emulatorsPid(hub: string): Promise<number> {
  const response = await fetch(`http://${hub}/`);
  const { pid } = (await response.json()) as { pid?: number };
  if (pid === undefined) {
    throw new Error(`The emulator hub at ${hub} does not say which process it is.`);
  }
  return pid;
}

/** The running workers that firebase-tools (`pid`) started, the oldest first, which it prefers. */
export function functionsWorkers(pid: number): FunctionsWorker[] {
  return descendantsOf(pid)
    .sort((a, b) => a.pid - b.pid)
    .flatMap((process) => {
      const command = commandOf(process);
      const name = / FUNCTION_TARGET=(\w+)/.exec(command)?.[1];
      return name !== undefined && command.includes("functionsEmulatorRuntime") ? [{ process, name }] : [];
    });
}
