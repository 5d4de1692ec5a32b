import { expect, test } from "vitest";
import { footballFile } from "./football.ts";
import { recount, recountYears, tableOf } from "./recount.ts";

const line = (home: string, scored: number | null, conceded: number | null, away: string) => ({
  home_team: home,
  away_team: away,
  home_score: scored,
  away_score: conceded,
});

test("points decide, then goal difference, then goals; who is level shares a rank, and the next has as many above", () => {
  const results = [
    ...[line("A", 1, 0, "X"), line("B", 2, 0, "X"), line("C", 3, 1, "X"), line("C2", 3, 1, "X")],
    ...[line("D", 9, 9, "X"), line("E", null, null, "F")],
  ];
  expect(
    tableOf(results).map(({ team, rank, points, goalDifference, goals }) =>
      [rank, team, points, goalDifference, goals].join(" "),
    ),
  ).toEqual(["1 C 3 2 3", "1 C2 3 2 3", "3 B 3 2 2", "4 A 3 1 1", "5 D 1 0 9", "6 X 1 -7 11"]);
});

test("the file's table has 116 teams, led by Juventus, and the tables of its years add up to it", () => {
  const table = recount(footballFile);
  expect(table).toHaveLength(116);
  const juventus = { team: "Juventus", rank: 1, points: 371, goalDifference: 210, goals: 304 };
  expect(table[0]).toEqual({ ...juventus, inLeague: { rank: 1, players: 27 }, rankBefore: 1 });
  const moved = table.filter(({ rank, rankBefore }) => rank !== rankBefore);
  expect(moved).toHaveLength(18);
  expect(moved.find(({ team }) => team === "Wolfsberger AC")).toMatchObject({ rank: 47, rankBefore: 50 });
  const years = recountYears(footballFile);
  expect(years.size).toBe(20);
  const sums = new Map<string, number>();
  for (const { team, points } of [...years.values()].flat()) sums.set(team, (sums.get(team) ?? 0) + points);
  expect(sums).toEqual(new Map(table.map(({ team, points }) => [team, points])));
});

test("a football year turns in the summer", () => {
  const tables = recountYears(footballFile);
  const champions = [2013, 2014, 2015, 2016].map(
    (year) => tables.get(`English Premier League ${year}`)?.[0]?.team,
  );
  expect(champions).toEqual(["Manchester City", "Chelsea", "Leicester City", "Chelsea"]);
});
