/**
 * `npm start`: four years of football, replayed through the callables on the emulators while the ranking runs, with a
 * tournament for each year of a division, closed after its last match, two weeks of a league, and a challenge. Every team's rank, also
 * in its league and a week before, every group, the challenge and every final table is then checked against an independent recount. Stays up afterwards; `npm start -- --exit` stops, with exit code 0 only if
 * the checks hold.
 */
import { addressesIn, callableUrl } from "../scripts/callable-client.ts";
import { optionsOf } from "../scripts/options.ts";
import { startSuite, type Suite } from "../scripts/suite.ts";
import { rankAsked } from "./check.ts";
import { leagueBoard } from "./league.ts";
import { leaderboard, tellStory } from "./story.ts";

// Not only the exit code: where the emulators ended, the replay would go on trying to reach them.
process.exit(await main());

async function main(): Promise<number> {
  const { exit } = optionsOf("npm start [-- --exit]", { options: { exit: { type: "boolean" } } }).values;
  // On a signal the suite stops itself and then this process; what fails meanwhile is no failure of the demo.
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      interruption.abort();
    });
  let suite: Suite | undefined;
  try {
    console.log("Starting the emulators …");
    suite = await startSuite({ ports: "default" });
    console.log(`They are ready after ${suite.startedAfter.toFixed(1)} s.`);
    console.log(`\nWatch it in the dashboard: ${dashboardOf(suite)} ("Sign in as admin" shows all of it)`);
    return await runOn(suite, exit !== true);
  } catch (error) {
    if (interruption.signal.aborted) return await new Promise<never>(() => undefined);
    console.error(`\nThe demo failed: ${(error as Error).message}`);
    return 1;
  } finally {
    await suite?.stop();
  }
}

async function runOn(suite: Suite, stays: boolean): Promise<number> {
  Object.assign(process.env, suite.env); // where the Admin SDK looks for the emulators
  const startedAt = Date.now();
  const holds = await Promise.race([tellStory(addressesIn(suite.env)), suite.failure]);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  console.log(
    `\nIt took ${seconds} s on an emulator (${suite.emulator.kind}), no measure of Firestore's own speed.`,
  );
  if (!holds) return 1;
  if (!stays) return 0;
  printAddresses(suite);
  return await suite.failure;
}

/** A season in the dashboard; its page waits for the first score. */
function dashboardOf({ ports }: Suite, page = `${leaderboard}/all_time`): string {
  return `http://127.0.0.1:${ports["hosting"]}/boards/${page}`;
}

function printAddresses(suite: Suite): void {
  const { env, ports } = suite;
  const url = callableUrl(addressesIn(env), "getRank");
  const data = JSON.stringify({ data: { leaderboard, player: "Leicester City", ...rankAsked } });
  const addresses = Object.entries(ports).map(
    ([name, port]) => `  ${name.padEnd(10)} http://127.0.0.1:${port}`,
  );
  console.log(`
The emulators stay up until Ctrl-C:
${addresses.join("\n")}

The year of Leicester City in the dashboard:
  ${dashboardOf(suite, `${leaderboard}/premier-league-2015-16`)}

The two weeks of the league, with its groups, for who has signed in there as admin:
  ${dashboardOf(suite, leagueBoard)}

Ask for a rank yourself, everywhere, in the team's league and since the week before:
  curl -s ${url} \\
    -H 'Content-Type: application/json' \\
    -d '${data}'`);
}
