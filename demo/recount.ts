/**
 * Counts the final tables a second time from the file, to check Firerank. So it shares no code with Firerank or with
 * the rest of the demo: it imports only Node's own file reading.
 */
import { readFileSync } from "node:fs";

/** A team's line in the final table. */
export interface Standing {
  team: string;
  /** 1 and the number of teams that are strictly better: 1, 1, 3. */
  rank: number;
  points: number;
  goalDifference: number;
  goals: number;
}

/** The same in the table of all leagues. */
export interface StandingOfAll extends Standing {
  /** The rank among the teams of its own league, and how many they are. */
  inLeague: { rank: number; players: number };
  /** The rank a week before the last match; undefined for a team that had not played. */
  rankBefore: number | undefined;
}

interface Line {
  date: string;
  division: string;
  home_team: string;
  away_team: string;
  home_score: number | null;
  away_score: number | null;
}

/** All teams of the file, the best first. */
export function recount(path: string): StandingOfAll[] {
  const lines = read(path);
  const weekMs = 7 * 86_400_000;
  const weekAgo = Math.max(...lines.map(({ date }) => Date.parse(date))) - weekMs;
  const before = tableOf(lines.filter(({ date }) => Date.parse(date) <= weekAgo));
  const leagues = [...Map.groupBy(lines, ({ division }) => division).values()].map(tableOf);
  return tableOf(lines).map((standing) => {
    const isTeam = ({ team }: Standing) => team === standing.team;
    const league = leagues.find((table) => table.some(isTeam)) ?? [];
    const inLeague = { rank: league.find(isTeam)?.rank ?? NaN, players: league.length };
    return { ...standing, inLeague, rankBefore: before.find(isTeam)?.rank };
  });
}

/** The table of each division and football year, by "Serie A 2015" for that of July 2015 to June 2016. */
export function recountYears(path: string): Map<string, Standing[]> {
  const daysToJuly = 190; // the year turns early in July, when nobody plays
  const lines = Map.groupBy(read(path), ({ date, division }) => {
    const year = new Date(Date.parse(date) - daysToJuly * 86_400_000).getUTCFullYear();
    return `${division} ${year}`;
  });
  return new Map([...lines].map(([name, played]) => [name, tableOf(played)]));
}

/** The table of one week of matches: the last one, or so many weeks before it. */
export function recountWeek(path: string, weeksBefore: number): Standing[] {
  const lines = read(path);
  const weekMs = 7 * 86_400_000;
  const untilMs = Math.max(...lines.map(({ date }) => Date.parse(date))) - weeksBefore * weekMs;
  const isIn = (atMs: number) => atMs <= untilMs && atMs > untilMs - weekMs;
  return tableOf(lines.filter(({ date }) => isIn(Date.parse(date))));
}

function read(path: string): Line[] {
  return JSON.parse(readFileSync(path, "utf8")) as Line[];
}

/** The table of these matches: 3 points for a win, 1 for a draw; then goal difference, then goals. */
export function tableOf(lines: readonly Omit<Line, "date" | "division">[]): Standing[] {
  const table = new Map<string, Standing>();
  const add = (team: string, scored: number, conceded: number) => {
    const line = table.get(team) ?? { team, rank: 0, points: 0, goalDifference: 0, goals: 0 };
    line.points += scored > conceded ? 3 : scored < conceded ? 0 : 1;
    line.goalDifference += scored - conceded;
    line.goals += scored;
    table.set(team, line);
  };
  for (const { home_team: home, away_team: away, home_score: scored, away_score: conceded } of lines) {
    if (scored !== null && conceded !== null) {
      add(home, scored, conceded);
      add(away, conceded, scored);
    }
  }
  const standings = [...table.values()].sort(compare);
  standings.forEach((standing, i) => {
    const above = standings[i - 1];
    standing.rank = above !== undefined && compare(above, standing) === 0 ? above.rank : i + 1;
  });
  return standings;
}

function compare(a: Standing, b: Standing): number {
  return b.points - a.points || b.goalDifference - a.goalDifference || b.goals - a.goals;
}
