import { expect, test } from "vitest";
import {
  definedId,
  documentId,
  hasControlCharacter,
  leaderboardId,
  playerId,
  scorerId,
  seasonId,
  submissionId,
} from "./ids.ts";

const problemsOf = (schema: typeof playerId, id: unknown) =>
  (schema.safeParse(id).error?.issues ?? []).map(({ message }) => message);

test("the id of a definition, of its board and of a season is up to 64 letters, digits, - and _, and begins with one of the first two", () => {
  for (const schema of [definedId, leaderboardId, seasonId]) {
    const isId = (id: unknown) => schema.safeParse(id).success;
    expect(["a", "7", "weekly-2026-W47", "all_time", "A".repeat(64)].filter(isId)).toHaveLength(5);
    const others = ["", "-a", "_a", "__a__", "a b", "a/b", "a.b", "é", "a\n", "A".repeat(65), 7, null];
    expect(others.filter(isId)).toEqual([]);
  }
});

test("a board of a template has the template's id, a colon, and up to 64 letters, digits, - and _", () => {
  const ids = ["level:7", "level:a_-", "level:-", `${"A".repeat(64)}:${"b".repeat(64)}`];
  const others = ["level:", ":7", "-a:7", "level:7:8", "level: 7", "level:é", `level:${"b".repeat(65)}`];
  const isBoard = (id: string) => leaderboardId.safeParse(id).success;
  expect([...ids, ...others].filter(isBoard)).toEqual(ids);
  // No definition is saved under it, and no season is called so.
  for (const schema of [definedId, seasonId])
    expect(ids.filter((id) => schema.safeParse(id).success)).toEqual([]);
});

test("who names one board of a template where only a definition has a name is told to name the template", () => {
  expect(problemsOf(definedId, "level:7")).toEqual([
    'must be the template\'s id, "level", which is for all of its boards',
  ]);
  expect(problemsOf(definedId, "a b:7")).toEqual(problemsOf(seasonId, "a b:7"));
});

test("a player whose id ends with a space gets no score, as no event carries that space", () => {
  for (const id of ["ann", " ann b"]) expect(problemsOf(scorerId, id)).toEqual([]);
  for (const id of ["ann ", "ann\u2003", " "])
    expect(problemsOf(scorerId, id)).toEqual(["must not end with a space"]);
});

const players = [
  "a",
  "uid.with:signs~",
  "игрок",
  "👑",
  "...",
  "__",
  "___",
  "__a",
  "a__",
  "__id7__",
  "__id9223372036854775807__",
  " ",
  "x".repeat(128),
];
test.each(players)("a player's id may be %j", (id) => {
  expect(problemsOf(playerId, id)).toEqual([]);
});

test.each([
  ["", "must not be empty"],
  ["x".repeat(129), "must have at most 128 characters"],
  ["a/b", 'must not contain "/"'],
  [".", 'must not be "." or ".."'],
  ["..", 'must not be "." or ".."'],
  ["____", 'must not be of the form "__…__"'],
  ["__id9223372036854775808__", "must be of a 64-bit number"],
  ["__a\nb__", 'must not be of the form "__…__"'],
  ["a\u0085b", "must not contain control characters"],
  ["\ud800", "must be well-formed Unicode"],
])("a player's id may not be %j", (id, message) => {
  expect(problemsOf(playerId, id).join()).toContain(message);
});

test("the id of a submission is any text of up to 64 characters, a slash included", () => {
  for (const id of ["a", "a/b", "..", "x".repeat(64)]) expect(problemsOf(submissionId, id), id).toEqual([]);
  for (const id of ["", "x".repeat(65), "a\tb", "\udfff", 7])
    expect(problemsOf(submissionId, id), String(id)).not.toEqual([]);
});

test("control characters are found; letters of any script and emoji are not control characters", () => {
  expect(["\u0000", "\n", "\u001f", "\u007f", "\u009f"].every(hasControlCharacter)).toBe(true);
  expect(["", " ", "ä", "ह", "👩‍🚀", "\u200b"].some(hasControlCharacter)).toBe(false);
});

test("an empty id gets a single error", () => {
  expect(problemsOf(documentId, "")).toHaveLength(1);
  expect(problemsOf(documentId, "a/b")).toEqual(['must not contain "/"']);
});
