/** What the demo does once the emulators run: the replay, the final tables, their costs, and the check. */
import { Firestore } from "../functions/src/documents/firestore.ts";
import { seasonPath } from "../functions/src/documents/paths.ts";
import {
  type Addresses,
  type CallableClient,
  createAccount,
  createCallableClient,
} from "../scripts/callable-client.ts";
import { projectId } from "../scripts/project.ts";
import { compareTables, differences, drawnTable, tableOf } from "./check.ts";
import { followClosings } from "./closings.ts";
import { closingsLine, questionLines, runsLine } from "./costs.ts";
import { championLine, count, rowsOf, tableLines } from "./drawing.ts";
import {
  columns,
  footballFile,
  readMatches,
  type Result,
  resultsOf,
  type Year,
  yearsFrom,
  yearsOf,
} from "./football.ts";
import { recount, recountYears, type Standing } from "./recount.ts";
import { patiently, type Played, replay, type Senders } from "./replay.ts";
import { createScreen, paintFor } from "./screen.ts";

export const leaderboard = "football";
const key = { leaderboard, season: "all_time" };

const definition = {
  aggregation: "sum",
  columns,
  visibility: "public",
  top_size: 20,
  ranking_interval_minutes: 0.05, // the emulators allow fractions: three seconds
};

/** Teams that have an account each and submit their own results. */
const ownTeams = ["Leicester City", "RB Leipzig", "Frosinone"];

/** A final table that was asked for, and what is wrong with it. */
interface FinalTable {
  year: Year;
  table: Awaited<ReturnType<typeof tableOf>>;
  wrong: string[];
}

/**
 * The whole story. Returns whether the checks hold: of all time, and of each tournament.
 * @param failure rejects if the emulators end.
 */
export async function tellStory(addresses: Addresses, failure: Promise<never>): Promise<boolean> {
  const senders = await createSenders(addresses);
  const anyone = createCallableClient(addresses);
  await patiently(() => senders.admin.call("saveLeaderboard", { leaderboard, definition }));

  const matches = readMatches();
  const results = resultsOf(matches);
  const years = yearsOf(matches);
  const expected = recount(footballFile);
  announce(matches.length, results.length, expected.length, years.length);

  const db = new Firestore({ projectId });
  try {
    await rankWhileReplaying(db, senders, anyone, { results, years }, failure);
    await showTable(anyone);
    const finals = await readFinals(anyone, years);
    showChampions(finals);
    await showCosts(db, expected, years);
    const holds = await showCheck(db, anyone, expected);
    return showFinalsCheck(finals) && holds;
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

/** Returns when all results are in and ranked, and all tournaments closed. */
async function rankWhileReplaying(
  db: Firestore,
  senders: Senders,
  anyone: CallableClient,
  { results, years }: { results: readonly Result[]; years: readonly Year[] },
  failure: Promise<never>,
): Promise<void> {
  const screen = createScreen(process.stdout, results.length);
  let played: Played["bySeason"] = new Map();
  const showTop = async () => {
    const top = await patiently(() => anyone.call("getTop", { leaderboard, limit: 10 }));
    screen.top(rowsOf(top), top.generation);
  };
  const rankAll = async () => {
    await replay(senders, results, async ({ matches, date, bySeason }) => {
      played = bySeason;
      await showTop();
      screen.progress(matches, date);
    });
    await patiently(() => senders.admin.call("runRanking", { leaderboard, include_open_slot: true }));
    await showTop();
  };
  const closings = followClosings({
    db,
    leaderboard,
    years,
    played: () => played,
    show: (states) => {
      screen.years(states);
    },
  });
  try {
    await Promise.race([Promise.all([rankAll(), closings]), failure]);
  } finally {
    screen.close();
  }
}

function announce(lines: number, results: number, teams: number, years: number): void {
  print(
    "",
    `football.json of vega-datasets: ${count(lines)} matches of five leagues, ${teams} teams.`,
    `${lines - results} have no result there and are listed a second time with it. The other`,
    `${count(results)} are replayed in order of date, as ${count(2 * results)} submissions: those of`,
    `${ownTeams.join(", ")} by their own accounts, all others by an`,
    "admin's. The ranking runs every three seconds. Each result also counts in one of",
    `${years} tournaments, one for each football year of a division. A tournament is closed`,
    "after its last match.",
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

async function readFinals(anyone: CallableClient, years: readonly Year[]): Promise<FinalTable[]> {
  const expected = recountYears(footballFile);
  const finals: FinalTable[] = [];
  for (const year of years) {
    const table = await tableOf(anyone, leaderboard, year.season);
    const standings = expected.get(`${year.division} ${year.firstYear}`) ?? [];
    finals.push({ year, table, wrong: [...compareTables(standings, table)] });
  }
  return finals;
}

function showChampions(finals: readonly FinalTable[]): void {
  const paint = paintFor(process.stdout);
  print("", `The champions of ${finals.length} closed tournaments, by results alone`);
  for (const [name, ofDivision] of Map.groupBy(finals, ({ year }) => year.name)) {
    print("", `  ${paint("dim", name)}`);
    print(...ofDivision.map(({ year, table }) => championLine(year, drawnTable(table), paint)));
  }
}

function showFinalsCheck(finals: readonly FinalTable[]): boolean {
  const wrong = finals.filter((final) => final.wrong.length > 0);
  const places = finals.reduce((sum, { table }) => sum + table.entries.length, 0);
  const verdict =
    wrong.length === 0
      ? `yes (${finals.length} tables, ${places} places)`
      : `NO (${wrong.length} of ${finals.length} tables differ)`;
  print(`every tournament's final table equals an independent recount: ${verdict}`);
  for (const { year, wrong: lines } of wrong) {
    print(`  ${year.name} ${yearsFrom(year.firstYear)}:`, ...lines.slice(0, 10).map((line) => `    ${line}`));
  }
  return wrong.length === 0;
}

async function showCosts(
  db: Firestore,
  [leader]: readonly Standing[],
  years: readonly Year[],
): Promise<void> {
  if (leader === undefined) {
    throw new Error(`${footballFile} holds no results.`);
  }
  print("", "What some questions cost in document reads, measured:", "");
  print(...(await questionLines(key, leader)).map(indent));
  const tournaments = years.map(({ season }) => season);
  print("", `of all time, ${await runsLine(db, key)}`, await closingsLine(db, leaderboard, tournaments));
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
