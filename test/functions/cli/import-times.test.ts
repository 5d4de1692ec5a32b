/** Times in a file that ISO 8601 has and Firestore has not. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const folder = mkdtempSync(join(tmpdir(), "firerank-"));

test("an import names the lines, imports nothing of the file, and with --skip-bad the other lines", async () => {
  const key = await createBoard(world, "board");
  const file = join(folder, "times.csv");
  const lines = [
    "ann,9,0001-01-01T00:00:00+01:00",
    "bob,8,2026-11-22T12:00:00Z",
    "cyd,7,9999-12-31T23:59:59-01:00",
  ];
  writeFileSync(file, ["player,score,achieved_at", ...lines, ""].join("\n"));
  let said = "";
  const stream = { isTTY: false, write: (text: string) => ((said += text), true) } as const;
  const run = (skipBad: boolean) =>
    importFile(
      { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
      { leaderboard: "board", file, skipBad, dryRun: false, restart: false },
    );
  await expect(run(false)).rejects.toThrow(/has 2 bad lines; nothing was imported/);
  const problem = "achieved_at: must lie in the years 0001 to 9999 in UTC";
  expect(said).toContain(`line 2: ${problem}`);
  expect(said).toContain(`line 4: ${problem}`);
  expect(await run(true)).toMatchObject({ good: 1, bad: 2, imported: { written: 1 } });
  expect((await world.db.doc(playerPath(key, "bob")).get()).get("score")).toBe(8);
});

test("the score of a server without a time has the time of that write, also where a file has the same score", async () => {
  await createBoard(world, "board");
  const ann = world.db.doc(playerPath(allTime("board"), "ann"));
  await world.submit("bob", 1);
  await world.writeDirectly(allTime("board"), "ann", { score: 500 });
  const written = (await ann.get()).updateTime;
  const file = join(folder, "same.csv");
  writeFileSync(file, "player,score\nann,500\n");
  const stream = { isTTY: false, write: () => true } as const;
  await importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    { leaderboard: "board", file, skipBad: false, dryRun: false, restart: false },
  );
  // Came out: the time of the import.
  expect((await ann.get()).data()).toMatchObject({ score: 500, achieved_at: written });
});
