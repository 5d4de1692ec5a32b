/** `npm test`: all tests, with an emulator suite of their own. Arguments are vitest's: `npm test -- fold`. */
import { join } from "node:path";
import { runCommand } from "./processes.ts";
import { root } from "./project.ts";
import { startSuite } from "./suite.ts";

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const suite = await startSuite({ ports: "tests" });
    try {
      const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
      const args = [vitest, "run", ...process.argv.slice(2)];
      const tests = runCommand(process.execPath, args, { ...process.env, ...suite.env });
      return await Promise.race([tests, suite.failure]);
    } finally {
      await suite.stop();
      console.log(
        `Firestore emulator: ${suite.emulator.name}, ready after ${suite.startedAfter.toFixed(1)} s.`,
      );
    }
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
}
