import { expect, test } from "vitest";
import {
  changedDefinition,
  definitionChanges,
  storedDefinition,
} from "../../../functions/src/model/definition.ts";
import { segmentsMax } from "../../../functions/src/model/limits.ts";
import { advancedGroups, definitionFields, type Field, groups, innerWords, words } from "./fields.ts";
import { begun, canonicalText, changesOf, check, problemOf, type Values, valuesOf } from "./values.ts";

const fields = definitionFields();
const empty = valuesOf(fields, {});
const checked = (change: Values) => check(fields, { ...empty, ...change }, 1);

test("the form has every field of the schema, each with a label and in a group", () => {
  const names = fields.map(({ name }) => name).sort();
  expect(names).toEqual(Object.keys(storedDefinition.shape).sort());
  expect(Object.keys(words).sort()).toEqual(names);
  expect([...groups, ...advancedGroups].flatMap((group) => group.names).sort()).toEqual(names);
});

test("kinds, choices and defaults match the schema", () => {
  const of = (name: string) => fields.find((field) => field.name === name);
  expect(of("order")).toMatchObject({
    kind: "choice",
    options: ["descending", "ascending"],
    default: "descending",
  });
  expect(of("top_size")).toMatchObject({ kind: "number", isInteger: true, default: 100 });
  expect(of("spans")).toMatchObject({
    kind: "choices",
    options: ["all_time", "daily", "weekly", "monthly"],
    default: ["all_time"],
  });
  const kinds = ["columns", "tiers", "segments", "time_zone"].map((name) => of(name)?.kind);
  expect(kinds).toEqual(["lines", "lines", "lines", "text"]);
  const { parts, linesMax } = of("segments") ?? expect.fail();
  expect(parts.map(({ name, kind }) => [name, kind])).toEqual([
    ["name", "text"],
    ["from", "choice"],
    ["values", "choices"],
    ["visible", "choice"],
    ["teams", "teams"],
  ]);
  expect(linesMax).toBe(segmentsMax);
});

test("a league has fields of its own, each with a label, and is off where nothing is typed", () => {
  const field = fields.find(({ name }) => name === "league") ?? expect.fail();
  const pathsOf = ({ parts }: Field, path: string): string[] =>
    parts.flatMap((part) => [
      `${path}.${part.name}`,
      ...(part.kind === "fields" ? pathsOf(part, `${path}.${part.name}`) : []),
    ]);
  // Of the span there is one choice, which is not shown.
  const shown = pathsOf(field, "league").filter((path) => path !== "league.span");
  expect(Object.keys(innerWords).toSorted()).toEqual(shown.toSorted());
  expect(empty["league"]).toEqual({});
  expect(checked({}).definition).not.toHaveProperty("league");
});

test("a league is what a save stores, and is unchanged by the form", () => {
  const spans = ["weekly"];
  const typed = checked({ spans, league: begun["league"] ?? {} }).definition ?? expect.fail();
  const { league } = storedDefinition.parse(typed);
  expect(league).toMatchObject({ span: "weekly", size: 30, min_size: 5 });
  expect(league?.tiers.map(({ id, promote, demote }) => [id, promote, demote])).toEqual([
    ["bronze", 7, 0],
    ["silver", 5, 5],
    ["gold", 0, 7],
  ]);
  const inactive = { weeks: 2, then: "demote", floor: "silver" } as const;
  const full = storedDefinition.parse({ spans, league: { ...league, joins_until_hours: 84, inactive } });
  expect(storedDefinition.parse(check(fields, valuesOf(fields, full), 1).definition)).toEqual(full);
  const withoutWeeks = {
    ...(valuesOf(fields, full)["league"] as Values),
    inactive: { weeks: "", then: "demote" },
  };
  const { definition } = checked({ spans, league: withoutWeeks });
  expect(storedDefinition.parse(definition).league).not.toHaveProperty("inactive");
});

test("what is wrong with a league stands at its fields, and that it needs weeks at the league itself", () => {
  const of = (league: Values, spans = ["weekly"]) =>
    checked({ spans, league: { ...begun["league"], ...league } }).problems;
  expect(problemOf(of({ size: "4" }), "league.size")).toBe("must be at least 5");
  expect(problemOf(of({ size: "many" }), "league.size")).toBe("must be a number, without separators");
  expect(
    problemOf(of({ tiers: [{ id: "Bronze", name: "Bronze", promote: "x" }] }), "league.tiers"),
  ).toContain("line 1, id: ");
  expect(
    problemOf(of({ inactive: { weeks: "2", then: "demote", floor: "tin" } }), "league.inactive.floor"),
  ).toBe("must be the id of a tier: bronze, silver, gold");
  expect(problemOf(of({}, ["daily"]), "league.span")).toContain("is not a span of this leaderboard");
});

test.each([
  ["any", { ids: "any" }],
  ["levels", { ids: { collection: "levels" } }],
  ["any, 500", { ids: "any", new_boards_per_day: 500 }],
  ['"any"', { ids: { collection: "any" } }],
  ['"my levels, old", 500', { ids: { collection: "my levels, old" }, new_boards_per_day: 500 }],
] as const)("a template is typed as %s", (text, template) => {
  expect(checked({ template: text }).definition).toMatchObject({ template });
  expect(valuesOf(fields, storedDefinition.parse({ template }))["template"]).toBe(text);
  expect(checked({ template: `${text}, many` }).problems).toHaveLength(1);
});

test.each([
  ["sum", { by: "sum" }],
  ["mean, min_players 3", { by: "mean", min_players: 3 }],
  ["best 10", { by: "best", best: 10 }],
  ["best 10, min_players 3", { by: "best", best: 10, min_players: 3 }],
] as const)("teams are typed as %s", (text, teams) => {
  const line = (typed: string) => ({ segments: [{ name: "guild", from: "server", teams: typed }] });
  expect(checked(line(text)).definition).toMatchObject({ segments: [{ teams }] });
  const stored = storedDefinition.parse({ segments: [{ name: "guild", from: "server", teams }] });
  expect(valuesOf(fields, stored)["segments"]).toMatchObject([{ teams: text }]);
  expect(checked(line(`${text}, many`)).problems).toHaveLength(1);
});

test("an untouched form is the default definition", () => {
  const { definition } = checked({});
  expect(storedDefinition.parse(definition)).toEqual(storedDefinition.parse({}));
});

test("a stored definition is unchanged by the form", () => {
  const stored = storedDefinition.parse({
    order: "ascending",
    columns: [
      { name: "laps", min: 0, max: 50, order: "descending" },
      { name: "ms", min: 0, max: 9_999_999, order: "ascending" },
    ],
    tiers: [{ name: "Gold", top_percent: 1.5 }],
    max_attempts: { weekly: 3, custom: 5 },
    segments: [
      { name: "country", from: "submission", values: ["AT", "DE"] },
      { name: "class", from: "claim", visible: "self" },
    ],
    movement: true,
    private_groups: true,
    time_zone: "Europe/Vienna",
    spans: ["weekly", "all_time"],
  });
  expect(storedDefinition.parse(check(fields, valuesOf(fields, stored), 1).definition)).toEqual(stored);
});

test("a field that was emptied is taken out, as a save keeps what it does not name", () => {
  const stored = storedDefinition.parse({ max_score: 5, tiers: [{ name: "Gold", top_percent: 1 }] });
  const emptied = { ...valuesOf(fields, stored), max_score: "", tiers: [] };
  const { definition } = check(fields, emptied, 1);
  const changes = definitionChanges.parse(changesOf(fields, definition ?? expect.fail()));
  expect(storedDefinition.parse(changedDefinition(stored, changes))).toEqual(storedDefinition.parse({}));
});

test("attempts are typed by span, or as one number for the first", () => {
  const attemptsOf = (text: string) => checked({ spans: ["daily"], max_attempts: text });
  expect(attemptsOf("daily 3, custom: 5").definition).toMatchObject({
    max_attempts: { daily: 3, custom: 5 },
  });
  expect(attemptsOf("3").definition).toMatchObject({ max_attempts: 3 });
  expect(problemOf(attemptsOf("weekly 3").problems, "max_attempts")).toMatch(/^weekly: is not a span/);
});

test("what the form cannot read is refused in the form's words, not in those of JSON", () => {
  const { problems } = checked({ spans: ["daily"], max_attempts: "3 per day" });
  expect(problemOf(problems, "max_attempts")).toBe(
    "must be a number, or spans with a number each, as in daily 3, weekly 10",
  );
});

test("space around what is typed does not count", () => {
  expect(checked({ time_zone: " Europe/Vienna " }).definition).toMatchObject({ time_zone: "Europe/Vienna" });
  expect(checked({ time_zone: " ", max_score: " 5 " }).definition).toMatchObject({ max_score: 5 });
  expect(checked({ time_zone: " " }).definition).not.toHaveProperty("time_zone");
});

test("a number with a point that may be one of thousands is refused, unless the board has so many decimals", () => {
  const maxOf = (max_score: string, decimals = "") => checked({ max_score, decimals });
  expect(problemOf(maxOf("1.000").problems, "max_score")).toBe("may mean 1000 or 1: write 1000, or 1.0000");
  expect(problemOf(maxOf("-12.500").problems, "max_score")).toContain("write -12500, or -12.5000");
  expect(problemOf(maxOf("1.000.000").problems, "max_score")).toBe("must be a number, without separators");
  for (const [text, max_score] of [
    ["1.0000", 1],
    ["0.125", 0.125],
    ["1.5", 1.5],
    ["1000.125", 1000.125],
  ] as const)
    expect(maxOf(text).definition).toMatchObject({ max_score });
  expect(maxOf("1.125", "3").definition).toMatchObject({ max_score: 1.125 });
  const columns = [{ name: "points", min: "0", max: "1.000", order: "descending" }];
  expect(problemOf(checked({ columns }).problems, "columns")).toBe(
    "line 1, max: may mean 1000 or 1: write 1000, or 1.0000",
  );
  // A stored one is shown so that the form takes it again.
  const stored = storedDefinition.parse({ max_score: 1.125 });
  expect(valuesOf(fields, stored)["max_score"]).toBe("1.1250");
  expect(storedDefinition.parse(check(fields, valuesOf(fields, stored), 1).definition)).toEqual(stored);
});

test("problems are shown at their fields, in the functions' words", () => {
  const { problems } = checked({
    top_size: "1001",
    ranking_interval_minutes: "0.5",
    time_zone: "Vienna",
    max_attempts: "many",
    tiers: [{ name: "Gold", top_percent: "500" }],
  });
  expect(problemOf(problems, "top_size")).toBe("must be at most 1000");
  // A browser may know other time zones than the functions, which say so at the save.
  expect(problemOf(problems, "time_zone")).toBeUndefined();
  expect(problemOf(problems, "max_attempts")).toBeDefined();
  expect(problemOf(problems, "tiers")).toBe("line 1, top_percent: must be at most 100");
  expect(problemOf(problems, "order")).toBeUndefined();
  expect(problemOf(checked({ ranking_interval_minutes: "0.5" }).problems, "ranking_interval_minutes")).toBe(
    "must be at least 1",
  );
});

test("problems without a message in the schema also have plain words", () => {
  const { problems } = checked({
    max_score: "1,000",
    min_seconds_between: "40000000",
    tiers: [{ name: "", top_percent: "1,5" }],
    columns: [{ name: "points", min: "0", max: "", order: "descending" }],
  });
  expect(problemOf(problems, "max_score")).toBe("must be a number, without separators");
  expect(problemOf(problems, "min_seconds_between")).toBe("must be at most 31536000");
  expect(problemOf(problems, "tiers")).toBe(
    "line 1, name: is required; line 1, top_percent: must be a number, without separators",
  );
  expect(problemOf(problems, "columns")).toContain("line 1, max: ");
  expect(problems.filter(({ message }) => /Invalid|expected|Too /.test(message))).toEqual([]);
});

test("values of a segment are typed with commas, spaces or in lines, and only the app's are listed", () => {
  const country = { name: "country", from: "submission", values: " AT,DE\nCH  " };
  const { definition } = checked({ segments: [country, { name: "class", from: "claim", values: "left" }] });
  expect(storedDefinition.parse(definition).segments).toEqual([
    { name: "country", from: "submission", values: ["AT", "DE", "CH"] },
    { name: "class", from: "claim" },
  ]);
});

test("problems of segments name the line, and which value it is", () => {
  const problemWith = (line: Record<string, string>) =>
    problemOf(checked({ segments: [{ name: "country", from: "submission", ...line }] }).problems, "segments");
  expect(problemWith({ values: "AT, Ö" })).toBe(
    'line 1, values 2: must be 1 to 32 letters, digits, "_" or "-", and not "mine"',
  );
  expect(problemWith({ values: "" })).toContain("line 1, values: must be listed");
  expect(problemWith({ name: "", values: "AT" })).toBe("line 1, name: is required");
});

test("the same values give the same text, in whatever order a line has its fields", () => {
  const tier = (line: Record<string, string>) => canonicalText({ ...empty, tiers: [line] });
  expect(tier({ name: "Gold", top_percent: "1" })).toBe(tier({ top_percent: "1", name: "Gold" }));
  expect(tier({ name: "Gold", top_percent: "1" })).not.toBe(tier({ name: "Gold", top_percent: "2" }));
});
