/** A ban goes with an export: an import tells the board, and a ban that the board keeps outlasts every line. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exportFile } from "../../../cli/export-file.ts";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { playerPath, playerStatusPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { PlayerStatus } from "../../../functions/src/model/player-status.ts";
import { expectConserved, expectRanked } from "../../support/oracle.ts";
import { expectRefusal } from "../../support/refusals.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const folder = mkdtempSync(join(tmpdir(), "firerank-"));
const dayMs = 86_400_000;
const stream = { isTTY: false, write: () => true } as const;

const setStatus = (leaderboard: string, player: string, status: PlayerStatus) =>
  world.call("setPlayerStatus", { leaderboard, player, status }, admin);
const submit = (leaderboard: string, player: string, score = 5) =>
  world.call("submitScore", { leaderboard, score }, user(player));
const keptOf = async (leaderboard: string, player: string) =>
  (await world.db.doc(playerStatusPath(leaderboard, player)).get()).get("status") as unknown;
const statusOf = async (key: SeasonKey, player: string) =>
  (await world.db.doc(playerPath(key, player)).get()).get("status") as unknown;
const listedIn = async (leaderboard: string) =>
  (await world.call("getPage", { leaderboard, offset: 0 }, user("ann"))).entries.map(({ player }) => player);
const toNextDay = () => world.advance(dayMs - (world.services.now() % dayMs));

async function importInto(leaderboard: string, file: string, season?: string) {
  const { imported } = await importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    { leaderboard, file, season, skipBad: false, dryRun: false, restart: false },
  );
  return imported;
}

async function exportFrom(leaderboard: string, name: string): Promise<string> {
  const file = join(folder, name);
  await exportFile(world.services, stream, { leaderboard, file, force: true });
  return file;
}

/** Imports lines of `player,score,status`. */
function importLines(leaderboard: string, ...lines: string[]) {
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.csv");
  writeFileSync(file, ["player,score,status", ...lines, ""].join("\n"));
  return importInto(leaderboard, file);
}

describe.each(["bans.csv", "bans.ndjson"])("by the file %s", (name) => {
  test("a ban moves to another board, and holds in its next season", async () => {
    for (const board of ["old", "new"]) await createBoard(world, board, { spans: ["daily"] });
    for (const player of ["ann", "hal", "ben", "yan"]) await submit("old", player);
    // Of one who has played on an earlier day only, the board alone knows.
    toNextDay();
    for (const player of ["ann", "hal", "ben"]) await submit("old", player);
    await setStatus("old", "ann", "banned");
    await setStatus("old", "hal", "hidden");
    await setStatus("old", "yan", "banned");
    expect(await importInto("new", await exportFrom("old", name))).toEqual({ written: 4, unchanged: 0 });
    toNextDay();
    await submit("new", "hal");
    const [season] = (await submit("new", "ben")).seasons;
    for (const player of ["ann", "yan"])
      await expectRefusal(world, "player_banned", () => submit("new", player));
    await world.publish({ leaderboard: "new", season: season?.season ?? "" });
    expect(await listedIn("new")).toEqual(["ben"]);
  });

  test("and to another board with all_time, also of one who has no score there", async () => {
    for (const board of ["old", "new"]) await createBoard(world, board, { spans: ["all_time", "daily"] });
    for (const player of ["ann", "ben"]) await submit("old", player);
    // As a merge leaves a banned player.
    await submit("old", "yan");
    await setStatus("old", "yan", "banned");
    await setStatus("old", "ann", "banned");
    await world.call("mergePlayers", { leaderboard: "old", from: "yan", to: "ann" }, admin);
    expect(await statusOf(allTime("old"), "yan")).toBe("banned");
    expect(await importInto("new", await exportFrom("old", name))).toEqual({ written: 3, unchanged: 0 });
    await submit("new", "ben", 7);
    for (const player of ["ann", "yan"]) {
      await expectRefusal(world, "player_banned", () => submit("new", player));
      expect(await statusOf(allTime("new"), player)).toBe("banned");
    }
    await expectConserved(world, allTime("new"));
    await world.publish(allTime("new"));
    await expectRanked(world, allTime("new"));
  });

  test("the same file again changes nothing", async () => {
    for (const board of ["old", "new"]) await createBoard(world, board);
    for (const player of ["ann", "ben"]) await submit("old", player);
    await setStatus("old", "ann", "banned");
    const file = await exportFrom("old", name);
    expect(await importInto("new", file)).toEqual({ written: 2, unchanged: 0 });
    const again = await world.bill(() => importInto("new", file));
    expect(again).toMatchObject({ writes: 0, deletes: 0 });
    expect(await importInto("new", file)).toEqual({ written: 0, unchanged: 2 });
    expect(readFileSync(await exportFrom("new", name), "utf8")).toBe(readFileSync(file, "utf8"));
  });
});

test("an import into one season tells the board with all_time too", async () => {
  await createBoard(world, "board", { spans: ["daily", "all_time"] });
  await importLines("board", "ann,5,banned", "hal,,hidden");
  toNextDay();
  await submit("board", "hal");
  await expectRefusal(world, "player_banned", () => submit("board", "ann"));
  expect(await statusOf(allTime("board"), "hal")).toBe("hidden");
  expect(await listedIn("board")).toEqual([]);
});

test("a ban of a line holds in the board's other seasons too, now and tomorrow", async () => {
  await createBoard(world, "board", { spans: ["all_time", "daily"] });
  for (const player of ["ann", "eve"]) await submit("board", player);
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.csv");
  writeFileSync(file, "player,score,status\neve,5,banned\n");
  const season = `daily-${new Date(world.services.now()).toISOString().slice(0, 10)}`;
  await importInto("board", file, season);
  expect(await statusOf({ leaderboard: "board", season }, "eve")).toBe("banned");
  expect(await statusOf(allTime("board"), "eve")).toBe("banned");
  toNextDay();
  await submit("board", "ann");
  await expectRefusal(world, "player_banned", () => submit("board", "eve"));
});

test("the stricter counts of what a line names and what the board keeps, and no line lifts a ban", async () => {
  const key = await createBoard(world, "board");
  for (const player of ["ann", "hal", "ben"]) await submit("board", player);
  await setStatus("board", "ann", "banned");
  await setStatus("board", "hal", "hidden");
  await importLines("board", "ann,6,active", "hal,7,banned", "ben,8,active");
  expect(await Promise.all(["ann", "hal", "ben"].map((player) => statusOf(key, player)))).toEqual([
    "banned",
    "banned",
    "active",
  ]);
  expect(await keptOf("board", "ann")).toBe("banned");
  expect(await keptOf("board", "hal")).toBe("banned");
  await importLines("board", "ann,6,hidden");
  expect(await keptOf("board", "ann")).toBe("banned");
  expect(await statusOf(key, "ann")).toBe("banned");
  await expectConserved(world, key);
});

test("a status alone says nothing of somebody who was never banned, and needs to be hidden or banned", async () => {
  const key = await createBoard(world, "board");
  await submit("board", "ann");
  await importLines("board", "ann,,banned");
  expect((await world.db.doc(playerPath(key, "ann")).get()).data()).toMatchObject({
    score: 5,
    status: "banned",
  });
  await expectConserved(world, key);
  await expect(importLines("board", "ben,,active")).rejects.toThrow("bad line");
  await expect(importLines("board", "ben,,")).rejects.toThrow("bad line");
});

test("a ban costs what setPlayerStatus costs, and 2 reads where the board knows it", async () => {
  const bill = (...lines: string[]) => world.bill(() => importLines("board", ...lines));
  await createBoard(world, "board", { spans: ["daily"] });
  await importLines("board", "zoe,1,");
  const plain = await bill("a,1,");
  // The board's status in place of the shard document, which has nothing to count. 6 reads look for other seasons, tomorrow's too, and private groups.
  expect(await bill("b,1,banned")).toEqual({ ...plain, reads: plain.reads + 6 });
  const again = await bill("a,2,active");
  expect(again.reads).toBe(plain.reads - 1);
  // Nothing to count.
  expect(await bill("b,2,banned")).toEqual({ ...again, reads: again.reads + 2, writes: again.writes - 1 });
  await createBoard(world, "both", { spans: ["daily", "all_time"] });
  await importLines("both", "zoe,1,");
  const both = (...lines: string[]) => world.bill(() => importLines("both", ...lines));
  const one = await both("a,1,");
  expect(await both("b,1,banned")).toEqual({ ...one, reads: one.reads + 8, writes: one.writes + 1 });
});

test.each(["replaced.csv", "replaced.ndjson"])(
  "a ban goes with the export %s of one whose document a server has written without a status, before its event has come",
  async (name) => {
    for (const board of ["old", "new"]) await createBoard(world, board);
    for (const player of ["ann", "ben"]) await submit("old", player);
    await setStatus("old", "ann", "banned");
    await world.writeDirectly(allTime("old"), "ann", { score: 500 });
    const file = await exportFrom("old", name);
    // Came out: active, so the ban was lost on the way.
    expect(readFileSync(file, "utf8")).toContain("banned");
    await importInto("new", file);
    await world.publish(allTime("new"));
    expect(await listedIn("new")).toEqual(["ben"]);
    await expectRefusal(world, "player_banned", () => submit("new", "ann"));
  },
);
