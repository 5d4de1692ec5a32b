/** What the demo does once the emulators run: the replay, the final table, its costs, and the check. */
import { Firestore } from "../functions/src/documents/firestore.ts";
import { seasonPath } from "../functions/src/documents/paths.ts";
import {
  type Addresses,
  type CallableClient,
  createAccount,
  createCallableClient,
} from "../scripts/callable-client.ts";
import { projectId } from "../scripts/project.ts";
import { differences } from "./check.ts";
import { questionLines, runsLine } from "./costs.ts";
import { count, rowsOf, tableLines } from "./drawing.ts";
import { columns, footballFile, readMatches, type Result, resultsOf } from "./football.ts";
import { recount, type Standing } from "./recount.ts";
import { patiently, replay, type Senders } from "./replay.ts";
import { createScreen, paintFor } from "./screen.ts";
import { settle } from "./settle.ts";

export const leaderboard = "football";
const key = { leaderboard, season: "all_time" };

const definition = {
  aggregation: "sum",
  columns,
  visibility: "public",
  top_size: 20,
  ranking_interval_minutes: 0.05, // the emulators allow fractions: three seconds
  expected_writes_per_second: 40,
};

/** Teams that have an account each and submit their own results. */
const ownTeams = ["Leicester City", "RB Leipzig", "Frosinone"];

/** Teams whose index entries may be behind while the replay goes on. */
const behindMax = 15;

/**
 * The whole story. Returns whether the check holds.
 * @param failure rejects if the emulators end.
 */
export async function tellStory(addresses: Addresses, failure: Promise<never>): Promise<boolean> {
  const senders = await createSenders(addresses);
  const anyone = createCallableClient(addresses);
  await patiently(() => senders.admin.call("saveLeaderboard", { leaderboard, definition }));

  const matches = readMatches();
  const results = resultsOf(matches);
  const expected = recount(footballFile);
  announce(matches.length, results.length, expected.length);

  const db = new Firestore({ projectId });
  try {
    await rankWhileReplaying(db, senders, anyone, results, failure);
    await showTable(anyone);
    await showCosts(db, expected);
    return await showCheck(db, anyone, expected);
  } finally {
    await db.terminate();
  }
}

async function createSenders(addresses: Addresses): Promise<Senders> {
  const office = await createAccount(addresses, {
    uid: "league-office",
    claims: { leaderboard_admin: true },
  });
  const own = new Map<string, CallableClient>();
  for (const uid of ownTeams) {
    own.set(uid, createCallableClient(addresses, await createAccount(addresses, { uid })));
  }
  return { leaderboard, admin: createCallableClient(addresses, office), own };
}

/** Returns when all results are in, indexed and ranked. */
async function rankWhileReplaying(
  db: Firestore,
  senders: Senders,
  anyone: CallableClient,
  results: readonly Result[],
  failure: Promise<never>,
): Promise<void> {
  const screen = createScreen(process.stdout, results.length);
  const showTop = async () => {
    const top = await patiently(() => anyone.call("getTop", { leaderboard, limit: 10 }));
    screen.top(rowsOf(top), top.generation);
  };
  const rankAll = async () => {
    await replay(senders, results, async (done, date) => {
      await showTop();
      screen.progress(done, date);
      // The emulators hand events on one by one: without a pause the ranking would miss most of the story.
      await settle(db, key, behindMax, showTop);
    });
    await settle(db, key, 0, async (behind) => {
      screen.waiting(behind);
      await showTop();
    });
    screen.waiting(0);
    await patiently(() => senders.admin.call("runRanking", { leaderboard, include_open_slot: true }));
    await showTop();
  };
  try {
    await Promise.race([rankAll(), failure]);
  } finally {
    screen.close();
  }
}

function announce(lines: number, results: number, teams: number): void {
  print(
    "",
    `football.json of vega-datasets: ${count(lines)} matches of five leagues, ${teams} teams.`,
    `${lines - results} have no result there and are listed a second time with it. The other`,
    `${count(results)} are replayed in order of date, as ${count(2 * results)} submissions: those of`,
    `${ownTeams.join(", ")} by their own accounts, all others by an`,
    "admin's. The ranking runs every three seconds.",
    "",
  );
}

async function showTable(anyone: CallableClient): Promise<void> {
  const top = await patiently(() => anyone.call("getTop", { leaderboard, limit: 20 }));
  const lines = tableLines(rowsOf(top), paintFor(process.stdout));
  print(
    "",
    `The final table, generation ${top.generation}: the first 20 of ${top.players} teams`,
    "",
    ...lines,
  );
}

async function showCosts(db: Firestore, [leader]: readonly Standing[]): Promise<void> {
  if (leader === undefined) {
    throw new Error(`${footballFile} holds no results.`);
  }
  print("", "What some questions cost in document reads, measured:", "");
  print(...(await questionLines(key, leader)).map(indent));
  print("", await runsLine(db, key));
}

async function showCheck(
  db: Firestore,
  anyone: CallableClient,
  expected: readonly Standing[],
): Promise<boolean> {
  const season = await db.doc(seasonPath(key)).get();
  const wrong = await differences(anyone, leaderboard, Number(season.get("ranking.generation")), expected);
  const holds = wrong.length === 0;
  const verdict = holds
    ? `yes (${expected.length} teams)`
    : `NO (${wrong.length} of ${expected.length} differ)`;
  print("", `every team's rank equals an independent recount: ${verdict}`, ...wrong.slice(0, 10).map(indent));
  return holds;
}

function print(...lines: string[]): void {
  console.log(lines.join("\n"));
}

function indent(line: string): string {
  return `  ${line}`;
}
