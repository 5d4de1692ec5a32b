import { expect, test } from "vitest";
import { compare, compareTables } from "./check.ts";

const standing = { team: "Roma", rank: 6, points: 322, goalDifference: 163, goals: 300 };
const rank = {
  rank: 6,
  players: 116,
  exact: true,
  columns: { points: 322, goal_difference: 163, goals: 300 },
};

test("a rank that agrees in everything has no problems", () => {
  expect([...compare(standing, rank, 116)]).toEqual([]);
});

test.each([
  [{ rank: 7 }, "rank 7, recounted 6"],
  [{ columns: { ...rank.columns, points: 321 } }, "points 321, recounted 322"],
  [{ columns: { ...rank.columns, goal_difference: 0 } }, "goal difference 0, recounted 163"],
  [{ columns: { points: 322, goal_difference: 163 } }, "goals undefined, recounted 300"],
  [{ players: 115 }, "players 115, recounted 116"],
  [{ exact: false }, "not exact"],
])("%j is found", (change, found) => {
  expect([...compare(standing, { ...rank, ...change }, 116)]).toEqual([found]);
});

const table = [
  { ...standing, rank: 1 },
  { ...standing, team: "Lazio", rank: 1 },
  { ...standing, team: "Inter", rank: 3, points: 3 },
];
const entry = (team: string, position: number, at: number, points = 322) => ({
  player: team,
  rank: at,
  position,
  score: 0,
  columns: { ...rank.columns, points },
  achieved_at: "2026-11-22T00:00:00.000Z",
});
const entries = [entry("Lazio", 1, 1), entry("Roma", 2, 1), entry("Inter", 3, 3, 3)];

test("a final table that matches the recount has no problems", () => {
  expect([...compareTables(table, { entries, players: 3 })]).toEqual([]);
});

test.each([
  ["a team is missing", entries.slice(0, 2), "Inter is there 0 times"],
  ["one is there twice", [...entries, entry("Inter", 4, 3, 3)], "Inter is there 2 times"],
  ["one did not play", [...entries, entry("Pisa", 4, 4, 0)], "Pisa did not play"],
  ["a rank is wrong", entries.with(1, entry("Roma", 2, 2)), "Roma: rank 2, recounted 1"],
  ["a position is wrong", entries.with(1, entry("Roma", 3, 1)), "Roma: position 3, listed 2"],
  ["points are wrong", entries.with(2, entry("Inter", 3, 3, 4)), "Inter: points 4, recounted 3"],
  [
    "the order is wrong",
    [entry("Inter", 1, 3, 3), entry("Lazio", 2, 1), entry("Roma", 3, 1)],
    "Lazio is listed behind a worse rank",
  ],
])("%s", (_, found, problem) => {
  expect([...compareTables(table, { entries: found, players: 3 })]).toContain(problem);
});

test("a table that lacks players is found", () => {
  expect([...compareTables(table, { entries, players: 2 })]).toContain("Roma: players 2, recounted 3");
});

test("an uncertain rank is found in a final table", () => {
  const guessed = { ...entry("Lazio", 1, 1), exact: false as const };
  expect([...compareTables(table, { entries: [guessed, ...entries.slice(1)], players: 3 })]).toEqual([
    "Lazio: not exact",
  ]);
});
