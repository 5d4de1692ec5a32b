/**
 * `npm run emulators`: the emulator suite with a clock for its scheduled functions, until Ctrl-C. `npm run emulators --
 * --exec "<command>"`: the same while a command runs, which finds the emulators by its environment.
 */
import { parseArgs } from "node:util";
import { startClock } from "./clock.ts";
import type { PortsChoice } from "./ports.ts";
import { runCommand } from "./processes.ts";
import { startSuite } from "./suite.ts";

const usage = `Usage: npm run emulators -- [--exec "<command>"] [--ports default|tests]`;
const clockMs = 1_000;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === "string") {
    console.error(`${options}\n${usage}`);
    return 2;
  }
  const suite = await startSuite(options).catch((error: unknown) => {
    console.error((error as Error).message);
    return undefined;
  });
  if (suite === undefined) {
    return 1;
  }
  const clock = startClock(`127.0.0.1:${suite.ports["functions"]}`, clockMs);
  try {
    console.log(`The emulators are ready after ${suite.startedAfter.toFixed(1)} s.`);
    if (options.exec !== undefined) {
      const command = runCommand(options.exec, [], { ...process.env, ...suite.env }, true);
      return await Promise.race([command, suite.failure]);
    }
    for (const [emulator, port] of Object.entries(suite.ports)) {
      console.log(`  ${emulator.padEnd(10)} http://127.0.0.1:${port}`);
    }
    console.log("Ctrl-C stops them.");
    return await suite.failure;
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  } finally {
    await clock.stop();
    await suite.stop();
  }
}

function readOptions(): { ports: PortsChoice; exec: string | undefined } | string {
  try {
    const { values } = parseArgs({
      options: { exec: { type: "string" }, ports: { type: "string", default: "default" } },
    });
    const { ports, exec } = values;
    return ports === "default" || ports === "tests"
      ? { ports, exec }
      : `--ports is "${ports}"; it can be "default" or "tests".`;
  } catch (error) {
    return (error as Error).message;
  }
}
