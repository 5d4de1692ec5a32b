import { expect, test } from "vitest";
import { challengeLines, challengeProblems } from "./challenge.ts";
import type { Standing } from "./recount.ts";

const standing = (team: string, points: number, rank: number): Standing => ({
  team,
  points,
  goalDifference: 1,
  goals: 2,
  rank,
});

const entry = (player: string, place: number, points?: number) => ({
  player,
  place,
  ...(points !== undefined && { columns: { points, goal_difference: 1, goals: 2 } }),
});

const expected = [standing("Roma", 6, 1), standing("Milan", 3, 2), standing("Lazio", 0, 3)];
const teams = ["Milan", "Roma", "Torino"];
const right = [entry("Roma", 1, 6), entry("Milan", 2, 3), entry("Torino", 3)];
const problemsOf = (entries: typeof right) => [...challengeProblems({ entries }, teams, expected)];

test("a challenge that equals the recount has no problems", () => {
  expect(problemsOf(right)).toEqual([]);
});

test("a wrong score, a wrong order and a missing team are told", () => {
  expect(problemsOf([entry("Roma", 1, 5), ...right.slice(1)])).toEqual([
    "Roma in the challenge: points 5, goal difference 1, goals 2; recounted points 6, goal difference 1, goals 2",
  ]);
  expect(problemsOf([...right.slice(0, 2).toReversed(), ...right.slice(2)])).toEqual([
    "the challenge is not in order",
  ]);
  expect(problemsOf(right.slice(0, 2))).toEqual(["Torino in the challenge: missing; recounted no match"]);
});

test("its table has places, points and teams", () => {
  expect(challengeLines({ entries: right })).toEqual([" 1   6  Roma", " 2   3  Milan", " 3   –  Torino"]);
});
