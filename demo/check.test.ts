import { expect, test } from "vitest";
import { compare } from "./check.ts";

const standing = { team: "Roma", rank: 6, points: 322, goalDifference: 163, goals: 300 };
const rank = {
  rank: 6,
  players: 116,
  exact: true,
  columns: { points: 322, goal_difference: 163, goals: 300 },
};

test("nothing is wrong with a rank that agrees in everything", () => {
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
