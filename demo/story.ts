/** What the demo does once the emulators run: the replay, the final tables, and the check. */
import { setTimeout as sleep } from "node:timers/promises";
import { createProgress } from "../cli/progress.ts";
import {
  type Addresses,
  type CallableClient,
  createAccount,
  createCallableClient,
} from "../scripts/callable-client.ts";
import { differences, finalTableOf, type Place, ranksOf } from "./check.ts";
import {
  columns,
  footballFile,
  readMatches,
  type Result,
  resultsOf,
  type Year,
  yearsOf,
} from "./football.ts";
import { recount, recountYears } from "./recount.ts";
import { patiently, replay, type Senders } from "./replay.ts";

export const leaderboard = "football";

const definition = {
  aggregation: "sum",
  columns,
  visibility: "public",
  top_size: 20,
  ranking_interval_minutes: 0.05, // the emulators allow fractions: three seconds
};

/** Teams that have an account each and submit their own results. */
const ownTeams = ["Leicester City", "RB Leipzig", "Frosinone"];

/** A closing on the emulators takes about ten seconds; this is how long none may end on a busy machine. */
const closingSecondsMax = 240;
const lookEveryMs = 1_000;

/** The whole story. Returns whether the checks hold: of all time, and of each tournament. */
export async function tellStory(addresses: Addresses): Promise<boolean> {
  const senders = await createSenders(addresses);
  const anyone = createCallableClient(addresses);
  await patiently(() => senders.admin.call("saveLeaderboard", { leaderboard, definition }));
  const results = resultsOf(readMatches());
  const years = yearsOf(results);
  const expected = recount(footballFile);
  console.log(
    `\nfootball.json of vega-datasets: ${results.length} matches of five leagues, ${expected.length} teams, replayed in\n` +
      `order of date. ${ownTeams.join(", ")} submit their own results, an admin all others.\n` +
      "The ranking runs every three seconds. Each result also counts in one of\n" +
      `${years.length} tournaments, which is closed after its last match.\n`,
  );
  await replayAll(senders, results, years.length);

  const top = await patiently(() => anyone.call("getTop", { leaderboard, limit: 20 }));
  console.log(`\nThe final table, generation ${top.generation}: the first 20 of ${top.players} teams\n`);
  console.log(["rank  points  team", ...top.entries.map(lineOf)].join("\n"));
  const wrong = await wrongFinals(anyone, years);
  const ranks = await ranksOf(anyone, leaderboard, top.generation, expected);
  const rankHolds = verdict("every team's rank equals", [...differences(ranks, expected)]);
  return verdict("every tournament's final table equals", wrong) && rankHolds;
}

async function createSenders(addresses: Addresses): Promise<Senders> {
  const clientOf = async (uid: string, claims = {}) =>
    createCallableClient(addresses, await createAccount(addresses, { uid, claims }));
  const admin = await clientOf("league-office", { leaderboard_admin: true });
  const own = new Map<string, CallableClient>();
  for (const team of ownTeams) own.set(team, await clientOf(team));
  return { leaderboard, admin, own };
}

/** Returns when all results are in and ranked, and all tournaments closed. */
async function replayAll(senders: Senders, results: readonly Result[], tournaments: number): Promise<void> {
  const { admin } = senders;
  const progress = createProgress(process.stdout, "replaying", results.length, "matches");
  await replay(senders, results, (matches) => {
    progress.update(matches);
  });
  progress.stop();
  await patiently(() => admin.call("runRanking", { leaderboard, include_open_slot: true }));
  const asked = { leaderboard, span: "custom", status: "closed" };
  let [closed, sinceMs] = [-1, 0];
  while (closed < tournaments) {
    const { seasons } = await patiently(() => admin.call("listSeasons", asked));
    if (seasons.length > closed) [closed, sinceMs] = [seasons.length, Date.now()];
    if (Date.now() - sinceMs > closingSecondsMax * 1_000)
      throw new Error(
        `Only ${closed} of ${tournaments} tournaments are closed, and none in the last ${closingSecondsMax} seconds. ` +
          "stepSeason seems to fail; .firerank/emulators-default.log says why.",
      );
    await sleep(lookEveryMs);
  }
}

/** Shows the champion of each tournament; returns what is wrong with its final table. */
async function wrongFinals(anyone: CallableClient, years: readonly Year[]): Promise<string[]> {
  const expected = recountYears(footballFile);
  const wrong: string[] = [];
  console.log(`\nThe champions of ${years.length} closed tournaments, by results alone`);
  for (const { season, division, firstYear, years: name } of years) {
    const table = await finalTableOf(anyone, leaderboard, season);
    const [champion] = table.places;
    console.log(
      `${name}  ${division.padEnd(26)}  ${champion?.player}, ${champion?.columns?.["points"]} points`,
    );
    const standings = expected.get(`${division} ${firstYear}`) ?? [];
    wrong.push(...[...differences(table, standings)].map((line) => `${division} ${name}: ${line}`));
  }
  return wrong;
}

function lineOf({ player, rank, columns: values = {} }: Place): string {
  return `${String(rank).padStart(4)}  ${String(values["points"]).padStart(6)}  ${player}`;
}

function verdict(what: string, wrong: readonly string[]): boolean {
  const holds = wrong.length === 0;
  console.log(`\n${what} an independent recount: ${holds ? "yes" : `NO (${wrong.length} differences)`}`);
  for (const line of wrong.slice(0, 20)) console.log(`  ${line}`);
  return holds;
}
