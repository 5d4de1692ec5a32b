/** Teams whose rows are merged: their sums, means and best players are exact all the same. The limits are small. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { segmentPagesPath, teamsPath } from "../../../functions/src/documents/paths.ts";
import type { TeamSettings } from "../../../functions/src/model/team-settings.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { seededRandom } from "../../support/arbitraries.ts";
import { teamsSorted } from "../../support/teams.ts";
import { admin, allTime, createBoard, createWorld, user, type World } from "../../support/world.ts";

vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const small = { onePageRowsMax: 8, rowsPerPageMax: 8, segmentRowsMax: 60 };
  return { ...(await original<object>()), ...small };
});

const key = allTime("board");
const random = seededRandom(Number(process.env["FIRERANK_SEED"]));
/** The last has as few players as rows that it keeps. */
const sizes = { red: 90, blue: 60, green: 150, grey: 3 };
const guilds = Object.keys(sizes);
const segmentsOf = (teams: TeamSettings | undefined) => [
  { name: "guild", from: "server" as const, ...(teams && { teams }) },
];

let world: World;
let players: { player: string; score: number; guild: string }[];

async function submit(some: typeof players): Promise<void> {
  const submissions = some.map(({ player, score, guild }) => ({ player, score, segments: { guild } }));
  await world.call("submitScores", { leaderboard: "board", submissions }, admin);
}

/** A run of the schedule, once the slots of all changes have ended. */
function run() {
  world.advance(20_000);
  return publishRanking(world.services, key);
}

const save = (definition: object) =>
  world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
const answered = async () =>
  world.call("getTeams", { leaderboard: "board", segment: "guild", limit: 100 }, user("ann"));
const teams = async () => (await answered()).entries;
/** What an audit finds wrong with pages and teams. */
async function audit(full = true): Promise<string[]> {
  const audited = await world.call("auditSeason", { leaderboard: "board", full }, admin);
  return ("found" in audited ? audited.found?.pages : undefined) ?? expect.fail("it has not ended");
}

/** Whether a row of the pages of segments is merged: otherwise these tests would say nothing. */
async function hasMergedRows(): Promise<boolean> {
  const { docs } = await world.db.collection(segmentPagesPath(key)).get();
  const parts = docs.flatMap((page) => page.get("parts") as { lows?: number[] }[]);
  return parts.some(({ lows }) => lows !== undefined);
}

async function begin(order: "descending" | "ascending", by: TeamSettings | undefined): Promise<void> {
  world = createWorld();
  await createBoard(world, "board", { order, aggregation: "latest", segments: segmentsOf(by) });
  const all = Object.entries(sizes).flatMap(([guild, size]) => Array.from({ length: size }, () => guild));
  const scores = new Set<number>();
  while (scores.size < all.length) scores.add(Math.floor(10_000 * random()));
  players = [...scores].map((score, i) => ({ player: `p${i}`, score, guild: all[i] ?? "" }));
  await submit(players);
  await run();
  expect(await hasMergedRows()).toBe(true);
}

/** Some players play again, and some of these for another guild. */
async function playAgain(which: (i: number) => boolean): Promise<void> {
  const some = players.filter((_, i) => which(i));
  for (const one of some) {
    one.score = Math.floor(10_000 * random()) + 0.5;
    if (random() < 0.3) one.guild = guilds[Math.floor(guilds.length * random())] ?? "red";
  }
  await submit(some);
}

describe.each(["descending", "ascending"] as const)("300 players in four guilds, %s", (order) => {
  const ways: TeamSettings[] = [
    { by: "sum" },
    { by: "mean" },
    { by: "best", best: 3 },
    { by: "best", best: 20, min_players: 10 },
  ];

  test.each(ways)("teams are those of a plain sort, run for run: %j", async (by) => {
    await begin(order, by);
    expect(await teams()).toEqual(teamsSorted(order, by, players));
    for (let turn = 0; turn < 4; turn++) {
      await playAgain((i) => i % 40 === turn);
      for (const { player } of players.splice(10 * turn, 2))
        await world.call("removePlayer", { leaderboard: "board", player }, admin);
      await run();
      expect(await teams()).toEqual(teamsSorted(order, by, players));
    }
    expect(await audit()).toEqual([]);
    await world.call("repairSeason", { leaderboard: "board" }, admin);
    expect(await teams()).toEqual(teamsSorted(order, by, players));
    expect(await audit()).toEqual([]);
  });

  test("changes of the open slot are in the players that a run reads, and not in its teams", async () => {
    const by = { by: "best", best: 20 } as const;
    await begin(order, by);
    await playAgain((i) => i % 10 === 1);
    world.advance(20_000);
    const before = players.map((one) => ({ ...one }));
    await playAgain((i) => i % 10 === 2);
    await publishRanking(world.services, key);
    expect(await teams()).toEqual(teamsSorted(order, by, before));
    await run();
    expect(await teams()).toEqual(teamsSorted(order, by, players));
  });
});

describe("of a board whose rows are merged", () => {
  test("a sum needs a repair once, an audit says so, and then each run keeps it", async () => {
    await begin("descending", undefined);
    const by = { by: "sum" } as const;
    await save({ segments: segmentsOf(by) });
    world.advance(60_001);
    await playAgain((i) => i % 10 === 1);
    await run();
    expect(await answered()).toMatchObject({ entries: [], generation: 0 });
    expect(await audit(false)).toEqual([
      "the totals of the teams of guild are not known, as rows were merged before it had teams",
    ]);
    await world.call("repairSeason", { leaderboard: "board" }, admin);
    await run();
    expect(await teams()).toEqual(teamsSorted("descending", by, players));
    await playAgain((i) => i % 10 === 2);
    await run();
    expect(await teams()).toEqual(teamsSorted("descending", by, players));
    expect(await audit()).toEqual([]);
  });

  test("the best players are read by the next run, whatever counted before", async () => {
    await begin("descending", { by: "sum" });
    const by = { by: "best", best: 12 } as const;
    await save({ segments: segmentsOf(by) });
    world.advance(60_001);
    await playAgain((i) => i === 0);
    await run();
    expect(await teams()).toEqual(teamsSorted("descending", by, players));
  });

  test("a run reads no player of a team whose best have not changed", async () => {
    const by = { by: "best", best: 20 } as const;
    await begin("descending", by);
    // Of a team that has more players than its best ones.
    const [lowest, ...others] = players
      .filter(({ guild }) => guild === "red")
      .toSorted((a, b) => a.score - b.score);
    const reads = async (one: (typeof players)[number] | undefined, score: number) => {
      if (one === undefined) throw new Error("nobody is red");
      one.score = score;
      await submit([one]);
      return (await run()).billed.reads;
    };
    const none = await reads(lowest, -1);
    const some = await reads(others.at(-1), 20_000);
    expect(some - none).toBeGreaterThan(0);
    expect(some - none).toBeLessThanOrEqual(2 * 20);
    expect(await teams()).toEqual(teamsSorted("descending", by, players));
  });
});

describe("an audit", () => {
  const stored = async () => (await world.db.doc(teamsPath(key, "guild")).get()).data() ?? {};
  const write = (fields: object) => world.db.doc(teamsPath(key, "guild")).update(fields);
  beforeEach(() => begin("descending", { by: "sum" }));

  test("finds a team of another size than its rows, and a repair makes it anew", async () => {
    const entries = (await stored())["entries"] as { players: number }[];
    await write({ entries: entries.map((one, i) => (i === 1 ? { ...one, players: one.players + 1 } : one)) });
    expect(await audit(false)).toEqual(["the teams of guild do not fit the rows"]);
    await world.call("repairSeason", { leaderboard: "board" }, admin);
    expect(await audit(false)).toEqual([]);
    expect(await teams()).toEqual(teamsSorted("descending", { by: "sum" }, players));
  });

  test("finds a document that is missing, of another generation, or that nobody can read", async () => {
    await write({ generation: 99 });
    expect(await audit(false)).toEqual(["the teams of guild are of generation 99, the season says 1"]);
    await write({ entries: "none" });
    expect(await audit(false)).toEqual(["the document of the teams of guild cannot be read"]);
    await world.db.doc(teamsPath(key, "guild")).delete();
    expect(await audit(false)).toEqual(["the document of the teams of guild is missing"]);
  });

  test("in full finds a total that is not that of the players, and a repair makes it anew", async () => {
    const { docs } = await world.db.collection(segmentPagesPath(key)).get();
    for (const page of docs) {
      const parts = page.get("parts") as { segment: string; total?: { sum: string } }[];
      const wrong = parts.map((part) =>
        part.segment === "guild=red" && part.total ? { ...part, total: { sum: `1${part.total.sum}` } } : part,
      );
      await page.ref.update({ parts: wrong });
    }
    const { entries } = await stored();
    expect(entries).toEqual(expect.any(Array));
    expect(await audit(false)).toEqual(["the teams of guild do not fit the rows"]);
    // The document says the same as the total.
    await playAgain((i) => i === 0);
    await run();
    expect(await audit(false)).toEqual([]);
    expect(await audit()).toEqual(["the total of guild=red does not fit the scores of its players"]);
    await world.call("repairSeason", { leaderboard: "board" }, admin);
    expect(await audit()).toEqual([]);
    expect(await teams()).toEqual(teamsSorted("descending", { by: "sum" }, players));
  });
});
