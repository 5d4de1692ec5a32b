import { expect, test } from "vitest";
import { playerId, seasonId, submissionId } from "../functions/src/model/ids.ts";
import { submissionsPerCallMax, submissionsPerPlayerMax } from "../functions/src/model/limits.ts";
import { columns, inBatches, type Match, readMatches, resultsOf, yearsFrom, yearsOf } from "./football.ts";

const match = (date: string, home: number | null, away: number | null): Match => ({
  date,
  division: "Serie A",
  home_team: "Roma",
  away_team: "Lazio",
  home_score: home,
  away_score: away,
});

test("a win gives three points to the winner and none to the other", () => {
  const [result] = resultsOf([match("2014-01-01", 3, 1)]);
  expect(result?.submissions).toEqual([
    {
      player: "Roma",
      display_name: "Roma",
      submission_id: "match-0-home",
      columns: { points: 3, goal_difference: 2, goals: 3 },
    },
    {
      player: "Lazio",
      display_name: "Lazio",
      submission_id: "match-0-away",
      columns: { points: 0, goal_difference: -2, goals: 1 },
    },
  ]);
});

test("a draw gives a point to each", () => {
  const [result] = resultsOf([match("2014-01-01", 0, 0)]);
  expect(result?.submissions.map(({ columns: { points } }) => points)).toEqual([1, 1]);
});

test("a match without a result is not a draw: it is left out", () => {
  expect(resultsOf([match("2014-01-01", null, null)])).toEqual([]);
});

test("matches come in order of date, those of a day as they stand in the file", () => {
  const results = resultsOf([
    match("2014-02-01", 1, 0),
    match("2014-01-01", 2, 0),
    match("2014-02-01", 3, 0),
  ]);
  expect(results.map(({ submissions: [home] }) => home.submission_id)).toEqual([
    "match-1-home",
    "match-0-home",
    "match-2-home",
  ]);
});

test("batches hold all results, in order, none larger than asked for", () => {
  const results = resultsOf(Array.from({ length: 7 }, () => match("2014-01-01", 1, 0)));
  const batches = inBatches(results, 5);
  expect(batches.map((batch) => batch.length)).toEqual([2, 2, 2, 1]);
  expect(batches.flat()).toEqual(results);
});

test("the file holds 6,508 matches, 4 of them without a result", () => {
  const matches = readMatches();
  expect(matches).toHaveLength(6_508);
  expect(resultsOf(matches)).toHaveLength(6_504);
});

test("each match without a result is listed a second time with it", () => {
  const matches = readMatches();
  const season = ({ date }: Match) => new Date(Date.parse(date) - 182 * 86_400_000).getUTCFullYear();
  const fixture = (match: Match) => `${match.home_team} - ${match.away_team} ${season(match)}`;
  const played = new Set(matches.filter((match) => match.home_score !== null).map(fixture));
  expect(matches.filter((match) => match.home_score === null && !played.has(fixture(match)))).toEqual([]);
});

test("every team's name can be a player's id, and every submission's id is valid and its own", () => {
  const submissions = resultsOf(readMatches()).flatMap((result) => result.submissions);
  for (const { player, submission_id: id } of submissions) {
    expect(playerId.safeParse(player).success, player).toBe(true);
    expect(submissionId.safeParse(id).success, id).toBe(true);
  }
  expect(new Set(submissions.map((submission) => submission.submission_id)).size).toBe(submissions.length);
});

test("no team has more matches in the largest batch than a call takes of one player", () => {
  for (const batch of inBatches(resultsOf(readMatches()), submissionsPerCallMax)) {
    const byTeam = Map.groupBy(
      batch.flatMap(({ submissions }) => submissions),
      ({ player }) => player,
    );
    for (const [team, matches] of byTeam) {
      expect(matches.length, team).toBeLessThanOrEqual(submissionsPerPlayerMax);
    }
  }
});

test("every team's sums stay within the columns at each moment", () => {
  const sums = new Map<string, Record<string, number>>();
  for (const { player, columns: values } of resultsOf(readMatches()).flatMap(
    (result) => result.submissions,
  )) {
    const before = sums.get(player) ?? {};
    const after = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, (before[name] ?? 0) + value]),
    );
    sums.set(player, after);
    for (const { name, min, max } of columns) {
      expect(after[name]).toBeGreaterThanOrEqual(min);
      expect(after[name]).toBeLessThanOrEqual(max);
    }
  }
});

test("a football year is from July to June, and a tournament for each division", () => {
  const seasons = resultsOf([
    match("2014-06-30", 1, 0),
    match("2014-07-01", 1, 0),
    { ...match("2016-01-01", 1, 0), division: "English Premier League" },
  ]).map(({ season }) => season);
  expect(seasons).toEqual(["serie-a-2013-14", "serie-a-2014-15", "premier-league-2015-16"]);
});

test("a division that the demo does not know is an error that names it", () => {
  expect(() => resultsOf([{ ...match("2014-01-01", 1, 0), division: "Eredivisie" }])).toThrow("Eredivisie");
});

test("the years after 1999-00 are written with two figures", () => {
  expect([1999, 2008, 2015].map(yearsFrom)).toEqual(["1999-00", "2008-09", "2015-16"]);
});

test("in each of the file's twenty football years everybody met everybody, at home and away", () => {
  const matches = readMatches();
  const results = resultsOf(matches);
  const years = yearsOf(matches);
  expect(years).toHaveLength(20);
  expect(years.map(({ season }) => season).filter((season) => !seasonId.safeParse(season).success)).toEqual(
    [],
  );
  expect(years.reduce((sum, year) => sum + year.matches, 0)).toBe(results.length);
  for (const { season, matches: played } of years) {
    const ofYear = results.filter((result) => result.season === season);
    const teams = new Set(ofYear.flatMap(({ submissions }) => submissions.map(({ player }) => player)));
    const rounds = teams.size === 10 ? 2 : 1; // Austria's ten teams play twice as often
    expect(played, season).toBe(rounds * teams.size * (teams.size - 1));
    expect(ofYear, season).toHaveLength(played);
  }
});
