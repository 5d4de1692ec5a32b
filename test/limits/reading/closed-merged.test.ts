/** A closed season whose ranking has merged rows: its ranks are still exact. The limits are small. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { leaderboardPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { readSeason } from "../../../functions/src/documents/season.ts";
import { rowsMax } from "../../../functions/src/model/limits.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { seededRandom } from "../../support/arbitraries.ts";
import type { Finalist } from "../../support/standings.ts";
import { closeNow, hidePlayers, sortedPlayers } from "../../support/closing.ts";
import { populateAndRank } from "../../support/crowd.ts";
import { callOn, allTime, createBoard, createWorld, user, type World } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  // Rows are never too wide, as populate() writes no index entries to split them by.
  const small = {
    onePageRowsMax: 8,
    rowsPerPageMax: 8,
    pagesMax: 4,
    rowsMax: 32,
    rowBoundMax: 1_000,
    standingsPerDocument: 100,
  };
  return { ...(await original<object>()), ...small };
});

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
const size = 100;
const random = seededRandom(Number(process.env["FIRERANK_SEED"]));
const readsOf = async (work: () => Promise<unknown>) => (await world.bill(work)).reads;

let world: World;
let cold: Services;

/** An instance with only the board in memory. */
async function coldInstance(): Promise<void> {
  cold = world.anotherInstance();
  await boardCacheOf(cold).load(key);
}

describe.each([
  ["descending", "first"],
  ["ascending", "last"],
] as const)("400 players in merged rows, %s, ties %s", (order, ties) => {
  beforeEach(async () => {
    world = createWorld();
    await createBoard(world, leaderboard, { order, ties });
    const all = Array.from({ length: 400 }, (_, i): Finalist => {
      return { id: `p${i}`, score: i % 4 === 0 ? 500 : Math.floor(2_000 * random()), achievedMs: i };
    });
    await populateAndRank(world, key, all);
    const { ranking } = readSeason((await world.db.doc(seasonPath(key)).get()).data());
    expect([ranking.exact, ranking.rows <= rowsMax]).toEqual([false, true]);
    await closeNow(world, key);
    await coldInstance();
  });

  const rank = (asked: { score?: number; player?: string; freshness?: "live"; exact?: boolean }) =>
    callOn(cold, "getRank", { leaderboard, freshness: "published", exact: false, ...asked }, anyone);

  async function expectExact(): Promise<void> {
    const finals = await sortedPlayers(world, key);
    const isBetter = (a: number, b: number) => (order === "descending" ? a > b : a < b);
    for (const score of [
      ...finals.filter((_, i) => i % 7 === 0).map((one) => one.score),
      499.5,
      -1,
      1_234.5,
      5_000,
    ]) {
      const better = finals.filter((one) => isBetter(one.score, score)).map((one) => one.score);
      const place = better.length + 1;
      const expected = {
        rank: place,
        dense_rank: new Set(better).size + 1,
        exact: true,
        rank_best: place,
        rank_worst: place,
        players: finals.length,
        freshness: "published",
      };
      expect(await rank({ score })).toMatchObject(expected);
      expect(await rank({ score, freshness: "live", exact: true })).toMatchObject(expected);
    }
    const players = finals.filter((_, i) => i % 9 === 0);
    const { entries } = await callOn(
      cold,
      "getPlayers",
      { leaderboard, players: players.map(({ player }) => player), freshness: "published" },
      anyone,
    );
    expect(entries.map((entry) => [entry.player, entry.rank, entry.exact])).toEqual(
      players.map((one) => [one.player, one.rank, undefined]),
    );
    for (const { player: id, rank: own } of players.slice(0, 9)) {
      expect(await rank({ player: id })).toMatchObject({ rank: own, exact: true });
      const around = await callOn(
        cold,
        "getAround",
        { leaderboard, player: id, above: 3, below: 3, freshness: "published" },
        anyone,
      );
      for (const entry of around.entries) {
        const index = finals.findIndex(({ player }) => player === entry.player);
        expect(entry).toMatchObject({ rank: finals[index]?.rank, position: index + 1 });
        expect([entry.exact, entry.position_exact]).toEqual([undefined, undefined]);
      }
    }
    const top = await callOn(cold, "getTop", { leaderboard, limit: 50 }, anyone);
    expect(top.entries.map((entry) => [entry.player, entry.rank])).toEqual(
      finals.slice(0, 50).map((one) => [one.player, one.rank]),
    );
  }

  test("have exact ranks by score, by player, around and among friends, even after players were removed", async () => {
    await expectExact();
    const leaving = (await sortedPlayers(world, key)).slice(90, 110);
    await hidePlayers(world, key, ...leaving.map(({ player }) => player));
    world.advance(61_000);
    await expectExact();
  });

  test("cost a document of the standings and the summary by score, and nothing while these are in memory", async () => {
    const score = (await sortedPlayers(world, key))[250]?.score ?? NaN;
    expect(await readsOf(() => rank({ score: score + 0.5 }))).toBe(2);
    expect(await readsOf(() => rank({ score: score + 0.25, exact: true }))).toBe(0);
    const crowd = world.anotherInstance();
    await boardCacheOf(crowd).load(key);
    const all = () =>
      Promise.all(
        Array.from({ length: 80 }, (_, i) =>
          callOn(
            crowd,
            "getRank",
            { leaderboard, score: 25 * i + 0.5, freshness: "published", exact: false },
            anyone,
          ),
        ),
      );
    expect(await readsOf(all)).toBeLessThanOrEqual(1 + 400 / size);
  });

  test("cost unknown callers no more, so nobody is refused", async () => {
    const asked = { leaderboard };
    await world.db.doc(leaderboardPath(leaderboard)).update({ visibility: "public" });
    cold = world.anotherInstance();
    const answer = await callOn(
      cold,
      "getRank",
      { ...asked, score: 3.5, freshness: "live", exact: true },
      undefined,
    );
    expect(answer).toMatchObject({ exact: true, freshness: "published" });
  });
});
