/** An export can be imported as it is, and names what it leaves out of a player's document. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportFile, exportSummary } from "../../../cli/export-file.ts";
import { readRecord } from "../../../cli/records/player-record.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { readDefinition } from "../../../functions/src/model/definition.ts";
import { admin, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const guild = { name: "guild", from: "server" as const };
const country = (...values: string[]) => ({ name: "country", from: "submission" as const, values });

async function exported() {
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.ndjson");
  const said: string[] = [];
  const stream = { isTTY: false, write: (text: string) => said.push(text) > 0 } as const;
  const report = await exportFile(world.services, stream, { leaderboard: "board", file, force: true });
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
