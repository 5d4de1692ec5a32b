import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { Row, YearState } from "./drawing.ts";
import { readMatches, yearsOf } from "./football.ts";
import { createScreen, logScreen } from "./screen.ts";

const row = (rank: number, team: string, points: number): Row => ({
  rank,
  team,
  points,
  goalDifference: 0,
  goals: 0,
});
const table = [row(1, "Roma", 9), row(2, "Lazio", 7), row(3, "Inter", 6), row(4, "Milan", 5)];

test("a log gets a line for each tenth of the way, with the first three", () => {
  const lines: string[] = [];
  const screen = logScreen((line) => lines.push(line), 200);
  screen.top(table, 2);
  for (let matches = 0; matches <= 50; matches++) {
    screen.progress(matches, "2014-01-01");
  }
  expect(lines).toEqual([
    " 10 %  20 of 200 matches  2014-01-01  generation 2  1. Roma 9, 2. Lazio 7, 3. Inter 6",
    " 20 %  40 of 200 matches  2014-01-01  generation 2  1. Roma 9, 2. Lazio 7, 3. Inter 6",
  ]);
});

const year = (champion?: string): YearState[] => [
  {
    year: { season: "serie-a-2013-14", division: "Serie A", name: "Serie A", firstYear: 2013, matches: 380 },
    played: 380,
    ...(champion === undefined ? { phase: "writing" } : { champion }),
  },
];

test("a log gets one line for each football year that has closed", () => {
  const lines: string[] = [];
  const screen = logScreen((line) => lines.push(line), 200);
  for (const states of [year(), year("Juventus"), year("Juventus")]) {
    screen.years(states);
  }
  expect(lines).toEqual(["       Serie A 2013-14 is closed: Juventus leads its final table"]);
});

test("a terminal of 24 rows has room for all of the file's football years", () => {
  const { stream, written } = fakeTerminal({ rows: 24 });
  const screen = createScreen(stream, 200);
  const states = yearsOf(readMatches()).map((year) => ({ year, played: 0 }));
  screen.years(states);
  screen.close();
  expect(stripVTControlCharacters(written())).toMatch(
    /final tables +2013-14.*\s+Premier League +·[^]*Austrian/,
  );
});

test("a terminal gets a bar with the top 10 below it, and its cursor back", () => {
  const { stream, written } = fakeTerminal({ rows: 40 });
  const screen = createScreen(stream, 200);
  screen.top(table, 2);
  screen.progress(100, "2014-01-01");
  screen.close();
  const text = stripVTControlCharacters(written());
  expect(text).toContain("██████████░░░░░░░░░░  100 of 200 matches  2014-01-01  generation 2");
  expect(text).toContain("   1       Roma ");
  expect(written().lastIndexOf("\x1b[?25h")).toBeGreaterThan(written().lastIndexOf("\x1b[?25l"));
});

test("a terminal with too few rows to redraw the table in place gets the log's lines", () => {
  const { stream, written } = fakeTerminal({ rows: 10 });
  const screen = createScreen(stream, 200);
  screen.progress(100, "2014-01-01");
  screen.close();
  expect(written()).toBe(" 50 %  100 of 200 matches  2014-01-01  generation 0\n");
});

function fakeTerminal({ rows }: { rows: number }) {
  let text = "";
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    rows,
    columns: 100,
  }) as unknown as NodeJS.WriteStream;
  stream.write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  return { stream, written: () => text };
}
