import { expect, test } from "vitest";
import { seasonPath } from "../documents/paths.ts";
import { taskIdOf } from "./tasks.ts";

const ofBoard = (leaderboard: string, ...parts: (string | number)[]) =>
  taskIdOf(seasonPath({ leaderboard, season: "all_time" }), "next_run_at", ...parts);

test("a task has the same id each time, in the letters that Cloud Tasks takes", () => {
  for (const board of ["arena", "level:a_-", `${"A".repeat(64)}:${"b".repeat(64)}`]) {
    expect(ofBoard(board, 1_700_000_000_000, 0)).toBe(ofBoard(board, 1_700_000_000_000, 0));
    expect(ofBoard(board, 1_700_000_000_000, 0)).toMatch(/^[A-Za-z0-9_-]{1,500}$/);
  }
});

test("boards whose ids read alike have tasks of their own", () => {
  expect(ofBoard("level:7")).toMatch(/^[\da-f]{16}-leaderboards-level-7-seasons-all_time-next_run_at$/);
  expect(ofBoard("level-7")).toMatch(/-leaderboards-level-7-seasons-all_time-next_run_at$/);
  expect(ofBoard("level:7")).not.toBe(ofBoard("level-7"));
});
