/** Which season an import fills, and that it says so. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

/** Imports a score of ann's. @returns what was said */
async function imported(named: { season?: string; span?: string } = {}): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.csv");
  writeFileSync(file, "player,score\nann,5\n");
  let said = "";
  const write = (text: string) => {
    said += text;
    return true;
  };
  const of = { services: world.services, project: "demo-game", database: "(default)", ramp: noRamp };
  const options = { leaderboard: "board", file, skipBad: false, dryRun: false, restart: false, ...named };
  await importFile({ ...of, stream: { isTTY: false, write } }, options);
  return said;
}

const filled = async () => {
  const seasons = await world.db.collection("leaderboards/board/seasons").get();
  const players = await Promise.all(
    seasons.docs.map(async (one) => [one.id, (await one.ref.collection("players").get()).size] as const),
  );
  return players.flatMap(([season, size]) => (size === 0 ? [] : [season]));
};

test("by default it is that of the first span alone, and it says that others stay", async () => {
  await createBoard(world, "board", { spans: ["all_time", "daily"] });
  expect(await imported()).toContain(
    'Filling the season "all_time". Those of other spans stay as they are; --span or --season names another.',
  );
  expect(await filled()).toEqual(["all_time"]);
});

test("a span or a season names another", async () => {
  await createBoard(world, "board", { spans: ["all_time", "daily"] });
  expect(await imported({ span: "daily" })).toContain('Filling the season "daily-2100-01-02".');
  expect(await filled()).toEqual(["daily-2100-01-02"]);
  expect(await imported({ season: "all_time" })).toContain('Filling the season "all_time".');
  await expect(imported({ span: "weekly" })).rejects.toThrow('has no span "weekly"; its spans are');
});

test("on a board with one span it only says which season that is", async () => {
  await createBoard(world, "board", {});
  expect(await imported()).toMatch(/Filling the season "all_time"\.\n/);
});
