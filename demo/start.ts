/**
 * `npm start`: four years of football, replayed through the callables on the emulators while the ranking runs, and
 * every team's rank then checked against an independent recount. Stays up afterwards; `npm start -- --exit` stops,
 * with exit code 0 only if the check holds.
 */
import { parseArgs } from "node:util";
import { Firestore } from "../functions/src/firestore.ts";
import { seasonPath } from "../functions/src/model/paths.ts";
import {
  addressesIn,
  callableUrl,
  type CallableClient,
  createAccount,
  createCallableClient,
} from "../scripts/callable-client.ts";
import { startClock } from "../scripts/clock.ts";
import { projectId } from "../scripts/project.ts";
import { startSuite, type Suite } from "../scripts/suite.ts";
import { differences } from "./check.ts";
import { questionLines, runsLine } from "./costs.ts";
import { count, rowsOf, tableLines } from "./drawing.ts";
import { columns, footballFile, readMatches, resultsOf } from "./football.ts";
import { recount } from "./recount.ts";
import { patiently, replay } from "./replay.ts";
import { createScreen, paintFor } from "./screen.ts";
import { settle } from "./settle.ts";

const usage = "Usage: npm start [-- --exit]";
const key = { leaderboard: "football", season: "all_time" };
const { leaderboard } = key;

const definition = {
  aggregation: "sum",
  columns,
  visibility: "public",
  ranking_interval_minutes: 0.05, // the emulators allow fractions: three seconds
  expected_writes_per_second: 40,
};

/** Teams that have an account each and submit their own results. */
const ownTeams = ["Leicester City", "RB Leipzig", "Frosinone"];

process.exitCode = await main();

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
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        interruption.abort(); // the suite stops itself, and then this process
      });
    }
    Object.assign(process.env, suite.env);
    const clock = startClock({
      functionsHost: addressesIn(suite.env).functions,
      names: ["rankSeasons"],
      everyMs: 1_000,
      report: (message) => {
        if (!interruption.signal.aborted) {
          console.error(message);
        }
      },
    });
    try {
      const holds = await Promise.race([demonstrate(suite), suite.failure]);
      if (holds && !options.exit) {
        printAddresses(suite);
        return await suite.failure;
      }
      return holds ? 0 : 1;
    } finally {
      await clock.stop();
    }
  } catch (error) {
    if (interruption.signal.aborted) {
      return await new Promise<never>(() => undefined); // the suite ends this process
    }
    console.error(`\nThe demo failed: ${(error as Error).message}`);
    return 1;
  } finally {
    await suite?.stop();
  }
}

/** The whole story. Returns whether the check holds. */
async function demonstrate({ env, emulator }: Suite): Promise<boolean> {
  const startedAt = Date.now();
  const addresses = addressesIn(env);
  const account = await createAccount(addresses, {
    uid: "league-office",
    claims: { leaderboard_admin: true },
  });
  const admin = createCallableClient(addresses, account);
  const anyone = createCallableClient(addresses);
  const own = new Map<string, CallableClient>();
  for (const uid of ownTeams) {
    own.set(uid, createCallableClient(addresses, await createAccount(addresses, { uid })));
  }
  await patiently(() => admin.call("saveLeaderboard", { leaderboard, definition }));

  const matches = readMatches();
  const results = resultsOf(matches);
  const expected = recount(footballFile);
  announce(matches.length, results.length, expected.length);

  const db = new Firestore({ projectId });
  const screen = createScreen(process.stdout, results.length);
  const showTop = async () => {
    const top = await patiently(() => anyone.call("getTop", { leaderboard, limit: 20 }));
    screen.top(rowsOf(top), top.generation);
    return top;
  };
  const final = await (async () => {
    try {
      await replay({ leaderboard, admin, own }, results, async (done, date) => {
        screen.progress(done, date);
        await showTop();
      });
      await settle(db, key, expected.length, (behind) => {
        screen.status(`waiting for the index: ${behind} teams behind`);
      });
      await admin.call("runRanking", { leaderboard, include_open_slot: true });
      screen.status("all of it ranked");
      return await showTop();
    } finally {
      screen.close();
    }
  })();

  print(
    "",
    `Final table, the first 20 of ${final.players}`,
    "",
    ...tableLines(rowsOf(final), paintFor(process.stdout)),
  );
  const leader = expected[0];
  if (leader === undefined) {
    throw new Error(`${footballFile} holds no results.`);
  }
  print(
    "",
    "What some questions cost in document reads, measured:",
    "",
    ...(await questionLines(key, leader)).map(indent),
  );
  print("", await runsLine(db, key));
  const generation = Number((await db.doc(seasonPath(key)).get()).get("ranking.generation"));
  await db.terminate();
  const wrong = await differences(anyone, leaderboard, generation, expected);
  const verdict =
    wrong.length === 0
      ? `yes (${expected.length} teams)`
      : `NO (${wrong.length} of ${expected.length} differ)`;
  print("", `every team's rank equals an independent recount: ${verdict}`, ...wrong.slice(0, 10).map(indent));
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  print(
    "",
    `It took ${seconds} s on an emulator (${emulator.kind}), which says nothing about Firestore's own speed.`,
  );
  return wrong.length === 0;
}

function announce(lines: number, results: number, teams: number): void {
  print(
    "",
    `football.json of vega-datasets: ${count(lines)} matches of five leagues by ${teams} teams.`,
    `${lines - results} of them have no result there, and are listed a second time with it. The other ${count(results)} are`,
    `replayed in order of date: ${count(2 * results)} submissions, those of ${ownTeams.join(", ")}`,
    "by their own accounts, all others by an admin's. The ranking runs every three seconds.",
    "",
  );
}

function printAddresses({ env, ports }: Suite): void {
  const url = callableUrl(addressesIn(env), "getRank");
  const data = JSON.stringify({ data: { leaderboard, player: "Leicester City" } });
  print(
    "",
    "The emulators stay up until Ctrl-C:",
    ...Object.entries(ports).map(([name, port]) => indent(`${name.padEnd(10)} http://127.0.0.1:${port}`)),
    "",
    "Ask for a rank yourself:",
    indent(`curl -s ${url} \\`),
    indent(`  -H 'Content-Type: application/json' -d '${data}'`),
  );
}

function readOptions(): { exit: boolean } | string {
  try {
    const { values } = parseArgs({ options: { exit: { type: "boolean", default: false } } });
    return values;
  } catch (error) {
    return (error as Error).message;
  }
}

function print(...lines: string[]): void {
  console.log(lines.join("\n"));
}

function indent(line: string): string {
  return `  ${line}`;
}
