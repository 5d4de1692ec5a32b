import { expect, test } from "vitest";
import { footballFile } from "./football.ts";
import { recount, recountYears, tableOf } from "./recount.ts";

const line = (home: string, scored: number | null, conceded: number | null, away: string) => ({
  home_team: home,
  away_team: away,
  home_score: scored,
  away_score: conceded,
});

test("points decide before goal difference, and goal difference before goals", () => {
  const table = tableOf([
    line("A", 1, 0, "X"),
    line("B", 2, 0, "X"),
    line("C", 3, 1, "X"),
    line("D", 9, 9, "X"),
  ]);
  expect(
    table.map(({ team, rank, points, goalDifference, goals }) => [rank, team, points, goalDifference, goals]),
  ).toEqual([
    [1, "C", 3, 2, 3],
    [2, "B", 3, 2, 2],
    [3, "A", 3, 1, 1],
    [4, "D", 1, 0, 9],
    [5, "X", 1, -5, 10],
  ]);
});

test("teams that are level share a rank, and the next has as many above it as there are: 1, 1, 3", () => {
  const table = tableOf([line("A", 2, 0, "Y"), line("B", 2, 0, "Y"), line("C", 1, 0, "Y")]);
  expect(table.map(({ team, rank }) => `${rank} ${team}`)).toEqual(["1 A", "1 B", "3 C", "4 Y"]);
});

test("a match without a result counts for nothing", () => {
  expect(tableOf([line("A", null, null, "B")])).toEqual([]);
});

test("the file's table has 116 teams, led by Juventus", () => {
  const table = recount(footballFile);
  expect(table).toHaveLength(116);
  expect(table[0]).toEqual({ team: "Juventus", rank: 1, points: 371, goalDifference: 210, goals: 304 });
  expect(table.reduce((sum, { goalDifference }) => sum + goalDifference, 0)).toBe(0);
});

test("each division's football year has a table of its own, which turns in the summer", () => {
  const tables = recountYears(footballFile);
  expect(tables.size).toBe(20);
  const leaders = (division: string) =>
    [2013, 2014, 2015, 2016].map((year) => tables.get(`${division} ${year}`)?.[0]?.team);
  expect(leaders("English Premier League")).toEqual([
    "Manchester City",
    "Chelsea",
    "Leicester City",
    "Chelsea",
  ]);
  expect(leaders("Serie A")).toEqual(["Juventus", "Juventus", "Juventus", "Juventus"]);
  expect(tables.get("Serie A 2015")).toHaveLength(20);
});

test("the tables of the years add up to the table of all time", () => {
  const sums = new Map<string, number>();
  for (const table of recountYears(footballFile).values()) {
    for (const { team, points } of table) {
      sums.set(team, (sums.get(team) ?? 0) + points);
    }
  }
  expect(recount(footballFile).map(({ team }) => [team, sums.get(team)])).toEqual(
    recount(footballFile).map(({ team, points }) => [team, points]),
  );
});
