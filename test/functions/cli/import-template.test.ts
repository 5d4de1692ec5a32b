/** A file whose lines name boards of a template: each board gets its players, and is opened where nobody has played it. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFile, type ImportOptions } from "../../../cli/import/import-file.ts";
import { noRamp, type Ramp } from "../../../cli/import/ramp.ts";
import { expectConserved, expectRanked } from "../../support/oracle.ts";
import { allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const stream = { isTTY: false, write: () => true } as const;

function fileOf(name: string, text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), name);
  writeFileSync(file, text);
  return file;
}

const importInto = (file: string, more: Partial<ImportOptions> & { ramp?: Ramp } = {}) => {
  const { ramp = noRamp, ...options } = more;
  const { projectId: project } = world;
  const services = Object.assign(world.anotherInstance(), { opener: "owner" as const });
  const asked = { leaderboard: "level", file, skipBad: false, dryRun: false, restart: false, ...options };
  return importFile({ services, project, database: "(default)", ramp, stream }, asked);
};

const lines = [
  { leaderboard: "level:1", player: "ann", score: 5 },
  { leaderboard: "level:2", player: "ann", score: 6 },
  { leaderboard: "level:1", player: "bob", score: 7 },
  { leaderboard: "level:1", player: "ann", score: 8 },
];
const csv = ["leaderboard,player,score", ...lines.map((line) => Object.values(line).join(","))].join("\n");
const ndjson = lines.map((line) => JSON.stringify(line)).join("\n");

const topOf = async (leaderboard: string) =>
  (await world.call("getTop", { leaderboard }, user("ann"))).entries.map(({ player, score }) => [
    player,
    score,
  ]);

test.each([
  ["scores.csv", csv],
  ["scores.ndjson", ndjson],
])("%s is imported into the boards that its lines name", async (name, text) => {
  await createBoard(world, "level", { template: { ids: { collection: "levels" } } });
  const found = await importInto(fileOf(name, text));
  expect(found).toMatchObject({ good: 4, replaced: 1, boards: 2, imported: { written: 3, unchanged: 0 } });
  for (const board of ["level:1", "level:2"]) {
    await world.publish(allTime(board));
    await expectRanked(world, allTime(board));
    await expectConserved(world, allTime(board));
  }
  expect(await topOf("level:1")).toEqual([
    ["ann", 8],
    ["bob", 7],
  ]);
  expect(await topOf("level:2")).toEqual([["ann", 6]]);
  expect(await importInto(fileOf(name, text))).toMatchObject({ imported: { written: 0, unchanged: 3 } });
});

test("a run renews the top of a board that an import has changed along with others", async () => {
  await createBoard(world, "level", { template: { ids: "any" } });
  await world.call("submitScore", { leaderboard: "level:1", score: 1 }, user("cyd"));
  await world.publish(allTime("level:1"));
  await importInto(fileOf("scores.csv", csv));
  await world.publish(allTime("level:1"));
  expect((await topOf("level:1")).map(([player]) => player)).toEqual(["ann", "bob", "cyd"]);
});

test.each([
  ["level", "must be a board of the template, such as level:7"],
  ["other:7", "must be a board of the template"],
  ["level:a b", "must be 1 to 64 letters"],
  ["", "leaderboard: "],
])("a line with the board %j is a bad one", async (board, problem) => {
  await createBoard(world, "level", { template: { ids: "any" } });
  const said: string[] = [];
  const { services, projectId: project } = world;
  const hearing = { isTTY: false, write: (text: string) => said.push(text) > 0 };
  const file = fileOf("scores.csv", `leaderboard,player,score\nlevel:1,ann,5\n${board},bob,5\n`);
  const asked = { leaderboard: "level", file, skipBad: false, dryRun: false, restart: false };
  const importing = importFile(
    { services, project, database: "(default)", ramp: noRamp, stream: hearing },
    asked,
  );
  await expect(importing).rejects.toThrow("1 bad line; nothing was imported");
  expect(said.join("")).toContain(`line 3: ${board === "" ? "" : "leaderboard: "}${problem}`);
});

test("a file for a template needs the column, and one for a board must not have it; --rank is for one board", async () => {
  await createBoard(world, "level", { template: { ids: "any" } });
  const without = fileOf("scores.csv", "player,score\nann,5\n");
  await expect(importInto(without)).rejects.toThrow('lacks "leaderboard"');
  expect(await importInto(without, { leaderboard: "level:9" })).toMatchObject({
    boards: 0,
    imported: { written: 1 },
  });
  const withIt = fileOf("scores.csv", csv);
  await expect(importInto(withIt, { leaderboard: "level:9" })).rejects.toThrow(
    'names "leaderboard", which is not known',
  );
  await expect(importInto(withIt, { rank: true })).rejects.toThrow("--rank is for one board");
});

test("an import into boards that was cut off goes on where it was", async () => {
  await createBoard(world, "level", { template: { ids: "any" } });
  const many = Array.from({ length: 1_620 }, (_, i) => `level:${i % 7},p${i},${i}`);
  const file = fileOf("scores.csv", ["leaderboard,player,score", ...many].join("\n"));
  let left = 1_600;
  const ramp: Ramp = (players) => {
    left -= players;
    return left < 0 ? Promise.reject(new Error("the process was killed")) : Promise.resolve();
  };
  await expect(importInto(file, { ramp })).rejects.toThrow("killed");
  const again = await importInto(file);
  expect(again.resumedFrom).toBe(1_600);
  await world.publish(allTime("level:3"));
  await expectRanked(world, allTime("level:3"));
});
