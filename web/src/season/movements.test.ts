import { expect, test } from "vitest";
import { movementsBetween } from "./movements.ts";

const list = (players: string) => Array.from(players, (player) => ({ player }));

test("who climbs moves up, whom they pass moves down, and the rest stays", () => {
  expect([...movementsBetween(list("abcd"), list("cabd"))]).toEqual([
    ["c", { by: 2 }],
    ["a", { by: -1 }],
    ["b", { by: -1 }],
  ]);
});

test("who was not in the list is new, and who left it is not mentioned", () => {
  expect([...movementsBetween(list("ab"), list("ac"))]).toEqual([["c", { by: "new" }]]);
});

test("nobody moves in the same order", () => {
  expect(movementsBetween(list("abc"), list("abc")).size).toBe(0);
});
