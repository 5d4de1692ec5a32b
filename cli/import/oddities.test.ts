/** Files as programs wrote them in a trial: pandas 3.1, R 4.2, LibreOffice Calc 7.4, Go 1.26, SQLite 3.40. */
import { expect, test } from "vitest";
import { definitionSchema } from "../../functions/src/model/definition.ts";
import { readRecord } from "../records/player-record.ts";
import { createOddities, remarks } from "./oddities.ts";

/** What an import says of lines, each a player and a score, and perhaps a name. */
function said(
  lines: readonly (readonly [player: string, score: string | number, name?: string])[],
  definition = {},
) {
  const board = definitionSchema(0).parse(definition);
  const oddities = createOddities(board);
  const atOnce = lines.flatMap(([player, score, display_name], i) => {
    const value = { player, score, display_name };
    oddities.seeValue(value);
    const record = readRecord(board, value);
    return "problem" in record ? [] : oddities.see(`line ${i + 2}`, value, record);
  });
  const found = oddities.found();
  return {
    atOnce,
    found,
    end: remarks({ ...found, replaced: 0 })
      .split("\n")
      .slice(1),
  };
}

const withScores = (...scores: (string | number)[]) => scores.map((score, i) => [`p${i}`, score] as const);
const withIds = (...ids: string[]) => ids.map((id) => [id, 1] as const);

test("of an ordinary file nothing is said", () => {
  const lines = [
    ["76561198012345678", "61.257", "Ann"],
    ["76561198012345680", "60.5", "None"],
    ["007", "1e+06", "-"],
    ["'123", "-0", "O'NA"],
  ] as const;
  expect(said(lines)).toEqual({
    ...{ atOnce: [], end: [] },
    found: { rounded: 0, beyond: 0, between: 0, missing: 0, ofFile: [] },
  });
});

test("a player whose id a program has taken for a number is named", () => {
  // pandas, of a column that lacks an id; R of 100000; Calc
  const { atOnce, end } = said(withIds("123.0", "1e+05", "7.65611980123457E+016", "ann"));
  expect(atOnce).toEqual([
    'line 2: the player "123.0" looks like a number that a program has made of an id',
    'line 3: the player "1e+05" looks like a number that a program has made of an id',
    'line 4: the player "7.65611980123457E+016" looks like a number that a program has made of an id',
  ]);
  expect(end).toEqual([expect.stringMatching(/^3 lines with a player such as 7.65612E\+16 or 123.0: /)]);
});

test("long ids that all look rounded are told, where that is no chance", () => {
  const steam = Array.from({ length: 50 }, (_, i) => 76_561_198_012_345_678n + 1_234_567n * BigInt(i));
  const byJavaScript = steam.map((id) => String(Number(id)));
  const byExcel = steam.map((id) => `${String(id).slice(0, 15)}00`);
  const sentence = /^All ids of more than 15 digits, such as 765611980123456(80|00), look rounded, /;
  for (const ids of [byJavaScript, byExcel, byJavaScript.slice(0, 5), byExcel.slice(0, 4)])
    expect(said(withIds(...ids)).end).toEqual([expect.stringMatching(sentence)]);
  const same = Array.from({ length: 50 }, () => byJavaScript[0] ?? "");
  // Whole ids; too few; one id alone; one that is not rounded among others.
  for (const ids of [steam.map(String), byJavaScript.slice(0, 4), same, [...byJavaScript, String(steam[0])]])
    expect(said(withIds(...ids)).end).toEqual([]);
  const below2To53 = Array.from({ length: 50 }, (_, i) => String(1_234_567_890_123_456 + i));
  expect(said(withIds(...below2To53)).end).toEqual([]);
});

test("missing values are told: each as a player, as a name from the second on", () => {
  const { atOnce, end } = said([
    ["NULL", 1, "NA"],
    ["\\N", 1, "NA"],
    ["Nan", 1, "None"],
  ]);
  expect(atOnce).toEqual([
    'line 2: the player "NULL" looks like a missing value',
    'line 3: the player "\\N" looks like a missing value',
  ]);
  expect(end).toEqual([
    expect.stringMatching(/^2 lines with a player such as NULL or NA, /),
    expect.stringMatching(/^2 lines with the name "NA", /),
  ]);
});

test("the times that Go, C# and others write for none are told", () => {
  const board = definitionSchema(0).parse({});
  const oddities = createOddities(board);
  for (const achieved_at of [
    "0001-01-01T00:00:00Z",
    "0001-01-01T01:00:00+01:00",
    "1970-01-01 00:00:00 UTC",
    "1970-01-01T00:00:00.5Z",
  ]) {
    const value = { player: "ann", score: 1, achieved_at };
    const record = readRecord(board, value);
    if (!("problem" in record)) expect(oddities.see("line 2", value, record)).toEqual([]);
  }
  expect(oddities.found().ofFile).toEqual([
    expect.stringMatching(/^2 lines with the time 0001-01-01T00:00:00Z, /),
    expect.stringMatching(/^1 line with the time 1970-01-01T00:00:00Z, /),
  ]);
});

// Came out: 61.257 was 61.26, and nothing was said.
test("a score that the board's decimals round is named, as a text and as a number", () => {
  const { atOnce, end } = said(withScores("61.257", 5.999, "61.2500", 61.25, "1e2"), { decimals: 2 });
  expect(atOnce).toEqual([
    "line 2: score: 61.257 becomes 61.26, a step of the board",
    "line 3: score: 5.999 becomes 6, a step of the board",
  ]);
  expect(end).toEqual([
    expect.stringMatching(/^2 lines with .*; the first is line 2: score: 61.257 becomes 61.26/),
  ]);
});

test("scores of which a spreadsheet or %g has cut the last digits are told", () => {
  for (const scores of [
    ["1.23457E+12", "1.2E+12", "5"],
    ["1.23457e+06", "999999"],
    ["1.23456789012346E+15", "7"],
  ])
    expect(said(withScores(...scores)).end).toEqual([
      `1 line with a score such as ${scores[0]}: its last digits may be lost, as a spreadsheet and some programs write so ` +
        "few. Export the scores with all digits.",
    ]);
  // Go writes all digits, R 1e+06 where it is one; none of the third is missing.
  for (const scores of [
    ["1.23457e+06", "1.234567e+06"],
    ["1e+06", "1e+05"],
    ["1.23456e+05"],
    ["1.23457e-07"],
  ])
    expect(said(withScores(...scores)).end).toEqual([]);
});

// Came out: 61,257 points were 61.257, and nothing was said.
test("points that may separate thousands are told, as Calc writes them in German", () => {
  for (const scores of [
    ["1.234", "999", "61.257"],
    ["61.257", "1.234.567"],
  ])
    expect(said(withScores(...scores)).end).toEqual([
      expect.stringMatching(/^All scores with a point, such as \d+\.\d{3}, have three digits behind each, /),
    ]);
  for (const scores of [
    // Seconds; points of 1,000 and more without a point; one alone; no whole number.
    ["61.257", "60.5", "58"],
    ["61.257", "1.234", "1234"],
    ["61.257", "58"],
    ["61.257", "60.123"],
    ["0.257", "60.123", "58"],
  ])
    expect(said(withScores(...scores)).end).toEqual([]);
  expect(said(withScores("1.234", "999", "61.257"), { decimals: 3 }).end).toEqual([]);
  expect(said(withScores(1.234, 999, 61.257)).end).toEqual([]);
});

test("of each kind a hundred lines are named, and all are counted", () => {
  const lines = Array.from({ length: 150 }, (_, i) => [`p${i}`, 2_000 + i] as const);
  const { atOnce, found } = said(lines, { max_score: 1_000 });
  expect(atOnce).toHaveLength(100);
  expect(found).toMatchObject({
    beyond: 150,
    firstBeyond: "line 2: score: 2000 is above max_score, 1000",
  });
});
