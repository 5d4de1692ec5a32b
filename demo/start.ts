/**
 * `npm start`: four years of football, replayed through the callables on the emulators while the ranking runs, with a
 * tournament for each year of a division, closed after its last match. Every team's rank and every final table is then
 * checked against an independent recount. Stays up afterwards; `npm start -- --exit` stops, with exit code 0 only if
 * the checks hold.
 */
import { parseArgs } from "node:util";
import { addressesIn, callableUrl } from "../scripts/callable-client.ts";
import { startClock } from "../scripts/clock.ts";
import { startSuite, type Suite } from "../scripts/suite.ts";
import { leaderboard, tellStory } from "./story.ts";

const usage = "Usage: npm start [-- --exit]";

// Not only the exit code: where the emulators ended, the replay would go on trying to reach them.
process.exit(await main());

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === "string") {
    console.error(`${options}\n${usage}`);
    return 2;
  }
  const interruption = new AbortController();
  let suite: Suite | undefined;
  try {
    console.log("Starting the emulators …");
    suite = await startSuite({ ports: "default" });
    console.log(`They are ready after ${suite.startedAfter.toFixed(1)} s.`);
    console.log(`\nWatch it in the dashboard: ${dashboardOf(suite)} ("Sign in as admin" shows all of it)`);
    noteInterruption(interruption);
    return await runOn(suite, options, interruption.signal);
  } catch (error) {
    if (interruption.signal.aborted) {
      return await new Promise<never>(() => undefined); // the suite ends this process when it has stopped
    }
    console.error(`\nThe demo failed: ${(error as Error).message}`);
    return 1;
  } finally {
    await suite?.stop();
  }
}

async function runOn(suite: Suite, options: { exit: boolean }, interrupted: AbortSignal): Promise<number> {
  Object.assign(process.env, suite.env); // where the Firestore client and the Admin SDK look for the emulators
  const addresses = addressesIn(suite.env);
  const clock = startClock(addresses.functions, 1_000, (message) => {
    if (!interrupted.aborted) console.error(message);
  });
  try {
    const startedAt = Date.now();
    const holds = await Promise.race([tellStory(addresses, suite.failure), suite.failure]);
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    console.log(
      `\nIt took ${seconds} s on an emulator (${suite.emulator.kind}), no measure of Firestore's own speed.`,
    );
    if (!holds || options.exit) {
      return holds ? 0 : 1;
    }
    printAddresses(suite);
    return await suite.failure;
  } finally {
    await clock.stop();
  }
}

/** On a signal the suite stops itself and then this process; what fails meanwhile is no failure of the demo. */
function noteInterruption(interruption: AbortController): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      interruption.abort();
    });
  }
}

/** A season in the dashboard; its page waits for the first score. */
function dashboardOf({ ports }: Suite, season = "all_time"): string {
  return `http://127.0.0.1:${ports["hosting"]}/boards/${leaderboard}/${season}`;
}

function printAddresses(suite: Suite): void {
  const { env, ports } = suite;
  const url = callableUrl(addressesIn(env), "getRank");
  const data = JSON.stringify({ data: { leaderboard, player: "Leicester City" } });
  console.log("\nThe emulators stay up until Ctrl-C:");
  for (const [name, port] of Object.entries(ports)) {
    console.log(`  ${name.padEnd(10)} http://127.0.0.1:${port}`);
  }
  console.log("\nThe year of Leicester City in the dashboard:");
  console.log(`  ${dashboardOf(suite, "premier-league-2015-16")}`);
  console.log("\nAsk for a rank yourself:");
  console.log(`  curl -s ${url} \\`);
  console.log(`    -H 'Content-Type: application/json' \\\n    -d '${data}'`);
}

function readOptions(): { exit: boolean } | string {
  try {
    const { values } = parseArgs({ options: { exit: { type: "boolean", default: false } } });
    return values;
  } catch (error) {
    return (error as Error).message;
  }
}
