/** Where a command cannot write is its user's mistake, such as a folder that is not there: a sentence, and no stack. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CliError } from "../../../cli/cli-error.ts";
import { exportFile } from "../../../cli/export-file.ts";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const folder = mkdtempSync(join(tmpdir(), "firerank-"));
const stream = { isTTY: false, write: () => true } as const;
const errorOf = (work: Promise<unknown>) => work.then(
  () => undefined,
  (error: unknown) => error,
);

test("an export into a folder that is not there", async () => {
  await createBoard(world, "board");
  await world.submit("ann", 5, { leaderboard: "board" });
  const file = join(folder, "backups", "board.csv");
  const error = await errorOf(
    exportFile(world.services, stream, { leaderboard: "board", file, force: false }),
  );
  expect(error).toBeInstanceOf(CliError);
});

test("an export over a folder", async () => {
  await createBoard(world, "board");
  await world.submit("ann", 5, { leaderboard: "board" });
  const file = join(folder, "folder.csv");
  mkdirSync(file);
  const error = await errorOf(
    exportFile(world.services, stream, { leaderboard: "board", file, force: true }),
  );
  expect(error).toBeInstanceOf(CliError);
});

test("an import from a folder that takes no file for its progress", async () => {
  await createBoard(world, "board");
  const file = join(folder, "players.csv");
  writeFileSync(file, "player,score\nann,5\n");
  // As a folder that may only be read, also for root.
  mkdirSync(`${file}.firerank-import.json.new`);
  const error = await errorOf(
    importFile(
      { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
      { leaderboard: "board", file, skipBad: false, dryRun: false, restart: false },
    ),
  );
  expect(error).toBeInstanceOf(CliError);
});
