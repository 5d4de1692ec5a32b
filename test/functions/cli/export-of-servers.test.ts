/** What servers have stored beyond the limits of calls goes through an export into another board. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportFile } from "../../../cli/export-file.ts";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import type { DocumentSnapshot } from "../../../functions/src/documents/firestore.ts";
import {
  playerPath,
  playersPath,
  playerStatusPath,
  type SeasonKey,
} from "../../../functions/src/documents/paths.ts";
import { playerFields } from "../../support/closing.ts";
import { expectConserved } from "../../support/oracle.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const folder = mkdtempSync(join(tmpdir(), "firerank-"));
const stream = { isTTY: false, write: () => true } as const;

/** By id: what a server adds to a score. */
const stored = {
  "ann ": { display_name: "Ann\r\n\tthe 1st" },
  [" bob"]: { display_name: "\rB".repeat(100), metadata: { bio: "x".repeat(100_000) } },
  ["x".repeat(200)]: {
    metadata: { a: { b: { c: { d: { e: { f: { g: { h: { i: { j: { k: 1 } } } } } } } } } } },
  },
  "00123": {},
};

test.each(["all.csv", "all.ndjson"])("by the file %s", async (name) => {
  for (const board of ["old", "new"]) await createBoard(world, board);
  const [from, to] = [allTime("old"), allTime("new")];
  for (const [player, fields] of Object.entries(stored))
    await world.db.doc(playerPath(from, player)).set({ ...playerFields(5, 0), ...fields });
  await world.call("setPlayerStatus", { leaderboard: "old", player: "ann ", status: "banned" }, admin);
  const file = join(folder, name);
  await exportFile(world.services, stream, { leaderboard: "old", file, force: true });
  const { imported } = await importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    { leaderboard: "new", file, skipBad: false, dryRun: false, restart: false },
  );
  expect(imported).toEqual({ written: 4, unchanged: 0 });
  const docsIn = async (key: SeasonKey) => (await world.db.collection(playersPath(key)).get()).docs;
  const docs = await docsIn(to);
  const shown = (one: DocumentSnapshot): unknown[] => [one.id, one.get("display_name"), one.get("metadata")];
  expect(docs.map(shown)).toEqual((await docsIn(from)).map(shown));
  expect(docs).toHaveLength(4);
  expect((await world.db.doc(playerStatusPath("new", "ann ")).get()).get("status")).toBe("banned");
  await expectConserved(world, to);
});
