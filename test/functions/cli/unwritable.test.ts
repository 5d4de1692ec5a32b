/** Where a command cannot write, it says so in a sentence, without a stack, and leaves nothing half done. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { CliError } from "../../../cli/cli-error.ts";
import { exportFile } from "../../../cli/export-file.ts";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const stream = { isTTY: false, write: () => true } as const;
const key = allTime("board");

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "firerank-"));
  await createBoard(world, "board");
});

const exportTo = (file: string) =>
  exportFile(world.services, stream, { leaderboard: "board", file, force: true });

const importOf = (file: string) =>
  importFile(
    {
      ...{ services: world.services, project: world.projectId, database: "(default)" },
      ...{ ramp: noRamp, stream },
    },
    { leaderboard: "board", file, skipBad: false, dryRun: false, restart: false },
  );

/** Refused with a sentence, without a stack. */
async function refused(work: Promise<unknown>, says: string): Promise<void> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CliError);
  expect((error as CliError).message).toContain(says);
}

test.each(["board.csv", "board.ndjson"])("an export to %s in a folder that is not there", async (name) => {
  const file = join(folder, "backups", name);
  await refused(
    exportTo(file),
    `There is no folder "${join(folder, "backups")}"; make it first. Nothing was`,
  );
});

test("an export over a folder", async () => {
  const file = join(folder, "board.csv");
  mkdirSync(file);
  const before = world.meter.total();
  await refused(exportTo(file), `"${file}" is a folder; name a file.`);
  expect(world.meter.total()).toEqual(before);
});

test("an export where a folder has the name of the file that becomes it", async () => {
  const file = join(folder, "board.csv");
  mkdirSync(`${file}.partial`);
  await refused(exportTo(file), `"${file}.partial" is a folder, and should be a file. Nothing was exported.`);
  expect(existsSync(`${file}.partial`)).toBe(true);
});

test("an export that ends before its end leaves the file that is there, and no other", async () => {
  const file = join(folder, "board.csv");
  writeFileSync(file, "of yesterday");
  await world.submit("ann", 5, { leaderboard: "board" });
  const { db } = world.services;
  const collection = db.collection.bind(db);
  vi.spyOn(db, "collection").mockImplementation((path) => {
    if (path.endsWith("/players") && existsSync(`${file}.partial`)) throw new Error("the connection is gone");
    return collection(path);
  });
  await expect(exportTo(file)).rejects.toThrow("the connection is gone");
  expect(readdirSync(folder)).toEqual(["board.csv"]);
  expect(readFileSync(file, "utf8")).toBe("of yesterday");
});

test("an import from a folder that takes no file for its progress writes no player", async () => {
  const file = join(folder, "players.csv");
  writeFileSync(file, "player,score\nann,5\n");
  // As in a folder that may only be read, but for root too, who may write in those.
  const progress = `${file}.firerank-import.json.new`;
  mkdirSync(progress);
  await refused(importOf(file), `"${progress}" is a folder, and should be a file. Nothing was imported: an`);
  expect((await world.db.doc(playerPath(key, "ann")).get()).exists).toBe(false);
});
