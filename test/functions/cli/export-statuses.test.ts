/** An export carries the status that counts, where a server has written one of its own. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportFile } from "../../../cli/export-file.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { admin, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

test("a text that is no status is exported as hidden or as the stricter status of the board, and said", async () => {
  const key = await createBoard(world, "board");
  for (const player of ["ann", "bea", "cyd", "dan"])
    await world.call("submitScore", { leaderboard: "board", score: 5 }, user(player));
  await world.call("setPlayerStatus", { leaderboard: "board", player: "bea", status: "banned" }, admin);
  for (const [player, status] of Object.entries({ ann: "Banned", bea: "Banned", dan: 7 }))
    await world.db.doc(playerPath(key, player)).update({ status });
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.ndjson");
  const said: string[] = [];
  const stream = { isTTY: false, write: (text: string) => said.push(text) > 0 } as const;
  const report = await exportFile(world.services, stream, { leaderboard: "board", file, force: true });
  const records = readFileSync(file, "utf8").trim().split("\n");
  expect(records.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { player: "ann", score: 5, status: "hidden" },
    { player: "bea", score: 5, status: "banned" },
    { player: "cyd", score: 5, status: "active" },
  ]);
  expect(report).toEqual({ players: 3, leftOut: 1 });
  const lines = said.join("").trim().split("\n");
  const wrong = (status: unknown) => `status ${JSON.stringify(status)} is not one of active, hidden, banned`;
  expect(lines).toEqual(
    expect.arrayContaining([
      `exported as hidden: ${playerPath(key, "ann")}: ${wrong("Banned")}`,
      `exported as banned: ${playerPath(key, "bea")}: ${wrong("Banned")}`,
      `left out: ${playerPath(key, "dan")}: ${wrong(7)}`,
    ]),
  );
});
