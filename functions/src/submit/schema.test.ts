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

describe("a submitted score", () => {
  test.each([0, -0, 1.5, -12, 2 ** 53 - 1, 1 - 2 ** 53, 5e-324])("may be %d", (score) => {
    expect(problemsOf({ score })).toEqual([]);
  });

  test.each([NaN, Infinity, -Infinity, "12", null, true, [1], {}, 12n])("may not be %s", (score) => {
    expect(problemsOf({ score }).map((problem) => problem.split(":")[0])).toEqual(["score"]);
  });

  test("may not be a whole number that JSON.parse would change", () => {
    for (const text of ["9007199254740992", "9007199254740993", "-9007199254740993", "9007199254740994"]) {
      const request = JSON.parse(`{"score": ${text}}`) as Record<string, unknown>;
      expect(problemsOf(request)).toEqual(["score: must be at most 2^53 - 1 in size"]);
    }
  });
});

test("submitted columns are numbers by name, and a problem with one has its path", () => {
  expect(problemsOf({ columns: { points: 3, seconds: 61 } })).toEqual([]);
  expect(problemsOf({ columns: { points: "3" } })[0]).toMatch(/^columns\.points: /);
  expect(problemsOf({ columns: { points: NaN } })[0]).toMatch(/^columns\.points: /);
  expect(problemsOf({ columns: [3] })[0]).toMatch(/^columns: /);
});

describe("a display name", () => {
  test.each(["a", " Ann ", "Ζωή", "李小龍", "👩‍🚀👑", "O'Brien <3", "x".repeat(64), "👑".repeat(64)])(
    "may be %j",
    (name) => {
      expect(submission.parse({ display_name: name })).toEqual({ display_name: name });
    },
  );

  test.each([
    ["", "must have a visible character"],
    [" \u00a0\u3000", "must have a visible character"],
    ["\u3164\u200b", "must have a visible character"],
    ["x".repeat(65), "must have at most 64 characters"],
    ["👑".repeat(65), "must have at most 64 characters"],
    ["Ann\n", "must not contain control characters"],
    ["\u0007", "must not contain control characters"],
    ["\ud83d", "must not contain control characters"],
  ])("may not be %j", (name, message) => {
    expect(problemsOf({ display_name: name })).toEqual([`display_name: ${message}`]);
  });

  test.each([7, null, ["Ann"]])("may not be %j, which is not text", (name) => {
    expect(problemsOf({ display_name: name }).length).toBe(1);
  });
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
      g: [1, { h: [[]].flat() }],
      "i.j/k": 1e300,
    };
    expect(submission.parse({ metadata })).toEqual({ metadata });
    expect(problemsOf({ metadata: {} })).toEqual([]);
  });

  test("may have 1,024 bytes as JSON, and not one more", () => {
    const around = JSON.stringify({ a: "" }).length;
    expect(problemsOf({ metadata: { a: "x".repeat(1_024 - around) } })).toEqual([]);
    expect(problemsOf({ metadata: { a: "x".repeat(1_025 - around) } })).toEqual([
      "metadata: is 1025 bytes as JSON; at most 1024 are stored",
    ]);
  });

  test("is measured in bytes, not in characters", () => {
    expect(problemsOf({ metadata: { a: "x".repeat(600) } })).toEqual([]);
    expect(problemsOf({ metadata: { a: "é".repeat(600) } })).toEqual([
      "metadata: is 1208 bytes as JSON; at most 1024 are stored",
    ]);
  });

  test("may be ten levels deep, arrays included, and not eleven", () => {
    expect(problemsOf({ metadata: nested(10) })).toEqual([]);
    expect(problemsOf({ metadata: nested(11) })).toEqual(["metadata: must be at most 10 levels deep"]);
    expect(problemsOf({ metadata: { a: [nested(8)] } })).toEqual([]);
    expect(problemsOf({ metadata: { a: [nested(9)] } })).toEqual([
      "metadata: must be at most 10 levels deep",
    ]);
  });

  test.each<[string, unknown, string]>([
    ["an array in an array", { a: [[1]] }, "an array directly in an array"],
    ["an array in an array deep inside", { a: { b: [{ c: [1, []] }] } }, "an array directly in an array"],
    ["an empty key", { "": 1 }, 'must not have the key ""'],
    ["a reserved key", { __name__: 1 }, 'must not have the key "__name__"'],
    ["a reserved key deep inside", { a: [{ ____: 1 }] }, 'must not have the key "____"'],
    ["a reserved key of several lines", { "__a\nb__": 1 }, "which Firestore reserves"],
    ["half a character in a key", { "\ud83d": 1 }, "must not have the key"],
    ["half a character in a text", { a: ["\ud83d"] }, "must hold well-formed Unicode only"],
    ["no number", { a: NaN }, "must hold finite numbers only"],
    ["an infinity", { a: [{ b: -Infinity }] }, "must hold finite numbers only"],
    ["undefined", { a: undefined }, "must be plain JSON"],
    ["a function", { a: () => 1 }, "must be plain JSON"],
    ["a bigint", { a: 1n }, "must be plain JSON"],
  ])("may not hold %s", (_what, metadata, message) => {
    const problems = problemsOf({ metadata: metadata });
    expect(problems.length).toBe(1);
    expect(problems[0]).toContain(message);
  });

  test("may have a key that has only a part of Firestore's reserved form", () => {
    expect(problemsOf({ metadata: { __a: 1, a__: 1, _: 1, ___: 1, a__b__: 1, __a__b: 2 } })).toEqual([]);
  });

  test.each([
    [[1], "a list"],
    ["text", "a string"],
    [7, "a number"],
    [null, "null"],
  ])("may not be %j, which is not an object, and the message says what it is", (metadata, found) => {
    expect(problemsOf({ metadata })).toEqual([
      `metadata: must be an object of named values, such as {"country":"de"}; this is ${found}`,
    ]);
  });

  test("that refers to itself is refused, without an endless loop", () => {
    const metadata: Record<string, unknown> = {};
    metadata["self"] = metadata;
    expect(problemsOf({ metadata })).toEqual(["metadata: must be at most 10 levels deep"]);
  });
});

test("a submission id is kept unchanged, and every field may be left out", () => {
  expect(submission.parse({ submission_id: "a/b c" })).toEqual({ submission_id: "a/b c" });
  expect(problemsOf({ submission_id: "" })).toEqual(["submission_id: must not be empty"]);
  expect(problemsOf({})).toEqual([]);
});
