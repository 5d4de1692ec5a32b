/** The play of many small boards, with few: each is published, and they share tasks. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../scripts/project.ts";
import type { Taken } from "./play-runs.ts";

test("130 boards that are due in one minute are published by two tasks", () => {
  const given = ["--expose-gc", join(import.meta.dirname, "play-runs.ts"), root, "130", "1", "0"];
  const taken = JSON.parse(execFileSync(process.execPath, given, { encoding: "utf8" })) as Taken;
  expect(taken).toMatchObject({ boards: 130, runs: 130, tasks: 2 });
  // 16 steps at the same time, with the pages and shards of small boards.
  expect(taken.taskBytes).toBeLessThan(8 * 1_048_576);
  expect(taken.keptBytes).toBeLessThan(8_192);
});
