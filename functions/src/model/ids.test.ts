import { describe, expect, test } from "vitest";
import {
  documentId,
  hasControlCharacter,
  leaderboardId,
  playerId,
  scorerId,
  seasonId,
  submissionId,
} from "./ids.ts";

describe("the id of a leaderboard or season", () => {
  test.each(["a", "7", "chess", "weekly-2026-W47", "all_time", "A".repeat(64)])("may be %j", (id) => {
    expect(leaderboardId.safeParse(id).success).toBe(true);
    expect(seasonId.safeParse(id).success).toBe(true);
  });

  test.each(["", "-a", "_a", "__a__", "a b", "a/b", "a.b", "é", "a\n", "A".repeat(65), 7, null, undefined])(
    "may not be %j",
    (id) => {
      expect(leaderboardId.safeParse(id).success).toBe(false);
      expect(seasonId.safeParse(id).success).toBe(false);
    },
  );
});

test("a player whose id ends with a space gets no score, as no event carries that space", () => {
  expect(scorerId.safeParse("ann").success).toBe(true);
  expect(scorerId.safeParse(" ann b").success).toBe(true);
  for (const id of ["ann ", "ann\u2003", " "]) {
    expect(scorerId.safeParse(id).error?.issues[0]?.message).toBe("must not end with a space");
  }
});

describe("the id of a player", () => {
  test.each([
    "a",
    "uid.with:signs~",
    "игрок",
    "👑",
    "...",
    "_",
    "__",
    "___",
    "_a_",
    "__a",
    "a__",
    " ",
    "x".repeat(128),
  ])("may be %j", (id) => {
    expect(playerId.safeParse(id).success).toBe(true);
  });

  test.each([
    ["", "must not be empty"],
    ["x".repeat(129), "must have at most 128 characters"],
    ["a/b", 'must not contain "/"'],
    [".", 'must not be "." or ".."'],
    ["..", 'must not be "." or ".."'],
    ["____", 'must not be of the form "__…__"'],
    ["__name__", 'must not be of the form "__…__"'],
    ["__a\nb__", 'must not be of the form "__…__"'],
    ["a\u0000b", "must not contain control characters"],
    ["a\u0085b", "must not contain control characters"],
    ["\ud800", "must be well-formed Unicode"],
  ])("may not be %j", (id, message) => {
    expect(
      playerId
        .safeParse(id)
        .error?.issues.map((issue) => issue.message)
        .join(),
    ).toContain(message);
  });
});

test("the id of a submission is any text of up to 64 characters, a slash included", () => {
  for (const id of ["a", "a/b", "..", "6f1c2a3e-0000-4000-8000-000000000000", "x".repeat(64)]) {
    expect(submissionId.safeParse(id).success, id).toBe(true);
  }
  for (const id of ["", "x".repeat(65), "a\tb", "\udfff", 7]) {
    expect(submissionId.safeParse(id).success, String(id)).toBe(false);
  }
});

test("control characters are found; letters of any script and emoji are not control characters", () => {
  expect(["\u0000", "\n", "\u001f", "\u007f", "\u009f"].every(hasControlCharacter)).toBe(true);
  expect(["", " ", "ä", "ह", "👩‍🚀", "\u200b"].some(hasControlCharacter)).toBe(false);
});

test("an empty id gets a single error", () => {
  expect(documentId.safeParse("").error?.issues).toHaveLength(1);
  expect(documentId.safeParse("a/b").error?.issues.map(({ message }) => message)).toEqual([
    'must not contain "/"',
  ]);
});
