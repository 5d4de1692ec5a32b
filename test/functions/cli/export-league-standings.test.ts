/**
 * import-export.md: "You can import it as it is … at the end come those whom the board keeps hidden or banned and who have no score
 * in the season, each with the status alone"; "An export costs 1 read a player, 1 for each whom the board keeps hidden or
 * banned". On a board with a league the board keeps a document for everybody who has ever been settled, and the export takes
 * each for somebody hidden or banned: a line `{"player":"bob","status":"active"}`, which no import takes.
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportFile } from "../../../cli/export-file.ts";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { createLeague, endWeek, five, play, presentWeek } from "../../support/league.ts";
import { admin, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const stream = { isTTY: false, write: () => true } as const;

/** The file of a week in which ann has played; bob and others played the week before, and dan is banned. */
async function exported(): Promise<string> {
  await createLeague(world);
  await play(world, five);
  await endWeek(world, await presentWeek(world));
  await play(world, { ann: 7 });
  await world.call("setPlayerStatus", { leaderboard: "board", player: "dan", status: "banned" }, admin);
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.ndjson");
  await exportFile(world.services, stream, { leaderboard: "board", file, force: true });
  return file;
}

test("an export has those who have scores, and those who are banned, and nobody else", async () => {
  const lines = readFileSync(await exported(), "utf8")
    .trim()
    .split("\n");
  const named = lines.map((line) => JSON.parse(line) as { player: string; status: string });
  expect(named.map(({ player, status }) => [player, status])).toEqual([
    ["ann", "active"],
    ["dan", "banned"],
  ]);
});

test("an export of a board with a league can be imported as it is", async () => {
  const file = await exported();
  await createBoard(world, "other", { spans: ["weekly"] });
  const { imported } = await importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    { leaderboard: "other", file, season: undefined, skipBad: false, dryRun: false, restart: false },
  );
  expect(imported).toMatchObject({ written: 2 });
});
