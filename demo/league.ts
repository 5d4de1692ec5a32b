/**
 * A weekly league on the last two weeks of matches, on a board of its own. The calendar has only the week that passes while
 * the demo runs; so its first week ends, and its second begins, when the board's week does before the last matches
 * (week.ts): between them teams go up.
 */
import type { AnswerOf, CallableClient } from "../scripts/callable-client.ts";
import { columns, type Result } from "./football.ts";
import type { Standing } from "./recount.ts";
import { patiently } from "./replay.ts";

export const leagueBoard = "football-league";

const size = 10;
const promoted = 3;

const definition = {
  aggregation: "sum",
  columns,
  visibility: "public",
  spans: ["weekly"],
  ranking_interval_minutes: 0.05,
  private_groups: true,
  league: {
    span: "weekly",
    size,
    // The first week has nearly passed when its first result comes.
    joins_until_hours: 168,
    tiers: [
      { id: "bronze", name: "Bronze", promote: promoted },
      { id: "silver", name: "Silver", demote: promoted },
    ],
  },
};

/** Creates the board. @param begins by which fields its second week begins */
export async function openLeague(admin: CallableClient, begins: object): Promise<void> {
  const saved = { leaderboard: leagueBoard, definition: { ...definition, ...begins } };
  await patiently(() => admin.call("saveLeaderboard", saved));
}

/** Sends the results of one week. */
export async function playLeague(admin: CallableClient, results: readonly Result[]): Promise<void> {
  const submissions = results.flatMap((result) =>
    result.submissions.map(({ segments: _, ...submission }) => submission),
  );
  await patiently(() => admin.call("submitScores", { leaderboard: leagueBoard, submissions }));
}

/** The id of the league's present week. */
export async function presentWeek(admin: CallableClient): Promise<string> {
  const asked = { leaderboard: leagueBoard, span: "weekly" };
  const { seasons } = await patiently(() => admin.call("listSeasons", asked));
  const [season] = seasons;
  if (season === undefined) throw new Error("the league has no week");
  return season.season;
}

export type LeagueGroup = NonNullable<AnswerOf<"getLeague">["league"]>;

const seatedMsMax = 120_000;
const lookEveryMs = 1_000;

/** The groups of these teams, once all have seats. @throws where that takes minutes */
export async function groupsOf(
  admin: CallableClient,
  teams: readonly string[],
  { season, sleep }: { season?: string; sleep: (ms: number) => Promise<unknown> },
): Promise<LeagueGroup[]> {
  const groups = new Map<string, LeagueGroup>();
  const asked = { leaderboard: leagueBoard, ...(season !== undefined && { season }) };
  const untilMs = Date.now() + seatedMsMax;
  for (const player of teams) {
    let answer = await patiently(() => admin.call("getLeague", { ...asked, player }));
    while (answer.league === null) {
      if (Date.now() > untilMs)
        throw new Error(
          `${player} has no seat in the league: ${answer.why}. stepSeason or refreshTop seems to fail.`,
        );
      await sleep(lookEveryMs);
      answer = await patiently(() => admin.call("getLeague", { ...asked, player }));
    }
    groups.set(answer.league.group, answer.league);
  }
  return [...groups.values()];
}

/**
 * What is wrong with the two weeks, in words: each team is in one group, in order, with what was recounted; and it plays in
 * the tier to which its place in the first week led.
 */
export function* leagueProblems(
  weeks: readonly [first: LeagueGroup[], second: LeagueGroup[]],
  expected: readonly [first: readonly Standing[], second: readonly Standing[]],
): Generator<string> {
  for (const [i, groups] of weeks.entries()) yield* groupProblems(groups, expected[i] ?? []);
  const [first, second] = weeks;
  const tiers = new Map(
    first.flatMap(({ entries }) => entries.map((one) => [one.player, tierAfter(entries.length, one.place)])),
  );
  for (const { tier, entries } of second)
    for (const { player } of entries) {
      const right = tiers.get(player) ?? "bronze";
      if (tier !== right) yield `${player} plays in ${tier}; recounted ${right}`;
    }
}

/** The tier to which a place in the first week leads, where all are in the lowest. */
const tierAfter = (members: number, place: number) =>
  members >= 5 && place <= Math.max(1, Math.floor((promoted * members) / size)) ? "silver" : "bronze";

function* groupProblems(groups: readonly LeagueGroup[], expected: readonly Standing[]): Generator<string> {
  const found = groups.flatMap(({ entries }) => entries);
  const byTeam = Map.groupBy(found, ({ player }) => player);
  if (found.length !== expected.length) yield `${found.length} members, recounted ${expected.length}`;
  for (const { team, points, goalDifference, goals } of expected) {
    const told = (byTeam.get(team) ?? []).map((one) => textOf(one.columns)).join(" and ") || "missing";
    const right = textOf({ points, goal_difference: goalDifference, goals });
    if (told !== right) yield `${team} in the league: ${told}; recounted ${right}`;
  }
  const ranks = new Map(expected.map(({ team, rank }) => [team, rank]));
  for (const { group, entries } of groups) {
    if (entries.length > size) yield `${group} has ${entries.length} members`;
    const order = entries.map(({ player = "" }) => ranks.get(player) ?? NaN);
    if (order.some((rank, i) => rank < (order[i - 1] ?? 0))) yield `${group} is not in order`;
  }
}

export const textOf = ({ points, goal_difference: difference, goals }: Record<string, number> = {}) =>
  `points ${points}, goal difference ${difference}, goals ${goals}`;

/** A group as a table, with who goes up and down. */
export function linesOf({ tier, entries }: LeagueGroup): string[] {
  return entries.map(({ place, columns: values = {}, player = "", zone }) => {
    const way = { up: "  ▲ silver", down: "  ▼ bronze", none: "" }[zone ?? "none"];
    return `${tier}  ${String(place).padStart(2)}  ${String(values["points"]).padStart(2)}  ${player}${way}`;
  });
}
