/** Scores that a board's limits would refuse today come back from an export, and the import says so. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportFile } from "../../../cli/export-file.ts";
import { importFile } from "../../../cli/import/import-file.ts";
import { remarks } from "../../../cli/import/oddities.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { expectConserved } from "../../support/oracle.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const folder = mkdtempSync(join(tmpdir(), "firerank-"));

/** Imports a file. @returns what was found, and the lines that were said */
async function imported(leaderboard: string, file: string, dryRun = false) {
  const said: string[] = [];
  const stream = { isTTY: false, write: (text: string) => said.push(text) > 0 } as const;
  const found = await importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    { leaderboard, file, skipBad: false, dryRun, restart: false },
  );
  return { found, said: said.join("").split("\n") };
}

test("a score from before a limit was saved, or from a server, goes into another board, with a warning", async () => {
  const key = await createBoard(world, "old");
  for (const [player, score] of [
    ["ann", 1_200],
    ["bob", 900],
  ] as const)
    await world.submit(player, score, { leaderboard: "old" });
  const definition = { min_score: 0, max_score: 1_000 };
  await world.call("saveLeaderboard", { leaderboard: "old", definition }, admin);
  await world.db.doc(playerPath(key, "cat")).set({ score: -5, status: "hidden" });
  await createBoard(world, "new", definition);
  const file = join(folder, "old.csv");
  const stream = { isTTY: false, write: () => true } as const;
  await exportFile(world.services, stream, { leaderboard: "old", file, force: true });
  const { found: dry, said } = await imported("new", file, true);
  expect(dry).toMatchObject({ good: 3, bad: 0, beyond: 2, imported: undefined });
  for (const line of [
    "line 2: score: 1200 is above max_score, 1000",
    "line 4: score: -5 is below min_score, 0",
  ])
    expect(said).toContain(line);
  expect(said.filter((line) => line.startsWith("line 3"))).toEqual([]);
  expect(remarks(dry)).toMatch(
    /^\n2 lines with a score beyond the board's limits; the first is line 2: score: 1200 is above max_score, 1000\. /,
  );
  const { found } = await imported("new", file);
  expect(found).toMatchObject({ beyond: 2, imported: { written: 3 } });
  const scores = ["ann", "bob", "cat"].map(async (player) => {
    return (await world.db.doc(playerPath(allTime("new"), player)).get()).get("score") as unknown;
  });
  expect(await Promise.all(scores)).toEqual([1_200, 900, -5]);
  await expectConserved(world, allTime("new"));
});

test("a score of more digits than a board with decimals takes is one of them, and columns have to fit", async () => {
  await createBoard(world, "board", { decimals: 2 });
  const file = join(folder, "digits.csv");
  writeFileSync(file, "player,score\nann,12345678901234.5\nbob,9.25\n");
  const { found, said } = await imported("board", file);
  expect(found).toMatchObject({ beyond: 1, imported: { written: 2 } });
  expect(said).toContainEqual(expect.stringMatching(/^line 2: score: .* as 15 digits are stored$/));
  await createBoard(world, "columns", { columns: [{ name: "points", min: 0, max: 9 }] });
  writeFileSync(file, "player,points\nann,10\n");
  await expect(imported("columns", file)).rejects.toThrow("has 1 bad line");
});
