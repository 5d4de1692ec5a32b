import { expect, test } from "vitest";
import {
  bar,
  championLine,
  columnsOf,
  type Paint,
  type Row,
  tableLines,
  yearLines,
  type YearState,
} from "./drawing.ts";
import { recount, recountYears } from "./recount.ts";
import { footballFile, readMatches, type Year, yearsOf } from "./football.ts";

const plain: Paint = (_, text) => text;
const row = (rank: number, team: string, points: number): Row => ({
  rank,
  team,
  points,
  goalDifference: points - 50,
  goals: points,
});

test("a table shows rank, team, columns and a bar", () => {
  expect(tableLines([row(1, "Roma", 80), row(2, "Lazio", 40)], plain)).toEqual([
    "  rank  team                    points    +/-  goals",
    "     1  Roma                        80    +30     80  ████████████████████",
    "     2  Lazio                       40    -10     40  ██████████",
  ]);
});

test("arrows show who moved by how much since the previous table, and who is new", () => {
  const before = [row(1, "Roma", 80), row(2, "Lazio", 70), row(3, "Inter", 60)];
  const after = [row(1, "Lazio", 90), row(2, "Roma", 85), row(3, "Milan", 70)];
  const [, ...lines] = tableLines(after, plain, before);
  expect(lines.map((line) => line.slice(6, 22).trimEnd())).toEqual([
    " ▲1    Lazio",
    " ▼1    Roma",
    " new   Milan",
  ]);
});

test("nobody is new in the first table, and teams that stay have not moved", () => {
  const table = [row(1, "Roma", 80)];
  expect(tableLines(table, plain, []).join("\n")).not.toMatch(/new|▲|▼/);
  expect(tableLines(table, plain, table).join("\n")).not.toMatch(/new|▲|▼/);
});

test("every line fits 80 columns, whatever the team's name", () => {
  const rows = recount(footballFile).map((standing) => ({ ...standing, points: 371 }));
  const long = { ...row(1, "A name that is longer than any club's", 371) };
  for (const line of [...tableLines([...rows, long], plain, rows), ...tableLines(rows, plain)]) {
    expect(line.length, line).toBeLessThanOrEqual(80);
  }
});

test("a bar is drawn to an eighth of a character", () => {
  expect(bar(0, 160)).toBe("");
  expect(bar(1, 160)).toBe("▏");
  expect(bar(12, 160)).toBe("█▌");
  expect(bar(160, 160)).toBe("█".repeat(20));
});

test("columns of text line up, numbers to the right", () => {
  expect(
    columnsOf([
      ["question", "reads"],
      ["top", 1],
      ["rank of a player", 12],
    ]),
  ).toEqual(["question          reads", "top                   1", "rank of a player     12"]);
});

const year = (firstYear: number, name = "Serie A"): Year => ({
  season: `${name}-${firstYear}`,
  division: name,
  name,
  firstYear,
  matches: 380,
});

test("a football year is a dot, a bar while it is played, the phase of its closing, and its champion", () => {
  const states: YearState[] = [
    { year: year(2013), played: 380, champion: "Juventus" },
    { year: year(2014), played: 380, phase: "writing" },
    { year: year(2015), played: 190 },
    { year: year(2016), played: 0 },
    { year: year(2013, "Bundesliga"), played: 380, champion: "Borussia M'gladbach" },
  ];
  expect(yearLines(states, plain)).toEqual([
    "  final tables         2013-14       2014-15       2015-16       2016-17",
    "  Serie A              Juventus      writing …     ██████        ·",
    "  Bundesliga           Borussia M'…  ·             ·             ·",
  ]);
});

test("the picture of the file's years fits 80 columns, whatever their state", () => {
  const years = yearsOf(readMatches());
  const pictures: Partial<YearState>[] = [{}, { phase: "completing" }, { champion: "West Bromwich Albion" }];
  for (const picture of pictures) {
    const states = years.map((year) => ({ year, played: year.matches, ...picture }));
    const lines = yearLines(states, plain);
    expect(lines).toHaveLength(6);
    for (const line of lines) {
      expect(line.length, line).toBeLessThanOrEqual(80);
    }
  }
});

test("a champion's line says by how much, or that the second is level in points", () => {
  const table = [row(1, "Roma", 80), row(2, "Lazio", 79), row(3, "Inter", 3)];
  expect(championLine(year(2015), table, plain)).toBe(
    "    2015-16  Roma                     80 points  1 ahead of Lazio",
  );
  const level = [row(1, "Roma", 80), row(1, "Lazio", 80)];
  expect(championLine(year(2015), level, plain)).toContain("level with Lazio");
  for (const standings of recountYears(footballFile).values()) {
    expect(championLine(year(2015), standings, plain).length).toBeLessThanOrEqual(80);
  }
});
