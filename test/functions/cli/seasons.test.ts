/** Seasons on the command line: listed, opened, closed with their progress, and their final tables exported. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { exportFile, type ExportReport, exportSummary } from "../../../cli/export-file.ts";
import { call } from "../../../cli/call.ts";
import { resultsWait, seasonsOf, seasonsTable, waitUntilClosed } from "../../../cli/seasons.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { seasonPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { closeSeasonSpec } from "../../../functions/src/operations/close-season.ts";
import { openSeasonSpec } from "../../../functions/src/operations/open-season.ts";
import { ownProcess } from "../../../functions/src/world/own-process.ts";
import {
  closed,
  createEnding,
  endSeason,
  playerFields,
  seasonOf,
  sortedPlayers,
} from "../../support/closing.ts";
import { admin, callOn, createBoard, user, eachWorld } from "../../support/world.ts";

const minute = 60_000;
const world = eachWorld();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "firerank-"));
});

const cup: SeasonKey = { leaderboard: "board", season: "cup" };
const at = (ms: number) => new Date(world.services.now() + ms).toISOString();
const openSeason = (key: SeasonKey, times: object = {}) =>
  call(openSeasonSpec, world.services, { ...key, ...times });
const closeSeason = (key: SeasonKey) => call(closeSeasonSpec, world.services, key);
const silent = { isTTY: false, write: () => true } as const;

async function exported(name: string, more: object = {}): Promise<{ report: ExportReport; text: string }> {
  const file = join(folder, name);
  const report = await exportFile(world.services, silent, { ...cup, file, force: false, ...more });
  return { report, text: readFileSync(file, "utf8") };
}

describe("seasons", () => {
  test("are a table that can be read, the newest first, by span and status", async () => {
    await createBoard(world, "board");
    await world.call("submitScore", { leaderboard: "board", score: 3 }, user("ann"));
    await openSeason(cup, { opens_at: at(10 * minute), closes_at: at(20 * minute) });
    const table = async () => seasonsTable(await seasonsOf(world.services, "board"), world.services.now());
    expect((await table()).split("\n")).toEqual([
      "season    span        status   opens (UTC)          closes (UTC)         players",
      "cup       tournament  to come  2100-01-02 12:10:00  2100-01-02 12:20:00        0",
      "all_time  all_time    open     2100-01-02 12:00:00  -                          0",
    ]);
    world.advance(20 * minute);
    expect(await table()).toContain("cup       tournament  closing");
    for (const span of ["custom", "tournament"])
      expect(await seasonsOf(world.services, "board", { span })).toHaveLength(1);
    expect(await seasonsOf(world.services, "board", { status: "closed" })).toEqual([]);
  });

  test("are all listed, however many", async () => {
    await createBoard(world, "board");
    for (let n = 0; n < 101; n++) await openSeason({ ...cup, season: `cup-${n}` });
    expect(await seasonsOf(world.services, "board")).toHaveLength(101);
  });

  test.each([
    ["--span", () => seasonsOf(world.services, "board", { span: "yearly" })],
    ["--status", () => seasonsOf(world.services, "board", { status: "over" })],
    ["--opens-at", () => openSeason(cup, { opens_at: "tomorrow" })],
    ["--closes-at", () => openSeason(cup, { closes_at: at(-minute) })],
    ["the season", () => openSeason({ ...cup, season: "daily-1" })],
    ["the season", () => closeSeason({ ...cup, season: "all_time" })],
  ])("with a bad value say which: %s", async (option, command) => {
    await createBoard(world, "board");
    await world.call("submitScore", { leaderboard: "board", score: 3 }, user("ann"));
    const message = expect.stringMatching(`^${option}: `) as string;
    await expect(command()).rejects.toMatchObject({ name: "CliError", exitCode: 2, message });
  });

  test("that are all_time never end", async () => {
    await createBoard(world, "board");
    await world.call("submitScore", { leaderboard: "board", score: 3 }, user("ann"));
    await expect(closeSeason({ ...cup, season: "all_time" })).rejects.toThrow(
      /: "all_time" never ends; only/,
    );
  });

  test("that do not exist say where to look", async () => {
    await expect(seasonsOf(world.services, "nowhere")).rejects.toThrow('There is no leaderboard "nowhere"');
    await createBoard(world, "board");
    await expect(closeSeason(cup)).rejects.toThrow(/has no season "cup".*firerank seasons/);
  });
});

describe("close", () => {
  test("says until when, and shows the progress until the season is closed", async () => {
    await createBoard(world, "board");
    await openSeason(cup);
    for (const [player, score] of Object.entries({ ann: 5, bob: 9 })) {
      await world.call("submitScore", { ...cup, score }, user(player));
      await world.deliver(cup, player);
    }
    expect(await closeSeason(cup)).toMatchObject({ status: "open", closes_at: at(65_000) });
    const closesAt = at(65_000);
    const lines: string[] = [];
    /** While the command waits, the functions run the next step that is due. */
    const sleep = async (): Promise<void> => {
      const { end_due_at: due } = await seasonOf(world, cup);
      world.advance(Math.max(0, (due?.toMillis() ?? 0) - world.services.now()));
      await stepEnd(world.services, { ...cup, step: 0 });
    };
    const season = await waitUntilClosed({ ...world.services, sleep }, cup, (line) => lines.push(line));
    expect(season.status).toBe("closed");
    expect(lines[0]).toBe(`open until ${closesAt}`);
    expect(lines).toContainEqual(expect.stringMatching(/^closing: waiting/));
    expect(lines.at(-1)).toBe("closed: 2 players");
    expect(await closeSeason(cup)).toMatchObject({ status: "closed" });
  });

  test.each([
    ["on a project", false, "6 minutes"],
    ["on the emulators", true, "3 seconds"],
  ])("says when getResults shows the season, %s", async (_, isEmulated, wait) => {
    const { endWaitMs } = ownProcess(world.db, isEmulated);
    expect(resultsWait({ endWaitMs })).toBe(wait);
    await createEnding(world, "board", { ann: playerFields(4, 0) });
    await endSeason(world, cup, { until: closed });
    const services = { ...world.services, endWaitMs };
    const seen = async () =>
      (await callOn(services, "getResults", { leaderboard: "board" }, user("ann"))).results.length;
    const { closed_at: closedAt } = await seasonOf(world, cup);
    world.advance((closedAt?.toMillis() ?? 0) + endWaitMs - world.services.now());
    expect(await seen()).toBe(0);
    world.advance(1);
    expect(await seen()).toBe(1);
  });

  test("says so if no function closes the season, and if it is deleted", async () => {
    await createEnding(world, "board", {});
    const lines: string[] = [];
    const sleep = async () => world.advance(minute);
    const wait = () => waitUntilClosed({ ...world.services, sleep }, cup, (line) => lines.push(line));
    await expect(wait()).rejects.toThrow("Are the functions deployed");
    expect(lines.at(-1)).toMatch(/^ended at .*; waiting for the functions$/);
    await world.db.doc(seasonPath(cup)).delete();
    await expect(wait()).rejects.toThrow("was deleted");
  });
});

describe("the export of a closed season", () => {
  test("is its final table, best first, with exact ranks and positions", async () => {
    const players = Array.from({ length: 2_400 }, (_, i): [string, ReturnType<typeof playerFields>] => {
      const fields = {
        ...(i % 40 === 0 ? { status: "hidden" } : {}),
        ...(i % 3 === 0 ? { display_name: i === 3 ? "=1+1" : `Player, "${i}"` } : {}),
        ...(i % 1_000 < 5 ? { metadata: { level: i } } : {}),
      };
      return [`p${i}`, playerFields((i * 7_919) % 700, i, fields)];
    });
    await createEnding(world, "board", Object.fromEntries(players));
    await endSeason(world, cup);
    await world.call("removePlayer", { leaderboard: "board", player: "p1" }, admin);
    const sorted = await sortedPlayers(world, cup);
    const metadataOf = new Map(players.map(([id, { metadata }]) => [id, metadata]));
    const wanted = sorted.map(({ player, rank, score, name, at: achieved }, i) => ({
      position: i + 1,
      rank,
      player,
      score,
      ...(name === "" ? {} : { display_name: name }),
      ...(metadataOf.get(player) === undefined ? {} : { metadata: metadataOf.get(player) }),
      achieved_at: achieved.toDate().toISOString().replace(".000Z", "Z"),
    }));

    const { result, bill } = await world.meter.measure(() => exported("final.ndjson"));
    expect(result.report).toEqual({ players: sorted.length, leftOut: 0, isFinal: true });
    expect(exportSummary(result.report, { season: "cup" })).toMatch(
      /^The final table: [\d,]+ players exported\.$/,
    );
    const [, ...lines] = result.text.split("\n").toReversed();
    expect(lines.toReversed().map((line) => JSON.parse(line) as object)).toEqual(wanted);
    // Three documents, their metadata, the summary and the board, and looks behind the last one.
    expect(bill.reads).toBeLessThan(20);

    const { text } = await exported("final.csv");
    const [header, first] = text.split("\n");
    expect(header).toBe("position,rank,player,score,display_name,metadata,achieved_at");
    const [best] = wanted;
    expect(first?.startsWith(`1,1,${best?.player ?? ""},${best?.score ?? ""},`)).toBe(true);
    expect(text.trimEnd().split("\n")).toHaveLength(1 + sorted.length);
    expect(text).toContain(",'=1+1,");

    const all = await exported("players.csv", { players: true });
    expect(all.report).toEqual({ players: 2_399, leftOut: 0 });
    expect(exportSummary(all.report, { season: "cup", players: true })).toBe("2,399 players exported.");
    expect(all.text).toContain("attempts,status");
    // A spreadsheet does not run it, and an import takes the ' off.
    expect(all.text).toContain(",'=1+1,");
  });

  test("says so if the season has not closed, as it is no final table then", async () => {
    await createEnding(world, "board", { ann: playerFields(4, 0) });
    const { report } = await exported("early.csv");
    expect(exportSummary(report, { season: "cup" })).toMatch(/^1 player exported\.\n"cup" has not closed/);
  });

  test("has the columns of a board of columns, and no players of an empty one", async () => {
    const columns = [{ name: "rank", min: 0, max: 9 }];
    await createEnding(world, "board", { ann: playerFields(4, 0) }, { definition: { columns } });
    await endSeason(world, cup);
    expect((await exported("columns.csv")).text).toMatch(
      /^position,rank,player,columns\.rank,display_name,metadata,achieved_at\n1,1,ann,4,,,/,
    );
    await createEnding(world, "board", {}, { season: "empty", definition: { columns } });
    await endSeason(world, { ...cup, season: "empty" });
    const { report, text } = await exported("empty.csv", { season: "empty" });
    expect(report).toEqual({ players: 0, leftOut: 0, isFinal: true });
    expect(text.split("\n")).toHaveLength(2);
  });
});
