/** What the demo does once the emulators run: the replay, the final tables, and the check. */
import { setTimeout as sleep } from "node:timers/promises";
import { createProgress } from "../cli/progress.ts";
import {
  type Addresses,
  type AnswerOf,
  type CallableClient,
  createAccount,
  createCallableClient,
} from "../scripts/callable-client.ts";
import { differences, finalTableOf, type Place, ranksOf, type Table } from "./check.ts";
import {
  byLastWeek,
  columns,
  footballFile,
  readMatches,
  type Result,
  resultsOf,
  type Year,
  yearsOf,
} from "./football.ts";
import { challenge, challengeLines, challengeOf, challengeProblems, challengers } from "./challenge.ts";
import {
  leagueBoard,
  leagueProblems,
  linesOf as groupLines,
  openLeague,
  playLeague,
  presentWeek,
  groupsOf,
} from "./league.ts";
import { recount, recountWeek, recountYears, type Standing } from "./recount.ts";
import { patiently, replay, type Senders } from "./replay.ts";
import { nextMinute, weekBeginningAt } from "./week.ts";

export const leaderboard = "football";

const definition = {
  aggregation: "sum",
  columns,
  visibility: "public",
  top_size: 20,
  segments: [{ name: "league", from: "claim" }],
  ranking_interval_minutes: 0.05, // the emulators allow fractions: three seconds
};

/** Teams that have an account each and submit their own results, with their league. */
const ownTeams = { "Leicester City": "premier-league", "RB Leipzig": "bundesliga", Frosinone: "serie-a" };
const ownNames = Object.keys(ownTeams);

/** A closing on the emulators takes about ten seconds; this is how long none may end on a busy machine. */
const closingSecondsMax = 240;
const lookEveryMs = 1_000;
const furthestShown = 3;
/** How long before a week begins the board gets movement: instances take three seconds to know, and a busy machine more. */
const knownBeforeMs = 20_000;

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
      `order of date. ${ownNames.join(", ")} submit their own results, an admin all others.\n` +
      "The ranking runs every three seconds. Each result also counts in one of\n" +
      `${years.length} tournaments, which is closed after its last match. The leagues are segments of the board, and before the\n` +
      "last week of matches a week of the board begins.\n",
  );
  const { firstWeek, group } = await replayAll(senders, results, years);

  const top = await patiently(() => anyone.call("getTop", { leaderboard, limit: 20 }));
  const ranks = await ranksOf(anyone, leaderboard, top.generation, expected);
  printTable(ranks, top);
  const wrong = await wrongFinals(anyone, years);
  const whose = "every team's ranks, of all, in its league and a week before, equal";
  const rankHolds = verdict(whose, [...differences(ranks, expected)]);
  const finalsHold = verdict("every tournament's final table equals", wrong);
  const leagueIsRight = await leagueHolds(senders.admin, firstWeek);
  return (await challengeHolds(senders.admin, group)) && leagueIsRight && finalsHold && rankHolds;
}

/** Shows the highest group of the league's second week. Returns whether both weeks agree with a recount. */
async function leagueHolds(admin: CallableClient, firstWeek: string): Promise<boolean> {
  const expected = [recountWeek(footballFile, 1), recountWeek(footballFile, 0)] as const;
  const namesOf = (table: readonly Standing[]) => table.map(({ team }) => team);
  const second = await groupsOf(admin, namesOf(expected[1]), { sleep });
  const first = await groupsOf(admin, namesOf(expected[0]), { season: firstWeek, sleep });
  const ups = first.flatMap(({ entries }) => entries.filter(({ move }) => move === "up"));
  const [best] = second.toSorted((a, b) => (a.group < b.group ? 1 : -1));
  console.log(
    `\nThe last two weeks of matches were also weeks of a league, on the board ${leagueBoard}, in groups of ten.\n` +
      `After the first ${ups.length} of ${expected[0].length} teams went up. The best group of the second:\n\n` +
      (best === undefined ? [] : groupLines(best)).join("\n"),
  );
  return verdict("every group of both weeks of the league equals", [
    ...leagueProblems([first, second], expected),
  ]);
}

/** Shows the challenge of the second week. Returns whether it agrees with a recount. */
async function challengeHolds(admin: CallableClient, group: string): Promise<boolean> {
  const shown = await challengeOf(admin, group);
  console.log(
    `\nThe best ${challengers} teams of the first week that played in the second challenged each other there, in the private group "${shown.name}":\n\n` +
      challengeLines(shown).join("\n"),
  );
  return verdict("the challenge equals", [
    ...challengeProblems(shown, bestOfFirst(), recountWeek(footballFile, 0)),
  ]);
}

/** The best teams of the first week, of those that play in the second too. */
function bestOfFirst(): string[] {
  const playing = new Set(recountWeek(footballFile, 0).map(({ team }) => team));
  const best = recountWeek(footballFile, 1).filter(({ team }) => playing.has(team));
  return best.slice(0, challengers).map(({ team }) => team);
}

async function createSenders(addresses: Addresses): Promise<Senders> {
  const clientOf = async (uid: string, claims = {}) =>
    createCallableClient(addresses, await createAccount(addresses, { uid, claims }));
  const admin = await clientOf("league-office", { leaderboard_role: "admin" });
  const own = new Map<string, CallableClient>();
  for (const [team, league] of Object.entries(ownTeams)) own.set(team, await clientOf(team, { league }));
  return { leaderboard, admin, own };
}

/**
 * Returns when all results are in and ranked, and all tournaments closed. A week of the board begins before the last one, and
 * the second week of the league.
 * @returns the first week of the league, and the group of a challenge in the second
 */
async function replayAll(
  senders: Senders,
  results: readonly Result[],
  years: readonly Year[],
): Promise<{ firstWeek: string; group: string }> {
  const { admin } = senders;
  const progress = createProgress(process.stdout, "replaying", results.length, "matches");
  const parts = byLastWeek(results);
  let firstWeek = "";
  const running = new Set(parts[1].map(({ year }) => year.season));
  await replay(senders, parts, {
    after: (matches) => {
      progress.update(matches);
    },
    async between() {
      const beginsMs = nextMinute(Date.now() + knownBeforeMs);
      const begins = weekBeginningAt(beginsMs);
      progress.log(
        `waiting for the last week of matches, which begins with the minute in UTC${begins.time_zone}`,
      );
      await patiently(() =>
        admin.call("saveLeaderboard", { leaderboard, definition: { movement: true, ...begins } }),
      );
      await openLeague(admin, begins);
      await playLeague(admin, byLastWeek(parts[0])[1]);
      firstWeek = await presentWeek(admin);
      await allClosed(admin, years.length - running.size);
      await sleep(Math.max(0, beginsMs - Date.now()));
    },
  });
  progress.stop();
  const group = await challenge(admin, bestOfFirst());
  await playLeague(admin, parts[1]);
  await patiently(() => admin.call("runRanking", { leaderboard, include_open_slot: true }));
  await allClosed(admin, years.length);
  return { firstWeek, group };
}

/** Returns when so many tournaments are closed. */
async function allClosed(admin: CallableClient, tournaments: number): Promise<void> {
  const asked = { leaderboard, span: "custom", status: "closed" };
  let [closed, sinceMs] = [-1, 0];
  while (closed < tournaments) {
    const { seasons } = await patiently(() => admin.call("listSeasons", asked));
    if (seasons.length > closed) [closed, sinceMs] = [seasons.length, Date.now()];
    if (Date.now() - sinceMs > closingSecondsMax * 1_000)
      throw new Error(
        `Only ${closed} of ${tournaments} tournaments are closed, and none in the last ${closingSecondsMax} seconds. ` +
          "stepSeason or stepSmallSeasons seems to fail; .firerank/emulators-default.log says why.",
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

/** The best teams, those that have an account, and those that moved furthest: everywhere and in their leagues. */
function printTable({ places }: Table, { generation, players, entries }: AnswerOf<"getTop">): void {
  const linesOf = (teams: readonly (string | undefined)[]) =>
    places.filter(({ player }) => teams.includes(player)).map(lineOf);
  const far = places.toSorted((a, b) => Math.abs(b.moved?.places ?? 0) - Math.abs(a.moved?.places ?? 0));
  const furthest = far.slice(0, furthestShown).map(({ player }) => player);
  const lines = [
    `The final table, generation ${generation}: the first ${entries.length} of ${players} teams, each with its places up (▲)`,
    "or down (▼) since the week before, and its rank in its league\n",
    "rank  moved  points  in its league  team",
    ...linesOf(entries.map(({ player }) => player)),
    "\nTeams with an account, and those that have moved furthest\n",
    ...linesOf([...ownNames, ...furthest]),
  ];
  console.log(`\n${lines.join("\n")}`);
}

function lineOf({ player, rank, columns: values = {}, segments, moved }: Place): string {
  const places = moved?.places ?? 0;
  const arrow = places === 0 ? "" : `${places > 0 ? "▲" : "▼"}${Math.abs(places)}`;
  const own = segments?.["league"];
  const cells = [String(rank).padStart(4), arrow.padStart(5), String(values["points"]).padStart(6)];
  return [...cells, `${own?.rank} of ${own?.players}`.padStart(13), player].join("  ");
}

function verdict(what: string, wrong: readonly string[]): boolean {
  const holds = wrong.length === 0;
  console.log(`\n${what} an independent recount: ${holds ? "yes" : `NO (${wrong.length} differences)`}`);
  for (const line of wrong.slice(0, 20)) console.log(`  ${line}`);
  return holds;
}
