/** Which seasons of a board `firerank rank`, `audit`, `repair` and `export` take, and that they say so. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { exportFile } from "../../../cli/export-file.ts";
import { rankSeasons, repairSeasons } from "../../../cli/repairs.ts";
import { pagePath, seasonPath } from "../../../functions/src/documents/paths.ts";
import type { RepairKind } from "../../../functions/src/documents/repair-record.ts";
import { withSteps } from "../../support/damage.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const leaderboard = "board";
const daily = "daily-2100-01-02";
const weekly = "weekly-2099-W53";

interface Named {
  season?: string;
  span?: string;
}

beforeEach(async () => {
  await createBoard(world, leaderboard, { spans: ["daily", "weekly", "all_time"] });
});

/** @returns the lines that `run` says, and how it ends */
async function said(run: (says: Record<"done" | "progress", (line: string) => void>) => Promise<unknown>) {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const ends = await run({ done: note, progress: note }).catch((error: unknown) => error);
  return { lines, ends };
}

const ranked = (named: Named = {}) =>
  said((says) => rankSeasons(world.services, { leaderboard, ...named }, says));

function repaired(kind: RepairKind, named: Named = {}, json = false) {
  const { steps, services } = withSteps(world);
  return said((says) =>
    repairSeasons(services, steps, { kind, full: false, leaderboard, ...named }, says, json),
  );
}

/** Plays yesterday and today. The week and all time have two players, and the day one. */
async function play(): Promise<void> {
  await world.submit("ann", 5);
  world.advance(86_400_000);
  await world.submit("bob", 7);
}

test("a ranking is of each running season, or of the one that is named", async () => {
  await world.submit("ann", 5);
  expect(await ranked({ span: "weekly" })).toEqual({
    lines: [`"${weekly}": Generation 1: 1 player in 1 row.`],
    ends: undefined,
  });
  expect((await ranked()).lines).toEqual([
    `"${daily}": Generation 1: 1 player in 1 row.`,
    `"${weekly}": Nothing has changed since generation 1.`,
    '"all_time": Generation 1: 1 player in 1 row.',
  ]);
  expect((await ranked({ season: daily })).lines).toEqual([
    `"${daily}": Nothing has changed since generation 1.`,
  ]);
});

test("an audit finds what is wrong in any running season, and a repair mends it", async () => {
  await world.submit("ann", 5);
  await ranked();
  await world.db.doc(pagePath({ leaderboard, season: weekly }, 0)).delete();
  const found = await repaired("audit");
  expect(found).toMatchObject({
    ends: true,
    lines: [
      expect.stringMatching(`^"${daily}": 1 player; 0 problems .* Nothing to repair\\.$`),
      expect.stringMatching(`^"${weekly}": .* 1 problem of pages.* repair board --season ${weekly}$`),
      expect.stringMatching('^"all_time": .* Nothing to repair\\.$'),
    ],
  });
  expect((await repaired("audit", { span: "daily" })).ends).toBe(false);
  expect(await repaired("audit", { span: "weekly" })).toEqual({ lines: [found.lines[1]], ends: true });
  expect((await repaired("repair")).lines).toEqual(
    [daily, weekly, "all_time"].map(
      (season) => expect.stringContaining(`"${season}": 1 player checked, 0 corrections.`) as string,
    ),
  );
  expect((await repaired("audit")).ends).toBe(false);
});

test("the records of several seasons come one after the other", async () => {
  await world.submit("ann", 5);
  const { lines } = await repaired("audit", {}, true);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject(
    [daily, weekly, "all_time"].map((season) => ({ leaderboard, season, kind: "audit" })),
  );
});

test("a running season that nobody has played is nothing to repair, and is no record", async () => {
  await world.submit("ann", 5);
  world.advance(86_400_000);
  expect(await repaired("audit")).toMatchObject({
    ends: false,
    lines: [
      '"daily-2100-01-03": Nobody has played yet, so there is nothing to audit.',
      expect.stringContaining(`"${weekly}"`),
      expect.stringContaining('"all_time"'),
    ],
  });
});

test("a season that is refused is named, and keeps no other from its turn", async () => {
  await world.submit("ann", 5);
  await world.db.doc(seasonPath({ leaderboard, season: daily })).update({ status: "deleting" });
  const { lines, ends } = await repaired("repair");
  expect(lines).toEqual([
    expect.stringContaining(`"${weekly}": 1 player checked`),
    expect.stringContaining('"all_time": 1 player checked'),
  ]);
  expect(ends).toMatchObject({ exitCode: 1 });
  expect((ends as Error).message).toMatch(new RegExp(`^"${daily}": .* has no season`));
});

test("a board without spans has no season by default, and a span that it has not is refused", async () => {
  await createBoard(world, "cups", { spans: [] });
  const { ends } = await said((says) => rankSeasons(world.services, { leaderboard: "cups" }, says));
  expect((ends as Error).message).toContain("so name one of its seasons");
  expect(((await repaired("repair", { span: "monthly" })).ends as Error).message).toContain(
    'has no span "monthly"; its spans are',
  );
});

/** @returns what an export said before its end, and the players in its file */
async function exported(named: Named = {}, board = leaderboard) {
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.csv");
  let text = "";
  const stream = { isTTY: false, write: (some: string) => (text += some).length > 0 } as const;
  await exportFile(world.services, stream, { leaderboard: board, file, force: false, ...named });
  const [, ...players] = readFileSync(file, "utf8").trim().split("\n");
  return { said: text, players: players.map((line) => line.split(",")[0]) };
}

test("an export has the running season of the first span, and says which others are not in it", async () => {
  await play();
  const byDefault = await exported();
  expect(byDefault.players).toEqual(["bob"]);
  expect(byDefault.said).toContain(
    `Exporting the season "daily-2100-01-03". Not in the file: "${weekly}", "all_time"; --span or --season names another.\n`,
  );
  const week = await exported({ span: "weekly" });
  expect(week.players).toEqual(["ann", "bob"]);
  expect(week.said).toContain(`Exporting the season "${weekly}".\n`);
  expect((await exported({ season: daily })).players).toEqual(["ann"]);
  await createBoard(world, "alone");
  expect((await exported({}, "alone")).said).toContain('Exporting the season "all_time".\n');
});
