/** What watchers report in a test, and the weeks that they follow. */
import { onTestFinished } from "vitest";
import type { Running } from "../../../client/src/answers.ts";
import type { FirerankError } from "../../../client/src/firerank-error.ts";
import type { Leaderboard } from "../../../client/src/leaderboard.ts";

/** Watches until the test ends, and keeps what the watcher reports. */
export function watching<Value>(
  watch: (
    board: Leaderboard,
    tell: (value: Value) => void,
    fail: (error: FirerankError) => void,
  ) => () => void,
  board: Leaderboard,
) {
  const told: Value[] = [];
  const errors: FirerankError[] = [];
  const tell = (value: Value) => told.push(value);
  const stop = watch(board, tell, (error) => errors.push(error));
  onTestFinished(stop);
  return { told, errors, stop };
}

/** A current season that ends soon, and the next season. */
export function runningWeeks(endsInMs: number): Running[] {
  const iso = (ms: number) => new Date(ms).toISOString();
  const endMs = Date.now() + endsInMs;
  const next = { season: "weekly-2", opens_at: iso(endMs), closes_at: iso(endMs + 6e8) };
  return [
    { span: "weekly", season: "weekly-1", opens_at: iso(endMs - 6e8), closes_at: iso(endMs), next },
    { span: "all_time", season: "all_time", opens_at: null, closes_at: null, next: null },
  ];
}
