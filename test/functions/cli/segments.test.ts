/** Values of segments on the command line: imported, counted, and in the final table of a season. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportFile } from "../../../cli/export-file.ts";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { generationLine } from "../../../cli/repairs.ts";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { expectConserved, expectConverged } from "../../support/oracle.ts";
import { admin, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const folder = mkdtempSync(join(tmpdir(), "firerank-"));
const segments = [
  { name: "country", from: "claim" as const },
  { name: "platform", from: "submission" as const, values: ["ios", "android"] },
];
const stream = { isTTY: false, write: () => true } as const;

async function exported(key: SeasonKey, name: string): Promise<string> {
  const file = join(folder, name);
  await exportFile(world.services, stream, { ...key, file, force: false });
  return readFileSync(file, "utf8");
}

test("imported players are ranked in their segments", async () => {
  const key = await createBoard(world, "board", { segments });
  const file = join(folder, "all.csv");
  writeFileSync(file, "player,score,segments\nann,9,country=AT platform=ios\nbob,8,country=AT\ncyd,7,\n");
  await importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    { leaderboard: "board", file, skipBad: false, dryRun: false, restart: false },
  );
  const run = await world.call("runRanking", { leaderboard: "board", include_open_slot: true }, admin);
  expect(generationLine(run)).toBe("Generation 1: 3 players in 3 rows, 2 values of segments.");
  const full = { ...run, found: { segments: 1_000, left_out: { guild: 2 } } };
  expect(generationLine(full)).toMatch(
    /rows, 1,000 values of segments\. The segment guild has more values than the 1,000/,
  );
  await expectConverged(world, key);
  await expectConserved(world, key);
  const asked = { leaderboard: "board", player: "bob", segment: { country: "AT" } };
  expect(await world.call("getRank", asked, user("ann"))).toMatchObject({ rank: 2, players: 2 });
});

test("a final table has them, on a board with segments", async () => {
  const players = {
    ann: playerFields(9, 0, { segments: { platform: "ios", country: "AT" } }),
    bob: playerFields(8, 1),
  };
  const cup = await createEnding(world, "board", players, { definition: { segments } });
  await endSeason(world, cup);
  const table = await exported(cup, "final.csv");
  expect(table.split("\n")).toEqual([
    "position,rank,player,score,display_name,segments,metadata,achieved_at",
    expect.stringMatching(/^1,1,ann,9,,country=AT platform=ios,,/),
    expect.stringMatching(/^2,2,bob,8,,,,/),
    "",
  ]);
  const [ann = "", bob = ""] = (await exported(cup, "final.ndjson")).split("\n");
  expect(JSON.parse(ann)).toMatchObject({ player: "ann", segments: { country: "AT", platform: "ios" } });
  expect(JSON.parse(bob)).not.toHaveProperty("segments");
});
