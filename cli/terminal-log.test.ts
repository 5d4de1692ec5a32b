import { afterEach, expect, test, vi } from "vitest";
import { terminalLog } from "./terminal-log.ts";

afterEach(() => vi.restoreAllMocks());

test("a warning says what it is about, and what is well says nothing", () => {
  const said: unknown[] = [];
  vi.spyOn(console, "error").mockImplementation((line) => void said.push(line));
  const fields = {
    leaderboard: "arena",
    season: "cup",
    problems: [{ code: 1 }],
    error: "There is no board.",
  };
  terminalLog.warn("a season is damaged", fields);
  terminalLog.error("a step failed");
  terminalLog.info("a run was published", fields);
  expect(said).toEqual([
    "Note: a season is damaged (leaderboard: arena, season: cup, error: There is no board.)",
    "Note: a step failed",
  ]);
});
