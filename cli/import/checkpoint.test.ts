import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { CliError } from "../cli-error.ts";
import { type Checkpoint, checkpointOf } from "./checkpoint.ts";

const checkpoint: Checkpoint = {
  project: "demo-a",
  database: "(default)",
  leaderboard: "chess",
  season: "all_time",
  season_opened_at: "2026-11-21T12:00:00.000Z",
  sha256: "abc",
  started_at: "2026-11-21T12:34:56.789Z",
  records: 400,
};

let folder: string;
let file: ReturnType<typeof checkpointOf>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "firerank-"));
  file = checkpointOf(join(folder, "players.csv"));
});

test("a checkpoint is read back as it was written, from beside the file, and removed without a trace", () => {
  expect(file.read(checkpoint)).toBeUndefined();
  file.write({ ...checkpoint, records: 0 });
  file.write(checkpoint);
  expect(readdirSync(folder)).toEqual(["players.csv.firerank-import.json"]);
  expect(checkpointOf(join(folder, "players.csv")).read(checkpoint)).toEqual(checkpoint);
  file.remove();
  file.remove();
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  [{ sha256: "def" }, "has changed since its import was interrupted"],
  [{ leaderboard: "go" }, "into another leaderboard, chess, was interrupted"],
  [{ project: "demo-b" }, "into another project, demo-a, was interrupted"],
  [{ database: "ranks" }, "into another database, (default), was interrupted"],
  [{ season: "daily-2026-11-21" }, "into another season, all_time, was interrupted"],
])("a checkpoint of another import (%j) is not taken for this one's", (change, message) => {
  file.write(checkpoint);
  expect(() => file.read({ ...checkpoint, ...change })).toThrow(message);
  expect(() => file.read({ ...checkpoint, ...change })).toThrow(CliError);
  expect(existsSync(file.path)).toBe(true);
});

test("a checkpoint of a season that is gone, as after an emulator restart, is ignored", () => {
  file.write(checkpoint);
  expect(file.read({ ...checkpoint, season_opened_at: "2026-11-22T00:00:00.000Z" })).toBeUndefined();
});

test.each(["", "{}", "{"])("a file that is not a checkpoint (%j) says so", (text) => {
  writeFileSync(file.path, text);
  expect(() => file.read(checkpoint)).toThrow("is not a checkpoint of an import");
});
