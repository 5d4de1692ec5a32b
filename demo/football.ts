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
}

/** A match that was played. */
export interface Result {
  date: string;
  /** The tournament of its division and football year; see {@link yearsOf}. */
  season: string;
  submissions: [home: TeamSubmission, away: TeamSubmission];
}

/** A football year of a division, from July to June: a tournament of the board. */
export interface Year {
  /** Such as `premier-league-2015-16`. */
  season: string;
  /** The division, as the file calls it and in short, and the year's beginning. */
  division: string;
  name: string;
  firstYear: number;
  matches: number;
}

/** The file's divisions: the beginning of their seasons' ids, and their names. */
const divisions: Record<string, { id: string; name: string }> = {
  "English Premier League": { id: "premier-league", name: "Premier League" },
  "Primera Division": { id: "primera-division", name: "Primera División" },
  "Serie A": { id: "serie-a", name: "Serie A" },
  "Deutsche Bundesliga": { id: "bundesliga", name: "Bundesliga" },
  "Österreichische Bundesliga": { id: "austrian-bundesliga", name: "Austrian Bundesliga" },
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
    if (goals === null || against === null) {
      return [];
    }
    return [
      {
        date,
        season: yearOf(match).season,
        submissions: [
          submissionOf(`match-${index}-home`, home, goals, against),
          submissionOf(`match-${index}-away`, away, against, goals),
        ],
      },
    ];
  });
  return results.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** The football years of these matches that have a result, division after division, and by year. */
export function yearsOf(matches: readonly Match[]): Year[] {
  const years = new Map<string, Year>();
  for (const match of matches) {
    if (match.home_score === null) {
      continue;
    }
    const year = years.get(yearOf(match).season) ?? yearOf(match);
    years.set(year.season, { ...year, matches: year.matches + 1 });
  }
  const names = Object.keys(divisions);
  return [...years.values()].sort(
    (a, b) => names.indexOf(a.division) - names.indexOf(b.division) || a.firstYear - b.firstYear,
  );
}

/** 2015 as "2015-16". */
export function yearsFrom(firstYear: number): string {
  return `${firstYear}-${String((firstYear + 1) % 100).padStart(2, "0")}`;
}

/** The results in batches of at most `size` submissions. */
export function inBatches(results: readonly Result[], size: number): Result[][] {
  const perBatch = Math.floor(size / 2);
  const count = Math.ceil(results.length / perBatch);
  return Array.from({ length: count }, (_, i) => results.slice(i * perBatch, (i + 1) * perBatch));
}

function submissionOf(id: string, team: string, goals: number, against: number): TeamSubmission {
  const points = goals > against ? 3 : goals === against ? 1 : 0;
  return {
    player: team,
    display_name: team,
    submission_id: id,
    columns: { points, goal_difference: goals - against, goals },
  };
}

/** The football year of a match, without any matches yet. @throws for a division that the file did not have. */
function yearOf({ date, division }: Match): Year {
  const found = divisions[division];
  if (found === undefined) {
    throw new Error(`${footballFile} has a division that the demo does not know: ${division}`);
  }
  const [year, month] = date.split("-").map(Number) as [number, number];
  const firstYear = month >= 7 ? year : year - 1;
  return { season: `${found.id}-${yearsFrom(firstYear)}`, division, name: found.name, firstYear, matches: 0 };
}
