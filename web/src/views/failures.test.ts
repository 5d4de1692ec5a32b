import { expect, test } from "vitest";
import { definitionsOfSeasons, failuresIn, failuresText } from "./failures.ts";

const of = (...paths: string[]) =>
  Object.fromEntries(
    failuresIn(
      paths.map((path) => ({ path })),
      100,
    ).ofBoard,
  );

test("runs are counted by board, for all its seasons together", () => {
  expect(
    of(
      "leaderboards/chess/seasons/all_time/runs/a",
      "leaderboards/chess/seasons/2026/runs/b",
      "leaderboards/go/seasons/all_time/runs/a",
    ),
  ).toEqual({ chess: 2, go: 1 });
});

test("boards of a template have one definition, the template's", () => {
  const of = ["level:7", "chess", "level:8"].map((board) => ({
    path: `leaderboards/${board}/seasons/all_time`,
  }));
  expect(definitionsOfSeasons([...of, { path: "clubs/north/seasons/2026" }])).toEqual(["level", "chess"]);
});

test("a collection of the same name elsewhere in the database is ignored", () => {
  expect(
    of(
      "runs/marathon",
      "users/ann/runs/monday",
      "clubs/north/seasons/2026/runs/a",
      "leaderboards/chess/runs/a",
    ),
  ).toEqual({});
});

test("if there are more failures than were read, no number claims to be complete", () => {
  const runs = ["a", "b", "c"].map((run) => ({ path: `leaderboards/chess/seasons/all_time/runs/${run}` }));
  const texts = (limit: number) =>
    ["chess", "go"].map((board) => failuresText(failuresIn(runs, limit), board));
  expect(texts(4)).toEqual(["3", "0"]);
  expect(texts(3)).toEqual(["3+", "?"]);
});
