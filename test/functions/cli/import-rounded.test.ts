/** Files that went through a spreadsheet, which rounds long numbers; and lines that a later line replaces. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFile } from "../../../cli/import/import-file.ts";
import { remarks } from "../../../cli/import/oddities.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { playersPath } from "../../../functions/src/documents/paths.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const folder = mkdtempSync(join(tmpdir(), "firerank-"));

test("an import warns of ids that a spreadsheet has rounded, and counts lines that a later one replaces", async () => {
  const key = await createBoard(world, "board");
  const file = join(folder, "rounded.csv");
  const lines = ["7.65612E+16,9", "7.65612E+16,8", "'76561198012345678,7", "ann,6", "ann,5", "bob,4"];
  writeFileSync(file, ["player,score", ...lines, ""].join("\n"));
  let said = "";
  const stream = { isTTY: false, write: (text: string) => ((said += text), true) } as const;
  const imported = await importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    { leaderboard: "board", file, skipBad: false, dryRun: false, restart: false },
  );
  expect(imported).toMatchObject({ good: 6, replaced: 2, rounded: 2, imported: { written: 4 } });
  for (const line of ["line 2", "line 3"])
    expect(said).toContain(`${line}: the player "7.65612E+16" looks like a number`);
  expect(said).not.toContain("line 4");
  expect(remarks(imported)).toMatch(
    /^\n2 lines were replaced by a later line .*\n2 lines with a player such as 7.65612E\+16/,
  );
  const { docs } = await world.db.collection(playersPath(key)).get();
  expect(docs.map(({ id }) => id)).toContain("76561198012345678");
});
