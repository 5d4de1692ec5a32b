import fc from "fast-check";
import { eventKinds } from "./event-kinds.ts";
import { describe, expect, test } from "vitest";
import { definitionOf } from "../../../test/support/definitions.ts";
import {
  changedDefinition,
  definitionSchema,
  frozenDifferences,
  frozenFields,
  readDefinition,
  storedDefinition,
} from "./definition.ts";

const points = { name: "points", min: 0, max: 300 };
const seconds = { name: "seconds", min: 0, max: 86_399, order: "ascending" as const };

const country = { name: "country", from: "claim" as const };
const platform = { name: "platform", from: "submission" as const, values: ["ios", "web"] };

const tier = (name: string, top_percent: number) => ({ name, top_percent });

/** The paths and messages of what is wrong with a definition in production, where the interval is at least a minute. */
function problemsOf(definition: unknown): string[] {
  const { error } = definitionSchema(1).safeParse(definition);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("a definition", () => {
  test("without any fields has the defaults of the API", () => {
    expect(definitionOf({})).toEqual({
      order: "descending",
      aggregation: "best",
      spans: ["all_time"],
      time_zone: "UTC",
      week_starts_on: "monday",
      ties: "first",
      ranking_interval_minutes: 5,
      visibility: "signed_in",
      top_size: 100,
      top_refresh_seconds: 2,
      submit: "client",
      movement: false,
      private_groups: false,
      events: [...eventKinds],
    });
    expect(definitionOf({ columns: [points] }).columns).toEqual([{ ...points, order: "descending" }]);
  });

  test("does not change when it is stored and read back, and fields of a newer release are ignored", () => {
    const definition = definitionOf({
      order: "ascending",
      aggregation: "sum",
      spans: ["monthly", "weekly", "daily", "all_time"],
      ranking_interval_minutes: 0.05, // as on the emulators
      columns: [points, seconds],
      time_zone: "Europe/Vienna",
      ties: "last",
      visibility: "public",
      tiers: [{ name: "gold", top_percent: 1 }],
      max_attempts: 3,
      min_seconds_between: 0.5,
      keep_seasons: 4,
      segments: [country, platform, { name: "email", from: "server" }],
    });
    expect(storedDefinition.parse(definition)).toEqual(definition);
    expect(storedDefinition.parse({ ...definition, of_the_future: 1 })).toEqual(definition);
  });

  test.each<[unknown, string]>([
    [{ spans: ["yearly"] }, 'spans.0: must be "all_time", "daily", "weekly" or "monthly"'],
    [{ spans: ["custom"] }, "spans.0: "],
    [{ spans: ["daily", "all_time", "daily"] }, "spans: must not name a span twice"],
    [{ events: ["season_closed", "season_closed"] }, "events: "],
    [{ top_refresh_seconds: 0.5 }, "top_refresh_seconds: "],
    [{ top_refresh_seconds: 61 }, "top_refresh_seconds: "],
    [{ min_seconds_between: 31_536_001 }, "min_seconds_between: "],
    [{ tiers: [tier("x".repeat(65), 1)] }, "tiers.0.name: "],
    [{ ranking_interval_minutes: 0 }, "ranking_interval_minutes: must be above 0"],
    [{ ranking_interval_minutes: 0.5 }, "ranking_interval_minutes: must be at least 1"],
    [{ ranking_interval_minutes: 1_441 }, "ranking_interval_minutes: must be at most 1440"],
    [{ top_size: 0 }, "top_size: must be at least 1"],
    [{ top_size: 1_001 }, "top_size: must be at most 1000"],
    [{ top_size: 1.5 }, "top_size: must be a whole number"],
    [{ min_score: -(2 ** 53) }, "min_score: must be at most 2^53 - 1 in size; this is -9007199254740992"],
    [{ max_score: 2 ** 53 }, "max_score: must be at most 2^53 - 1 in size; this is 9007199254740992"],
    [{ max_score: NaN }, "max_score: "],
    [{ min_score: 2, max_score: 1 }, "max_score: must not be below min_score"],
    [{ max_change: 0 }, "max_change: must be above 0"],
    [{ min_seconds_between: -1 }, "min_seconds_between: must be above 0"],
    [{ max_attempts: 0 }, "max_attempts: must be a whole number, or several"],
    [{ keep_seasons: 0 }, "keep_seasons: must be at least 1"],
    [{ tiers: [] }, "tiers: "],
    [{ tiers: [tier("", 1)] }, "tiers.0.name: "],
    [{ tiers: [tier("gold", 0)] }, "tiers.0.top_percent: must be above 0"],
    [{ tiers: [tier("gold", 101)] }, "tiers.0.top_percent: must be at most 100"],
    [{ tiers: Array.from({ length: 21 }, (_, i) => tier(`${i}`, i + 1)) }, "tiers: must name at most 20"],
    [{ tiers: [tier("gold", 1), tier("gold", 2)] }, "tiers: must not name a tier twice"],
    [{ tiers: [tier("a", 5), tier("b", 5)] }, "tiers: must be in order of top_percent"],
    [{ columns: [] }, "columns: must name at least one column"],
    [
      { columns: Array.from("abcdefghi", (name) => ({ name, min: 0, max: 1 })) },
      "columns: must name at most 8",
    ],
    [{ columns: [points, points] }, "columns: must not name a column twice"],
    [{ columns: [{ ...points, name: "1st" }] }, "columns.0.name: must be 1 to 64 letters"],
    [{ columns: [{ ...points, max: 0 }] }, "columns.0.max: must be greater than min"],
    [{ columns: [{ ...points, min: 0.5 }] }, "columns.0.min: must be a whole number"],
    [{ columns: [points, { ...seconds, max: 2 ** 53 }] }, "columns.1.max: must be a whole number, at most"],
    [
      { columns: [{ ...points, min: -(2 ** 53 - 1), max: 1 }] },
      "columns: the product of the columns' ranges",
    ],
    [{ columns: [points], min_score: 1 }, "min_score: has no meaning beside columns"],
    [{ columns: [points], max_score: 1 }, "max_score: has no meaning beside columns"],
    [{ columns: [points], max_change: 1 }, "max_change: has no meaning beside columns"],
    [{ columns: [points], decimals: 0 }, "decimals: has no meaning beside columns"],
    [{ decimals: 10 }, "decimals: must be at most 9"],
    [{ decimals: -1 }, "decimals: must be at least 0"],
    [{ decimals: 1.5 }, "decimals: must be a whole number"],
    [{ decimals: 2, min_score: 0.005 }, "min_score: must have at most 2 decimals, as the scores have"],
    [{ decimals: 0, max_score: 0.5 }, "max_score: must have at most 0 decimals"],
    [{ decimals: 1, max_change: 0.25 }, "max_change: must have at most 1 decimals"],
    [{ max_attempts: 3 }, "max_attempts: must be a whole number, or several by span"],
    [{ max_attempts: {} }, "max_attempts: must name a span"],
    [
      { max_attempts: { daily: 3 } },
      "max_attempts.daily: is not a span of this leaderboard, which has all_time",
    ],
    [{ max_attempts: { all_time: 0 } }, "max_attempts.all_time: must be at least 1"],
    [{ segments: [] }, "segments: must name at least one segment"],
    [{ segments: [country, country] }, "segments: must not name a segment twice"],
    [{ segments: [{ ...country, values: ["AT"] }] }, "segments.0.values: must be listed if"],
    [{ segments: [{ name: "platform", from: "submission" }] }, "segments.0.values: must be listed if"],
    [{ segments: [{ ...platform, values: [] }] }, "segments.0.values: must list at least one value"],
    [{ segments: [{ ...platform, values: ["a", "a"] }] }, "segments.0.values: must not list a value twice"],
    [{ segments: [{ name: "email", from: "claim" }] }, "segments.0.name: is a claim of every token"],
    [{ colour: "red" }, ": "],
    [{ columns: [{ ...points, colour: "red" }] }, "columns.0: "],
    ["chess", ": "],
    [undefined, ": "],
  ])("%j is refused with the path of the wrong field", (definition, problem) => {
    const problems = problemsOf(definition);
    const field = /^\w*/.exec(problem)?.[0];
    expect(problems[0]?.startsWith(problem), `${problems[0] ?? ""} begins with ${problem}`).toBe(true);
    expect(problems.map((each) => /^\w*/.exec(each)?.[0])).toEqual(problems.map(() => field));
  });

  test("with several wrong fields has each of them named", () => {
    const wrong = {
      order: "up",
      aggregation: "average",
      spans: "daily",
      week_starts_on: "someday",
      ties: "none",
      columns: [{ ...points, order: "up" }],
      visibility: "secret",
      top_size: 0,
      submit: "anyone",
      events: ["score_submitted"],
    };
    const named = problemsOf(wrong).map((problem) => /^\w*/.exec(problem)?.[0]);
    expect(named.sort()).toEqual(Object.keys(wrong).sort());
  });

  test("is accepted unchanged or refused, and never causes another error, whatever it holds", () => {
    const bound = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2 ** 53, 2 ** 53 - 1), fc.string());
    const column = fc.record({ name: fc.constantFrom("a", "b", ""), min: bound, max: bound });
    const columns = fc.oneof(fc.array(column), fc.anything());
    const anyDefinition = fc.record({ columns, top_size: bound, tiers: fc.anything() });
    fc.assert(
      fc.property(fc.oneof(anyDefinition, fc.anything()), (definition) => {
        expect(() => problemsOf(definition)).not.toThrow();
      }),
    );
  });

  test("may have values exactly at the limits", () => {
    const edges = {
      min_score: -(2 ** 53 - 1),
      max_score: 2 ** 53 - 1,
      max_change: 2 ** 54 - 2,
      top_size: 1_000,
      max_attempts: { all_time: 1 },
    };
    expect(
      problemsOf({ ...edges, ranking_interval_minutes: 1, tiers: [{ name: "all", top_percent: 100 }] }),
    ).toEqual([]);
    expect(problemsOf({ min_score: 1, max_score: 1 })).toEqual([]);
    expect(problemsOf({ decimals: 9, min_score: 1e-9, max_score: 0.3, max_change: 0.7 })).toEqual([]);
    expect(problemsOf({ columns: [{ name: "a", min: -(2 ** 53 - 1), max: 0 }] })).toEqual([]);
  });
});

test("changes keep the fields that they do not name, take out those that are null, and drop what is no field", () => {
  const stored = { order: "ascending", top_size: 10, max_score: 5, schema_version: 1 };
  const changes = { top_size: 20, max_score: null, min_score: null, ties: undefined };
  expect(changedDefinition(stored, changes)).toEqual({ order: "ascending", top_size: 20 });
  expect(changedDefinition(undefined, { top_size: 20 })).toEqual({ top_size: 20 });
});

test("attempts without a span are those of the first one, and of each tournament", () => {
  const attempts = (stored: object | undefined, changes: object) =>
    changedDefinition(stored as Record<string, unknown> | undefined, changes)["max_attempts"];
  expect(attempts(undefined, { max_attempts: 3 })).toEqual({ all_time: 3, custom: 3 });
  expect(attempts({ spans: ["daily", "all_time"] }, { max_attempts: 3 })).toEqual({ daily: 3, custom: 3 });
  expect(attempts({ spans: ["daily"] }, { max_attempts: 3, spans: [] })).toEqual({ custom: 3 });
  expect(attempts({}, { max_attempts: { daily: 3 } })).toEqual({ daily: 3 });
});

describe("frozen differences", () => {
  test("are empty for the same ordering, whatever the order of keys and the fields that may change", () => {
    const saved = definitionOf({ columns: [points, seconds], top_size: 10 });
    const stored = definitionOf({ top_size: 50, ties: "last", columns: [points, seconds] });
    const sortedKeys = stored.columns?.map(({ max, min, name, order }) => ({ max, order, min, name }));
    expect(
      frozenDifferences(saved, readDefinition({ ...stored, columns: sortedKeys }), frozenFields),
    ).toEqual([]);
    expect(frozenDifferences(definitionOf({}), definitionOf({ order: "descending" }), frozenFields)).toEqual(
      [],
    );
  });

  test("name each of order, aggregation, columns and decimals that differs", () => {
    const saved = definitionOf({ columns: [points, seconds] });
    const differs = (other: Parameters<typeof definitionOf>[0]) =>
      frozenDifferences(saved, definitionOf(other), frozenFields);
    expect(differs({ columns: [points, seconds], order: "ascending" })).toEqual(["order"]);
    expect(differs({ columns: [points, seconds], aggregation: "sum" })).toEqual(["aggregation"]);
    expect(differs({ columns: [seconds, points] })).toEqual(["columns"]);
    expect(differs({ columns: [points, { ...seconds, max: 1 }] })).toEqual(["columns"]);
    expect(frozenDifferences(definitionOf({}), definitionOf({ decimals: 0 }), frozenFields)).toEqual([
      "decimals",
    ]);
  });
});

test("a stored definition is read with its defaults, and refused in a form of a newer release", () => {
  expect(readDefinition({ order: "ascending" })).toMatchObject({ order: "ascending", top_size: 100 });
  expect(() => readDefinition({ schema_version: 1_000 })).toThrow(/^A leaderboard is stored/);
  expect(() => readDefinition(undefined)).toThrow();
});
