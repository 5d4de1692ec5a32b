/** An export can be imported as it is, and names what it leaves out of a player's document. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportFile, exportSummary } from "../../../cli/export-file.ts";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { readRecord } from "../../../cli/records/player-record.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { readDefinition } from "../../../functions/src/model/definition.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { admin, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const stream = { isTTY: false, write: () => true } as const;
const guild = { name: "guild", from: "server" as const };
const country = (...values: string[]) => ({ name: "country", from: "submission" as const, values });

async function exported(asked: { season?: string; players?: boolean } = {}) {
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.ndjson");
  const said: string[] = [];
  const listener = { isTTY: false, write: (text: string) => said.push(text) > 0 } as const;
  const of = { leaderboard: "board", file, force: true, ...asked };
  const report = await exportFile(world.services, listener, of);
  const records = readFileSync(file, "utf8").trim().split("\n");
  const left = said.flatMap((text) => text.split("\n")).filter((line) => line.startsWith("left out"));
  return {
    summary: exportSummary(report, {}),
    left,
    records: records.map((line) => JSON.parse(line) as object),
  };
}

test("values that an import refuses, and fields of another type, are left out of an export and named", async () => {
  const key = await createBoard(world, "board", { segments: [guild, country("AT", "DE", "YU")] });
  await world.submit("ann", 5, { segments: { country: "YU" } });
  await world.submit("bob", 4, { segments: { country: "AT" } });
  await world.db
    .doc(playerPath(key, "bob"))
    .update({ "segments.guild": "Red Dragons!", "segments.old": null });
  await world.db
    .doc(playerPath(key, "cat"))
    .set({ score: 3, segments: "red", display_name: 7, achieved_at: "now" });
  const definition = { segments: [guild, country("AT", "DE")] };
  await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);

  const { records, left, summary } = await exported();
  const board = readDefinition((await world.db.doc("leaderboards/board").get()).data());
  for (const record of records) expect(readRecord(board, record)).not.toHaveProperty("problem");
  expect(records).toMatchObject([
    { player: "ann", score: 5 },
    { player: "bob", score: 4, segments: { country: "AT" } },
    { player: "cat", score: 3 },
  ]);
  const must = 'must be 1 to 32 letters, digits, "_" or "-", and not "mine"';
  const of = (player: string) => `left out of ${playerPath(key, player)}:`;
  expect(left).toEqual([
    `${of("ann")} segments.country: "YU" is not a value of this segment; its definition lists them`,
    `${of("bob")} segments.guild is a string ("Red Dragons!"), and ${must}`,
    `${of("cat")} achieved_at is a string ("now"); display_name is a value of type number; segments is a string ("red"), and must be a map of values by segment`,
  ]);
  expect(summary).toBe("3 players exported; fields of 3 players left out.");
});

test("a value that every player has is named a hundred times, and counted", async () => {
  const key = await createBoard(world, "board", { segments: [guild] });
  const batch = world.db.batch();
  for (let i = 0; i < 130; i++)
    batch.set(world.db.doc(playerPath(key, `p${i}`)), { score: i, segments: { guild: "a b" } });
  await batch.commit();
  const { left, summary } = await exported();
  expect(left).toHaveLength(100);
  expect(summary).toBe("130 players exported; fields of 130 players left out.");
});

test("a score outside of limits that were saved later, or that a server has written, can be imported again", async () => {
  const key = await createBoard(world, "board");
  await world.submit("ann", 1_200);
  await world.submit("bob", 900);
  await world.call("saveLeaderboard", { leaderboard: "board", definition: { max_score: 1_000 } }, admin);
  await world.db.doc(playerPath(key, "cat")).set({ score: 1_100 });
  const { records, left } = await exported();
  const board = readDefinition((await world.db.doc("leaderboards/board").get()).data());
  const refused = records.filter((record) => "problem" in readRecord(board, record));
  expect({ refused, left }).toEqual({ refused: [], left: [] });
  expect(records).toHaveLength(3);
});

test("the players of a closed season have the values that the board lists now, as an import goes by these", async () => {
  const players = {
    ann: playerFields(9, 0, { segments: { country: "YU", guild: "red" } }),
    bob: playerFields(8, 1, { segments: { country: "AT", guild: "red" } }),
  };
  const segments = [guild, country("AT", "DE", "YU")];
  const key = await createEnding(world, "board", players, { definition: { segments } });
  await endSeason(world, key);
  const definition = { segments: [country("AT", "DE")] };
  await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  world.advance(61_000);
  const { records, left } = await exported({ season: "cup", players: true });
  const board = readDefinition((await world.db.doc("leaderboards/board").get()).data());
  expect(records).toMatchObject([{ player: "ann" }, { player: "bob" }]);
  const problems = records.map((record) => readRecord(board, record)).filter((one) => "problem" in one);
  expect({ problems, left: left.length }).toEqual({ problems: [], left: 2 });
});

test("once the board has no segments, its export names the values that it had, and its CSV can be imported", async () => {
  const players = { ann: playerFields(9, 0, { segments: { country: "AT", own: "x" } }) };
  const key = await createEnding(world, "board", players, { definition: { segments: [country("AT")] } });
  await endSeason(world, key);
  await world.call("saveLeaderboard", { leaderboard: "board", definition: { segments: null } }, admin);
  const { records, left } = await exported({ season: "cup", players: true });
  expect(records).toMatchObject([{ player: "ann", score: 9 }]);
  expect(records[0]).not.toHaveProperty("segments");
  expect(left).toEqual([
    "left out of leaderboards/board/seasons/cup/players/ann: segments.country: this leaderboard has no segments",
  ]);
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.csv");
  const season = { leaderboard: "board", season: "cup", players: true };
  await exportFile(world.services, stream, { ...season, file, force: false });
  const found = await importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    { leaderboard: "board", file, skipBad: false, dryRun: true, restart: false },
  );
  expect(found).toMatchObject({ good: 1, bad: 0 });
});
