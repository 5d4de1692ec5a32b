/**
 * `npm run emulators`: the emulator suite, where the functions have a clock of their own, until Ctrl-C. `npm run emulators --
 * --exec "<command>"`: the same while a command runs, which finds the emulators by its environment.
 */
import { optionsOf } from "./options.ts";
import { runCommand } from "./processes.ts";
import { startSuite } from "./suite.ts";

const usage = `npm run emulators -- [--exec "<command>"]`;
const { exec } = optionsOf(usage, { options: { exec: { type: "string" } } }).values;

try {
  process.exitCode = await runSuite();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function runSuite(): Promise<number> {
  const suite = await startSuite({ ports: "default" });
  try {
    console.log(`The emulators are ready after ${suite.startedAfter.toFixed(1)} s.`);
    if (exec !== undefined)
      return await Promise.race([runCommand(exec, { ...process.env, ...suite.env }), suite.failure]);
    for (const [emulator, port] of Object.entries(suite.ports))
      console.log(`  ${emulator.padEnd(10)} http://127.0.0.1:${port}`);
    console.log("Ctrl-C stops them.");
    return await suite.failure;
  } finally {
    await suite.stop();
  }
}
