import { describe, expect, test } from "vitest";
import { z } from "zod";
import { submissionFields } from "./schema.ts";

const submission = z.strictObject(submissionFields);

/** The problems of a submission: path and message of each. */
function problemsOf(fields: Record<string, unknown>): string[] {
  const { error } = submission.safeParse(fields);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

/** A map of `levels` levels of maps, itself the first. */
function nested(levels: number): Record<string, unknown> {
  return levels === 1 ? { end: true } : { in: nested(levels - 1) };
}

const scores = [0, -0, 1.5, -12, 2 ** 53 - 1, 1 - 2 ** 53, 5e-324];
const noScores = [NaN, Infinity, "12", null, true, [1], {}, 12n];

test("a score is a number, and no whole one that JSON.parse would change", () => {
  expect(scores.flatMap((score) => problemsOf({ score }))).toEqual([]);
  for (const score of noScores) expect(problemsOf({ score }).join()).toMatch(/^score: /);
  for (const text of ["9007199254740992", "9007199254740993", "-9007199254740993"])
    expect(problemsOf({ score: JSON.parse(text) as unknown })).toEqual([
      `score: must be at most 2^53 - 1 in size; this is ${Number(text)}`,
    ]);
});

test("submitted columns are numbers by name, and a problem with one has its path", () => {
  expect(problemsOf({ columns: { points: 3, seconds: 61 } })).toEqual([]);
  for (const points of ["3", NaN])
    expect(problemsOf({ columns: { points } })[0]).toMatch(/^columns\.points: /);
  expect(problemsOf({ columns: [3] })[0]).toMatch(/^columns: /);
});

const names = ["a", " Ann ", "Ζωή", "O'Brien <3", "x".repeat(64), "👑".repeat(64)];
test.each(names)("a display name may be %j", (name) => {
  expect(submission.parse({ display_name: name })).toEqual({ display_name: name });
});

test.each([
  ["", "must have a visible character"],
  ["\u3164\u200b", "must have a visible character"],
  ["👑".repeat(65), "must have at most 64 characters"],
  ["Ann\n", "must not contain control characters"],
  ["\ud83d", "must not contain control characters"],
  [7, "must be a text; this is a number"],
])("a display name may not be %j", (name, message) => {
  expect(problemsOf({ display_name: name })).toEqual([`display_name: ${message}`]);
});

describe("metadata", () => {
  test("of every kind of JSON is accepted unchanged", () => {
    const metadata = {
      a: null,
      b: true,
      c: -0.5,
      d: "👑",
      e: [],
      f: {},
      g: [1, { h: [] }],
      "i.j/k": 5e-324,
      l: 2 ** 53 - 1,
    };
    expect(submission.parse({ metadata })).toEqual({ metadata });
  });

  test("may have 1,024 bytes as JSON, and not one more", () => {
    const ofSize = (bytes: number) => ({
      a: `é${"x".repeat(bytes - JSON.stringify({ a: "x" }).length - 1)}`,
    });
    expect(problemsOf({ metadata: ofSize(1_024) })).toEqual([]);
    expect(problemsOf({ metadata: ofSize(1_025) })).toEqual([
      "metadata: is 1025 bytes as JSON; at most 1024 are stored",
    ]);
  });

  test("may be ten levels deep, arrays included, and not eleven, nor refer to itself", () => {
    const itself: Record<string, unknown> = {};
    itself["self"] = itself;
    for (const metadata of [nested(10), { a: [nested(8)] }]) expect(problemsOf({ metadata })).toEqual([]);
    for (const metadata of [nested(11), { a: [nested(9)] }, itself])
      expect(problemsOf({ metadata })).toEqual(["metadata: must be at most 10 levels deep"]);
  });

  test.each<[unknown, string]>([
    [{ a: [[1]] }, "an array directly in an array"],
    [{ a: { b: [{ c: [1, []] }] } }, "an array directly in an array"],
    [{ "": 1 }, 'must not have the key ""'],
    [{ a: [{ ____: 1 }] }, 'must not have the key "____"'],
    [{ "__a\nb__": 1 }, "which Firestore reserves"],
    [{ "\ud83d": 1 }, "must not have the key"],
    [{ a: ["\ud83d"] }, "must hold well-formed Unicode only"],
    [{ a: [{ b: -Infinity }] }, "must hold finite numbers only"],
    [{ a: [{ steam_id: 2 ** 53 }] }, "must hold whole numbers up to 2^53 - 1 in size only"],
    [{ a: -(2 ** 53) }, "write a larger one, such as an id, as a text"],
    [{ a: undefined }, "must be plain JSON"],
    [{ a: 1n }, "must be plain JSON"],
    [[1], 'must be an object of named values, such as {"country":"de"}; this is a list'],
    ["text", "this is a string"],
    [7, "this is a number"],
    [null, "this is null"],
  ])("may not be %o", (metadata, message) => {
    const problems = problemsOf({ metadata });
    expect(problems.length).toBe(1);
    expect(problems[0]).toContain(message);
  });

  test("may have a key that has only a part of Firestore's reserved form", () => {
    expect(problemsOf({ metadata: { __a: 1, a__: 1, _: 1, ___: 1, a__b__: 1, __a__b: 2 } })).toEqual([]);
  });
});

test("a submission id is kept unchanged, and every field may be left out", () => {
  expect(submission.parse({ submission_id: "a/b c" })).toEqual({ submission_id: "a/b c" });
  expect(problemsOf({ submission_id: "" })).toEqual(["submission_id: must not be empty"]);
  expect(problemsOf({})).toEqual([]);
});
