/** Values of segments on the command line: imported, counted, exported, and in the final table of a season. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportFile } from "../../../cli/export-file.ts";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { generationLine } from "../../../cli/repairs.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { expectConserved, expectConverged } from "../../support/oracle.ts";
import { admin, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const folder = mkdtempSync(join(tmpdir(), "firerank-"));
const segments = [
  { name: "country", from: "claim" as const },
  { name: "platform", from: "submission" as const, values: ["ios", "android"] },
];
const lines: string[] = [];
const stream = { isTTY: false, write: (text: string) => lines.push(text) > 0 } as const;

function file(name: string, content?: string): string {
  const path = join(folder, name);
  if (content !== undefined) writeFileSync(path, content);
  return path;
}

const runImport = (leaderboard: string, path: string, more: object = {}) =>
  importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    { leaderboard, file: path, skipBad: false, dryRun: false, restart: false, ...more },
  );

async function exported(leaderboard: string, name: string, more: object = {}): Promise<string> {
  await exportFile(world.services, stream, { leaderboard, file: file(name), force: false, ...more });
  return readFileSync(file(name), "utf8");
}

const csv = "player,score,segments\nann,9,country=AT platform=ios\nbob,8,country=AT\ncyd,7,\n";

test("imported players are ranked in their segments, and come back from an export as they were", async () => {
  const key = await createBoard(world, "board", { segments });
  await runImport("board", file("all.csv", csv));
  const run = await world.call("runRanking", { leaderboard: "board", include_open_slot: true }, admin);
  expect(generationLine(run)).toBe("Generation 1: 3 players in 3 rows, 2 values of segments.");
  const full = { ...run, found: { segments: 1_000, segments_full: true as const } };
  expect(generationLine(full)).toMatch(
    /rows, 1,000 values of segments\. Players have more than 1,000 values/,
  );
  await expectConverged(world, key);
  await expectConserved(world, key);
  const asked = { leaderboard: "board", player: "bob", segment: { country: "AT" } };
  expect(await world.call("getRank", asked, user("ann"))).toMatchObject({ rank: 2, players: 2 });

  for (const name of ["copy.csv", "copy.ndjson"]) {
    const text = await exported("board", name);
    const leaderboard = name.replace(".", "-");
    await createBoard(world, leaderboard, { segments });
    const { imported } = await runImport(leaderboard, file(name, text));
    expect(imported).toEqual({ written: 3, unchanged: 0 });
    expect(await exported(leaderboard, `again-${name}`)).toBe(text);
  }
});

test("a name or a value that the board does not have is refused with its line, and nothing is imported", async () => {
  await createBoard(world, "board", { segments });
  const bad = file("bad.csv", `${csv}dan,6,land=AT\neve,5,platform=web\nfay,4,AT\n`);
  await expect(runImport("board", bad)).rejects.toThrow("has 3 bad lines; nothing was imported");
  const said = lines.join("");
  expect(said).toMatch(
    /line 5: segments\.land: is not a segment of this leaderboard, which has country, platform/,
  );
  expect(said).toMatch(/line 6: segments\.platform: "web" is not a value/);
  expect(said).toMatch(/line 7: segments: must be values by segment/);
  expect((await world.db.collection("leaderboards/board/seasons/all_time/players").get()).size).toBe(0);
});

test("a final table has them, on a board with segments", async () => {
  const players = {
    ann: playerFields(9, 0, { segments: { platform: "ios", country: "AT" } }),
    bob: playerFields(8, 1),
  };
  const cup = await createEnding(world, "board", players, { definition: { segments } });
  await endSeason(world, cup);
  const table = await exported("board", "final.csv", cup);
  expect(table.split("\n")).toEqual([
    "position,rank,player,score,display_name,segments,metadata,achieved_at",
    expect.stringMatching(/^1,1,ann,9,,country=AT platform=ios,,/),
    expect.stringMatching(/^2,2,bob,8,,,,/),
    "",
  ]);
  const [ann = "", bob = ""] = (await exported("board", "final.ndjson", cup)).split("\n");
  expect(JSON.parse(ann)).toMatchObject({ player: "ann", segments: { country: "AT", platform: "ios" } });
  expect(JSON.parse(bob)).not.toHaveProperty("segments");
});
