/** What questions about a closed season cost in document reads: the promises of docs/costs.md and of docstrings. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  seasonPath,
  standingsMetadataPath,
  standingsPath,
  standingsSummaryPath,
} from "../../../functions/src/documents/paths.ts";
import { FirerankError } from "../../../functions/src/model/errors.ts";
import { overduePageMs } from "../../../functions/src/model/limits.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import type { Finalist } from "../../support/standings.ts";
import { closeNow, hidePlayers, sortedPlayers } from "../../support/closing.ts";
import { populateAndRank } from "../../support/crowd.ts";
import {
  type Operation,
  callOn,
  allTime,
  createBoard,
  createWorld,
  user,
  type World,
} from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
const board = 2;
const summary = 1;
const document = 1;
const metadata = 1;

let world: World;
let services: Services;

/** Another instance of the functions, with the board in memory but nothing of its season. */
async function coldInstance(): Promise<void> {
  services = await world.coldInstance(key);
}

const ask = (name: Operation, asked: object) =>
  callOn(services, name, { leaderboard, freshness: "published", ...asked }, anyone);
const page = (asked: object) =>
  callOn(services, "getPage", { leaderboard, limit: 25, freshness: "published", ...asked }, anyone);
const around = (player: string) => ask("getAround", { player, above: 4, below: 4 });
const rank = (asked: object) => ask("getRank", { exact: false, ...asked });
const crowd = <Answer>(ask: (i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: 80 }, (_, i) => ask(i)));

/** 2,600 players, 1,800 of them equals; the last 600 have metadata. */
const all = Array.from({ length: 2_600 }, (_, i): Finalist => {
  const score = i < 400 ? 5_000 - i : i < 2_200 ? 1_000 : 3_000 - i;
  return { id: `p${i}`, score, achievedMs: i, ...(i < 2_000 ? {} : { metadata: { level: i } }) };
});

async function closeBoard(): Promise<void> {
  world = createWorld();
  await createBoard(world, leaderboard);
  await populateAndRank(world, key, all);
  await closeNow(world, key);
}

describe("a closed season of 2,600 players, 1,800 of them equals", () => {
  beforeAll(closeBoard);
  beforeEach(coldInstance);

  test.each<[what: string, ask: () => Promise<unknown>, cold: number, again: number]>([
    ["a page from any offset", () => page({ offset: 1_700, limit: 100 }), summary + document, 0],
    ["a page over the edge of two documents", () => page({ offset: 990 }), summary + 2 * document, 0],
    ["a page with metadata", () => page({ offset: 2_300 }), summary + document + metadata, 0],
    ["an offset beyond the end", () => page({ offset: 10 ** 12 }), summary, 0],
    ["neighbours", () => around("p300"), 1 + summary + document, 1],
    // The document of an equal, one of three, is found by looking into the middle one.
    ["neighbours among equals", () => around("p1500"), 1 + summary + document, 1],
    ["neighbours in two documents", () => around("p900"), 1 + summary + 2 * document, 1],
    ["neighbours with metadata", () => around("p2500"), 1 + summary + document + metadata, 1],
    // The page of the ranking.
    ["the rank of a score", () => rank({ score: 4_900 }), 1, 0],
    ["a live one", () => rank({ score: 4_900, freshness: "live" }), 1, 0],
    ["an exact one", () => rank({ score: 4_900, exact: true }), 1, 0],
    ["the rank of a player", () => rank({ player: "p12" }), 1 + 1, 1],
    ["30 friends", () => ask("getPlayers", { players: all.slice(0, 30).map(({ id }) => id) }), 30 + 1, 30],
    ["the top", () => callOn(services, "getTop", { leaderboard }, anyone), 1, 1],
  ])("%s is read from a cold instance, and again, however late", async (_what, ask, cold, again) => {
    expect(await world.reads(ask)).toBe(cold);
    world.advance(30 * overduePageMs);
    await boardCacheOf(services).load(key);
    expect(await world.reads(ask)).toBe(again);
  });

  test("a page behind a cursor costs a document, also at the very end of one", async () => {
    for (const offset of [300, 975, 1_975]) {
      await coldInstance();
      const { next_cursor: cursor = "" } = await page({ offset });
      await coldInstance();
      const more = offset === 1_975 ? metadata : 0;
      expect(await world.reads(() => page({ cursor }))).toBe(summary + document + more);
    }
  });
});

describe("a revision of a closed season", () => {
  beforeEach(async () => {
    await closeBoard();
    await coldInstance();
  });

  test("costs an instance the board, the summary and each document again, when it sees the season", async () => {
    await page({ offset: 990 });
    await hidePlayers(world, key, "p4");
    expect(await world.reads(() => page({ offset: 990 }))).toBe(0);
    world.advance(61_000);
    expect(await world.reads(() => page({ offset: 990 }))).toBe(board + summary + 2 * document);
    expect((await page({ offset: 995 })).entries[0]).toMatchObject({ player: "p996", position: 996 });
  });

  test("that a document reveals costs the season, the summary and the document again, once for all requests", async () => {
    await page({ offset: 2_000 });
    // It is published with those that follow.
    await hidePlayers(world, key, "p4");
    const { result, bill } = await world.meter.measure(() => crowd((i) => page({ offset: i, limit: 1 })));
    expect(bill.reads).toBe(document + 2 * summary + document);
    const sorted = await sortedPlayers(world, key);
    expect(result.map(({ entries }) => entries[0]?.player)).toEqual(
      sorted.slice(0, 80).map(({ player }) => player),
    );
    expect(await world.reads(() => page({ offset: 0 }))).toBe(0);
  });

  test("that is followed by a season being deleted leaves no season to ask about", async () => {
    const codeOf = async () => page({ offset: 0 }).catch((error: unknown) => error);
    await world.db.doc(seasonPath(key)).update({ status: "deleting" });
    await world.db.doc(standingsPath(key, 0)).delete();
    expect(await codeOf()).toMatchObject({ code: "season_not_found" });
    await world.db.doc(standingsSummaryPath(key)).delete();
    await coldInstance();
    await world.db.doc(seasonPath(key)).update({ status: "closed" });
    await coldInstance();
    const error = await codeOf();
    expect(error).not.toBeInstanceOf(FirerankError);
    expect(String(error)).toContain("is closed, and has no");
  });

  test("that damaged a document causes an error, not a wrong answer", async () => {
    await world.db.doc(standingsPath(key, 0)).update({ players: ["p0"] });
    expect(String(await page({ offset: 0 }).catch((error: unknown) => error))).toContain("has 1 players");
    await world.db.doc(standingsMetadataPath(key, 2)).delete();
    expect(await page({ offset: 2_100 }).catch((error: unknown) => error)).toMatchObject({
      code: "contention",
    });
  });
});
