/**
 * Import and export against the emulator: imported players are ranked, exports can be imported again, a kill does no
 * harm.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { exportFile } from "../../../cli/export-file.ts";
import { type Checkpoint, checkpointOf } from "../../../cli/import/checkpoint.ts";
import { importFile, type ImportOptions } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  playerPath,
  playersPath,
  type SeasonKey,
  seasonPath,
} from "../../../functions/src/documents/paths.ts";
import { root } from "../../../scripts/project.ts";
import { eventually } from "../../support/live.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { createBoard, createWorld, user, type World } from "../../support/world.ts";

let world: World;
let folder: string;
let lines: string[];
beforeEach(() => {
  world = createWorld();
  folder = mkdtempSync(join(tmpdir(), "firerank-"));
  lines = [];
});

const stream = {
  isTTY: false,
  write(text: string) {
    lines.push(text.trimEnd());
    return true;
  },
} as const;

function file(name: string, content?: string): string {
  const path = join(folder, name);
  if (content !== undefined) writeFileSync(path, content);
  return path;
}

function runImport(leaderboard: string, path: string, options: Partial<ImportOptions> = {}) {
  return importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    { leaderboard, file: path, skipBad: false, dryRun: false, restart: false, ...options },
  );
}

const runExport = (leaderboard: string, path: string) =>
  exportFile(world.services, stream, { leaderboard, file: path, force: false });

/** Without the marks, which name the version that each replaced. */
async function documentsOf(key: SeasonKey): Promise<Record<string, unknown>> {
  const { docs } = await world.db.collection(playersPath(key)).get();
  return Object.fromEntries(
    docs.map((document) => {
      const { counted: _, ...fields } = document.data();
      return [document.id, fields];
    }),
  );
}

function csvOf(players: number): string {
  const rows = Array.from({ length: players }, (_, i) => `player-${i},${(i * 7_919) % 10_007}`);
  return ["player,score", ...rows, ""].join("\n");
}

describe("an import", () => {
  test("opens the season, counts as it writes, and is ranked by the next run", async () => {
    const key = await createBoard(world, "chess");
    const report = await runImport("chess", file("players.csv", csvOf(1_000)));
    expect(report).toMatchObject({ records: 1_000, bad: 0, imported: { written: 1_000, unchanged: 0 } });
    await expectConverged(world, key);
    await expectConserved(world, key);
    await world.publish(key);
    await expectRanked(world, key);
  });

  test("costs 2 reads and 1 write a new player, 1 of each for each 200, and the reads of the top once", async () => {
    await createBoard(world, "chess");
    const path = file("players.csv", csvOf(1_000));
    await runImport("chess", file("one.csv", csvOf(1))); // the season is opened once
    const { bill } = await world.meter.measure(() => runImport("chess", path, { restart: true }));
    // The status of 999 is not in the file. Before the first publication, the top is looked for with its players and not written.
    expect(bill).toEqual({ reads: 1_000 + 999 + 5 + 1 + 100 + 1, writes: 999 + 5, deletes: 0 });
  });

  test("shows in the top at its end, without a run", async () => {
    const key = await createBoard(world, "chess");
    await runImport("chess", file("one.csv", "player,score\nann,5\n"));
    await world.publish(key);
    await runImport("chess", file("all.csv", csvOf(500)));
    const { entries } = await world.call("getTop", { leaderboard: "chess", limit: 1 }, user("ann"));
    expect(entries).toMatchObject([{ player: "player-393", score: 9_997 }]);
  });

  test("repeated writes nothing, even after some time", async () => {
    const key = await createBoard(world, "chess");
    const path = file("players.csv", csvOf(300));
    await runImport("chess", path);
    const before = await documentsOf(key);
    world.advance(60_000);
    const { result, bill } = await world.meter.measure(() => runImport("chess", path));
    expect(result.imported).toEqual({ written: 0, unchanged: 300 });
    expect(bill.writes).toBe(0);
    expect(await documentsOf(key)).toEqual(before);
  });

  test("replaces a player's document even on a board of best scores, and the marks follow", async () => {
    const key = await createBoard(world, "chess");
    await runImport("chess", file("a.csv", "player,score,display_name\nann,50,Ann\nbob,40,Bob\n"));
    await world.db.doc(playerPath(key, "ann")).update({ status: "banned", team: "red" });
    await world.deliver(key, "ann");
    await runImport("chess", file("b.csv", "player,score\nann,10\nbob,20\n"));
    const documents = await documentsOf(key);
    expect(documents["ann"]).toMatchObject({ score: 10, status: "banned", team: "red" });
    expect(documents["ann"]).not.toHaveProperty("display_name");
    await expectConverged(world, key);
    await world.publish(key);
    await expectRanked(world, key);
  });

  test("takes the last line of a player who comes several times, however far apart", async () => {
    const key = await createBoard(world, "chess");
    const rows = Array.from({ length: 3_000 }, (_, i) => `player-${i % 450},${i}`);
    await runImport("chess", file("players.csv", ["player,score", ...rows].join("\n")));
    const documents = await documentsOf(key);
    const expected = Array.from({ length: 450 }, (_, i) => [`player-${i}`, 2_999 - ((2_999 - i) % 450)]);
    expect(Object.entries(documents).map(([id, data]) => [id, (data as { score: number }).score])).toEqual(
      expected.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
    await expectConserved(world, key);
  });

  test("into a board or season that does not exist says so and writes nothing", async () => {
    const path = file("players.csv", csvOf(1));
    await expect(runImport("nowhere", path)).rejects.toThrow('There is no leaderboard "nowhere"');
    await createBoard(world, "chess");
    await expect(runImport("chess", path, { season: "weekly" })).rejects.toThrow('no season "weekly"');
    expect(await world.db.listCollections()).toHaveLength(1);
    expect(existsSync(checkpointOf(path).path)).toBe(false);
  });
});

describe("bad lines", () => {
  const content = "player,score\nann,1\nbob,abc\ncy/,3\ndee,4\neve,5,6\n";
  const problems = [
    'line 3: score: is a string ("abc"), not a number',
    'line 4: player: must not contain "/"',
    "line 6: has 3 cells, the header 2",
  ];

  test("are all reported with their numbers, and nothing is imported", async () => {
    const key = await createBoard(world, "chess");
    await expect(runImport("chess", file("players.csv", content))).rejects.toThrow("has 3 bad lines");
    expect(lines.filter((line) => line.startsWith("line"))).toEqual(problems);
    const checked = await runImport("chess", file("players.csv", content), { dryRun: true });
    expect(checked).toMatchObject({ bad: 3, imported: undefined });
    expect((await world.db.doc(seasonPath(key)).get()).exists).toBe(false);
  });

  test("are left out if requested, and still reported", async () => {
    const key = await createBoard(world, "chess");
    const report = await runImport("chess", file("players.csv", content), { skipBad: true });
    expect(report).toMatchObject({ bad: 3, imported: { written: 2 } });
    expect(lines.at(-1)).toMatch(/importing 100 % {2}2 of 2 records/);
    expect(lines.filter((line) => line.startsWith("line"))).toEqual(problems);
    expect(Object.keys(await documentsOf(key))).toEqual(["ann", "dee"]);
  });

  test.each([
    ["a CSV with a header alone", "a.csv", "player,score\n", "has no players after its header line"],
    ["an empty list", "b.json", "[]", "has no players; nothing"],
    ["an empty file of lines", "c.ndjson", "\n", "has no players; nothing"],
    ["lines without a good one, skipped or not", "d.csv", "player,score\nann,x\n", "no line that can be"],
  ])("and an import of %s is an error", async (_, name, text, message) => {
    const key = await createBoard(world, "chess");
    for (const dryRun of name === "d.csv" ? [false] : [true, false])
      await expect(runImport("chess", file(name, text), { dryRun, skipBad: true })).rejects.toThrow(message);
    expect((await world.db.doc(seasonPath(key)).get()).exists).toBe(false);
  });

  test("end the check at the hundredth", async () => {
    await createBoard(world, "chess");
    const path = file("players.csv", `player,score\n${"ann,x\n".repeat(150)}`);
    await expect(runImport("chess", path)).rejects.toThrow("has at least 100 bad lines");
    expect(lines.filter((line) => line.startsWith("line"))).toHaveLength(100);
  });
});

describe("what was exported", () => {
  test("keeps its columns, whatever they are called", async () => {
    const columns = [
      { name: "points", min: 0, max: 300 },
      { name: "player", min: -99, max: 99, order: "ascending" as const },
    ];
    const key = await createBoard(world, "league", { columns });
    await runImport("league", file("a.csv", "player,points,columns.player\nRoma,322,0\nLazio,300,-5\n"), {
      skipBad: true,
    });
    await runImport("league", file("b.ndjson", '{"player":"Inter","columns":{"points":9,"player":3}}'));
    const path = file("league.csv");
    await runExport("league", path);
    expect(readFileSync(path, "utf8").split("\n")[0]).toMatch(/^player,points,columns\.player,display_name/);
    const copy = await createBoard(world, "copy", { columns });
    await runImport("copy", path);
    expect(await documentsOf(copy)).toEqual(await documentsOf(key));
    const again = file("again.csv");
    await runExport("copy", again);
    expect(readFileSync(again, "utf8")).toBe(readFileSync(path, "utf8"));
    expect(Object.keys(await documentsOf(copy))).toEqual(["Inter", "Lazio"]);
  });

  test("is of one moment and ordered by id, and leaves out what could not be ranked", async () => {
    const key = await createBoard(world, "chess");
    await runImport("chess", file("players.csv", csvOf(1_200)));
    await world.db.doc(playerPath(key, "aa")).set({ score: "12" });
    const path = file("all.csv");
    expect(await runExport("chess", path)).toEqual({ players: 1_200, leftOut: 1 });
    const players = readFileSync(path, "utf8")
      .split("\n")
      .slice(1, -1)
      .map((line) => line.split(",")[0]);
    expect(players).toHaveLength(1_200);
    expect(players).toEqual(players.toSorted());
    const reason = 'score is a string ("12"), not a number';
    expect(lines).toContain(`left out: ${playerPath(key, "aa")}: ${reason}`);
  });

  test("does not replace an existing file", async () => {
    await createBoard(world, "chess");
    await expect(runExport("chess", file("all.csv", "mine"))).rejects.toThrow("--force replaces it");
    await expect(runExport("chess", file("all.txt"))).rejects.toThrow("must end in .csv or in .ndjson");
    await expect(runExport("nowhere", file("new.csv"))).rejects.toThrow("There is no leaderboard");
    expect(readFileSync(file("all.csv"), "utf8")).toBe("mine");
    expect(existsSync(file("new.csv"))).toBe(false);
  });
});

// The database keeps the locks of a killed transaction for up to a minute, and the next import waits for them.
test("an import that was killed continues from where it was, with the same result as an uninterrupted one", async () => {
  const players = 6_000;
  const path = file("players.csv", csvOf(players));
  const killed = await createBoard(world, "killed");
  const command = [join(root, "cli", "main.ts"), "import", "killed", path, "--project", world.projectId];
  const child = spawn(process.execPath, command, { stdio: "ignore" });
  const reached = await eventually(() => {
    const found = JSON.parse(readFileSync(checkpointOf(path).path, "utf8")) as Checkpoint;
    expect(found.records).toBeGreaterThanOrEqual(1_000);
    return found;
  });
  child.kill("SIGKILL");
  await once(child, "exit");
  await expectConserved(world, killed);
  const written = Object.keys(await documentsOf(killed)).length;
  expect(written).toBeGreaterThanOrEqual(1_000);
  expect(written).toBeLessThan(players);

  const again = spawnSync(process.execPath, command, { encoding: "utf8" });
  expect(again.status, again.stderr).toBe(0);
  expect(again.stderr).toMatch(/Continuing after [\d,]+ records/);
  expect(existsSync(checkpointOf(path).path)).toBe(false);

  const startedMs = Date.parse(reached.started_at);
  const expected = Array.from({ length: players }, (_, i) => {
    const fields = { score: (i * 7_919) % 10_007, achieved_at: timeOf(startedMs, i), attempts: 0 };
    return [`player-${i}`, { ...fields, status: "active" }];
  });
  expect(await documentsOf(killed)).toEqual(Object.fromEntries(expected));
  await expectConverged(world, killed);
  await expectConserved(world, killed);
  await world.publish(killed);
  await expectRanked(world, killed);
});

/** If an import began at the end of a second, its later microseconds are in the next second. */
function timeOf(startedMs: number, microseconds: number): Timestamp {
  const later = Timestamp.fromMillis(startedMs + Math.floor(microseconds / 1_000));
  return new Timestamp(later.seconds, later.nanoseconds + (microseconds % 1_000) * 1_000);
}
