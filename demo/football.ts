/**
 * Football matches as submissions: the results of five leagues from 2013 to 2017, in `football.json` of the npm
 * package `vega-datasets` (BSD-3-Clause; the data are OpenFootball's).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/project.ts";

export const footballFile = join(root, "node_modules", "vega-datasets", "data", "football.json");

/** A line of the file. Four lines have no score: fixtures that it lists a second time, with the result. */
export interface Match {
  date: string;
  division: string;
  home_team: string;
  away_team: string;
  home_score: number | null;
  away_score: number | null;
}

/** One team's part in a match, as `submitScores` takes it. */
export interface TeamSubmission {
  player: string;
  display_name: string;
  /** The match's line and the team's side: resending it changes nothing. */
  submission_id: string;
  columns: { points: number; goal_difference: number; goals: number };
  /** The league in which the team plays, in each of its years the same. */
  segments: { league: string };
}

/** A match that was played. */
export interface Result {
  date: string;
  year: Year;
  submissions: [home: TeamSubmission, away: TeamSubmission];
}

/** A football year of a division, from July to June: a tournament of the board. */
export interface Year {
  /** Such as `premier-league-2015-16`. */
  season: string;
  division: string;
  /** Such as `2015-16`. */
  years: string;
  firstYear: number;
}

/** The file's divisions, each with its value of the segment `league`: also the beginning of its seasons' ids. */
const divisions: Record<string, string> = {
  "English Premier League": "premier-league",
  "Primera Division": "primera-division",
  "Serie A": "serie-a",
  "Deutsche Bundesliga": "bundesliga",
  "Österreichische Bundesliga": "austrian-bundesliga",
};

/** The board's columns, the most important first; their ranges are large enough for four years of matches. */
export const columns = [
  { name: "points", min: 0, max: 1_000, order: "descending" },
  { name: "goal_difference", min: -1_000, max: 1_000, order: "descending" },
  { name: "goals", min: 0, max: 2_000, order: "descending" },
];

/** The matches of the file, unchanged. */
export function readMatches(): Match[] {
  return JSON.parse(readFileSync(footballFile, "utf8")) as Match[];
}

/** The matches that have a result, in order of date, and those of a day in the order of the file. */
export function resultsOf(matches: readonly Match[]): Result[] {
  const results = matches.flatMap((match, index): Result[] => {
    const { date, home_team: home, away_team: away, home_score: goals, away_score: against } = match;
    if (goals === null || against === null) return [];
    const league = leagueOf(match);
    const submissions: Result["submissions"] = [
      submissionOf(`match-${index}-home`, league, home, goals, against),
      submissionOf(`match-${index}-away`, league, away, against, goals),
    ];
    return [{ date, year: yearOf(match, league), submissions }];
  });
  return results.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** The football years of these results. */
export function yearsOf(results: readonly Result[]): Year[] {
  return [...new Map(results.map(({ year }) => [year.season, year])).values()];
}

/** The results up to a week before the last one, and those of that week. */
export function byLastWeek(results: readonly Result[]): [before: Result[], lastWeek: Result[]] {
  const weekMs = 7 * 86_400_000;
  const untilMs = Date.parse(results.at(-1)?.date ?? "") - weekMs;
  const isBefore = ({ date }: Result) => Date.parse(date) <= untilMs;
  return [results.filter(isBefore), results.filter((result) => !isBefore(result))];
}

/** The results in batches of at most `size` submissions. */
export function inBatches(results: readonly Result[], size: number): Result[][] {
  const perBatch = Math.floor(size / 2);
  const count = Math.ceil(results.length / perBatch);
  return Array.from({ length: count }, (_, i) => results.slice(i * perBatch, (i + 1) * perBatch));
}

function submissionOf(
  id: string,
  league: string,
  team: string,
  goals: number,
  against: number,
): TeamSubmission {
  const points = goals > against ? 3 : goals === against ? 1 : 0;
  return {
    player: team,
    display_name: team,
    submission_id: id,
    columns: { points, goal_difference: goals - against, goals },
    segments: { league },
  };
}

/** The league of a match. @throws for a division that the file did not have. */
function leagueOf({ division }: Match): string {
  const league = divisions[division];
  if (league !== undefined) return league;
  throw new Error(`${footballFile} has a division that the demo does not know: ${division}`);
}

/** The football year of a match. */
function yearOf({ date, division }: Match, league: string): Year {
  const [year, month] = date.split("-").map(Number) as [number, number];
  const firstYear = month >= 7 ? year : year - 1;
  const years = `${firstYear}-${String((firstYear + 1) % 100).padStart(2, "0")}`;
  return { season: `${league}-${years}`, division, years, firstYear };
}
