/** `firerank dashboard` as a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished } from "vitest";

/**
 * Starts it, until the test ends.
 * @param program the command line's first file. @param cwd the folder that it is called in
 * @returns the address that it prints; and what ends it as Ctrl-C does, and gives its exit code
 */
export async function startDashboard(
  program: string,
  cwd: string,
  ...options: readonly string[]
): Promise<{ address: string; interrupt: () => Promise<unknown> }> {
  const words = [program, "dashboard", ...options];
  const command = spawn(process.execPath, words, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void command.kill("SIGKILL"));
  const exit = once(command, "exit");
  for await (const line of createInterface(command.stdout)) {
    const address = /^The dashboard: (\S+)$/.exec(line)?.[1];
    const interrupt = async () => {
      command.kill("SIGINT");
      return ((await exit) as unknown[])[0];
    };
    if (address !== undefined) return { address, interrupt };
  }
  return expect.fail("it ended before it had printed an address");
}
