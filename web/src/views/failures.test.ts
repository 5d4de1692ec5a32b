import { expect, test } from "vitest";
import { countByBoard } from "./failures.ts";

const of = (...paths: string[]) => Object.fromEntries(countByBoard(paths.map((path) => ({ path }))));

test("runs are counted by their board, of all its seasons together", () => {
  expect(
    of(
      "leaderboards/chess/seasons/all_time/runs/a",
      "leaderboards/chess/seasons/2026/runs/b",
      "leaderboards/go/seasons/all_time/runs/a",
    ),
  ).toEqual({ chess: 2, go: 1 });
});

test("a collection of the same name elsewhere in the database is none of a board's", () => {
  expect(
    of(
      "runs/marathon",
      "users/ann/runs/monday",
      "clubs/north/seasons/2026/runs/a",
      "leaderboards/chess/runs/a",
    ),
  ).toEqual({});
});
