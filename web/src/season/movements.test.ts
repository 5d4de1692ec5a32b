import { expect, test } from "vitest";
import { movementsBetween } from "./movements.ts";

const list = (players: string) => Array.from(players, (player) => ({ player }));

test("players who climb move up, those they pass move down, and the rest stay", () => {
  expect([...movementsBetween(list("abcd"), list("cabd"))]).toEqual([
    ["c", { by: 2 }],
    ["a", { by: -1 }],
    ["b", { by: -1 }],
  ]);
});

test("players who were not in the list are new, and those who left are not mentioned", () => {
  expect([...movementsBetween(list("ab"), list("ac"))]).toEqual([["c", { by: "new" }]]);
});

test("nobody moves if the order is the same", () => {
  expect(movementsBetween(list("abc"), list("abc")).size).toBe(0);
});
