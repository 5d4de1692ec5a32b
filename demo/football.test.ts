import { expect, test } from "vitest";
import { seasonId } from "../functions/src/model/ids.ts";
import { submissionsPerCallMax, submissionsPerPlayerMax } from "../functions/src/model/limits.ts";
import { byLastWeek, inBatches, type Match, readMatches, resultsOf, yearsOf } from "./football.ts";

const match = (date: string, home: number | null, away: number | null): Match => ({
  date,
  division: "Serie A",
  home_team: "Roma",
  away_team: "Lazio",
  home_score: home,
  away_score: away,
});
const ofFile = resultsOf(readMatches());

test.each([
  [3, 1, { points: 3, goal_difference: 2, goals: 3 }, { points: 0, goal_difference: -2, goals: 1 }],
  [1, 1, { points: 1, goal_difference: 0, goals: 1 }, { points: 1, goal_difference: 0, goals: 1 }],
])("%d:%d is three points for the winner, or one for each", (goals, against, home, away) => {
  const [result] = resultsOf([match("2014-01-01", goals, against)]);
  expect(result?.submissions).toMatchObject([
    { player: "Roma", submission_id: "match-0-home", columns: home },
    { player: "Lazio", submission_id: "match-0-away", columns: away },
  ]);
});

test("matches come in order of date, those of a day as they stand in the file; without a result they are left out", () => {
  const dates = ["2014-02-01", "2014-01-01", "2014-02-01"];
  const results = resultsOf([...dates.map((date) => match(date, 1, 0)), match("2014-03-01", null, null)]);
  const ids = ["match-1-home", "match-0-home", "match-2-home"];
  expect(results.map(({ submissions: [home] }) => home.submission_id)).toEqual(ids);
});

test("a football year is from July to June, and a tournament for each division", () => {
  const english = { ...match("2000-01-01", 1, 0), division: "English Premier League" };
  const results = resultsOf([match("2014-06-30", 1, 0), match("2014-07-01", 1, 0), english]);
  const seasons = ["premier-league-1999-00", "serie-a-2013-14", "serie-a-2014-15"];
  expect(yearsOf(results).map(({ season }) => season)).toEqual(seasons);
  expect(() => resultsOf([{ ...english, division: "Eredivisie" }])).toThrow("Eredivisie");
});

test("batches hold all results, in order, and no more of a team than a call takes of one player", () => {
  const batches = inBatches(ofFile, submissionsPerCallMax);
  expect(batches.flat()).toEqual(ofFile);
  for (const batch of batches) {
    const submissions = batch.flatMap((result) => result.submissions);
    expect(submissions.length).toBeLessThanOrEqual(submissionsPerCallMax);
    for (const [team, own] of Map.groupBy(submissions, ({ player }) => player))
      expect(own.length, team).toBeLessThanOrEqual(submissionsPerPlayerMax);
  }
});

test("the last week of matches is as the recount has it: of the leagues whose year still goes on", () => {
  const [before, lastWeek] = byLastWeek(ofFile);
  expect([...before, ...lastWeek]).toEqual(ofFile);
  expect([before.at(-1)?.date, lastWeek[0]?.date, lastWeek.length]).toEqual(["2017-05-21", "2017-05-25", 20]);
  expect(yearsOf(lastWeek)).toHaveLength(2);
});

test("the file holds 6,504 results, and in each of its twenty football years everybody met everybody, at home and away", () => {
  expect(ofFile).toHaveLength(6_504);
  expect(yearsOf(ofFile)).toHaveLength(20);
  for (const [season, played] of Map.groupBy(ofFile, ({ year }) => year.season)) {
    expect(seasonId.safeParse(season).success, season).toBe(true);
    const teams = new Set(played.flatMap(({ submissions }) => submissions.map(({ player }) => player))).size;
    const rounds = teams === 10 ? 2 : 1; // Austria's ten teams play twice as often
    expect(played, season).toHaveLength(rounds * teams * (teams - 1));
  }
});
