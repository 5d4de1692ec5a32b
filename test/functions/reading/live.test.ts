/** Live ranks: from sums that all share, at most 5 seconds old, and always of one moment. */
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { pagePath, seasonPath, shardPath } from "../../../functions/src/documents/paths.ts";
import { liveMsMax, liveReadsPerMinuteMax } from "../../../functions/src/model/limits.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { type Member, populate, populateAndRank } from "../../support/crowd.ts";
import { callOn, allTime, createBoard, user, eachWorld } from "../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
const free = { reads: 0, writes: 0, deletes: 0 };
/** Players p1 to p600 with scores 1 to 600, in three pages. */
const singles = (size: number): Member[] =>
  Array.from({ length: size }, (_, i) => ({ id: `p${i + 1}`, score: i + 1, achievedMs: i }));

const world = eachWorld();
let services: Services;
const play = (player: string, score: number, of = world.services) =>
  callOn(of, "submitScore", { leaderboard, score }, user(player));
const rank = (score: number, asked: object = {}, of = services) =>
  callOn(of, "getRank", { leaderboard, score, freshness: "live", ...asked }, anyone);
const around = (player: string, asked: object = {}) =>
  callOn(
    services,
    "getAround",
    { leaderboard, player, above: 2, below: 2, freshness: "live", ...asked },
    anyone,
  );
const page = (asked: object) =>
  callOn(services, "getPage", { leaderboard, limit: 3, freshness: "live", ...asked }, anyone);
const friends = (...players: string[]) =>
  callOn(services, "getPlayers", { leaderboard, players, freshness: "live" }, anyone);
const lines = ({ entries }: { entries: { player: string; rank: number; position: number }[] }) =>
  entries.map(({ player, rank: own, position }) => `${player} ${own} ${position}`);

/** Shard documents of instances that have died, whose changes add up to nothing. */
async function leaveShards(count: number): Promise<void> {
  const writer = world.db.bulkWriter({ throttling: false });
  const endsAt = Timestamp.fromMillis(world.services.now() + 10_000);
  for (let i = 0; i < count; i++)
    void writer.set(world.db.doc(shardPath(key, `dead${i}`, endsAt.toMillis())), {
      slot_ends_at: endsAt,
      player_count: { "0.5": i % 2 === 0 ? 1 : -1 },
      marks: 1,
    });
  await writer.close();
}

beforeEach(async () => {
  await createBoard(world, leaderboard, { aggregation: "latest" });
});

describe("on a published board", () => {
  beforeEach(async () => {
    await populateAndRank(world, key, singles(600));
    services = await world.coldInstance(key);
  });

  test("questions about the published ranking read nothing that live ones read, and the other way round", async () => {
    // So many that there are several pages.
    await populate(world, key, singles(1_100).slice(600));
    await world.publish(key);
    services = await world.coldInstance(key);
    await play("new", 2_000);
    await rank(1_099);
    expect(await world.reads(() => rank(3))).toBe(1);
    expect(await world.reads(() => rank(4, { freshness: "published" }))).toBe(0);
    expect(await world.reads(() => rank(1_099, { freshness: "published" }))).toBe(0);
    expect(await rank(1_099, { freshness: "published" })).toMatchObject({ rank: 2, players: 1_100 });
  });

  test("lists have live ranks, from the same sums", async () => {
    for (const [i, player] of ["x", "y", "z"].entries()) await play(player, 1_000 + i);
    await play("p600", 0.5);
    await rank(1);
    expect(lines(await around("p598"))).toEqual(["x 3 3", "p599 4 4", "p598 5 5", "p597 6 6", "p596 7 7"]);
    expect(lines(await page({ offset: 2 }))).toEqual(["x 3 3", "p599 4 4", "p598 5 5"]);
    const { next_cursor: cursor, players } = await page({ offset: 599 });
    expect(players).toBe(603);
    expect(lines(await page({ cursor }))).toEqual(["p600 603 603"]);
    expect(lines(await page({ offset: 601 }))).toEqual(["p1 602 602", "p600 603 603"]);
    expect(lines(await page({ offset: 603 }))).toEqual([]);
    expect(lines(await friends("p1", "x", "nobody", "p600"))).toEqual([
      "x 3 3",
      "p1 602 602",
      "p600 603 603",
    ]);
    const published = await around("p598", { freshness: "published" });
    expect(published.entries.find(({ player }) => player === "p598")).toMatchObject({ rank: 3 });
  });

  test("lists cost their players, and nothing for the sums in memory", async () => {
    await play("x", 1_000);
    await rank(599);
    expect(await world.reads(() => around("p598"))).toBe(1 + 4);
    expect(await world.reads(() => page({ offset: 3 }))).toBe(3);
    expect(await world.reads(() => friends("p599", "p598", "p597"))).toBe(3);
    expect(await world.reads(() => page({ offset: 601 }))).toBe(0);
  });

  test("a claim of a generation that there is none of costs a read a second, not the sums", async () => {
    await leaveShards(50);
    await rank(599);
    expect(await world.reads(() => rank(599, { min_generation: 2 }))).toBe(1);
    expect(await world.reads(() => rank(599, { min_generation: 1_000_000 }))).toBe(0);
  });

  test("an answer to a submission is live if the sums are in memory, and costs nothing for it", async () => {
    services = world.services;
    await rank(599);
    await play("x", 1_000, world.anotherInstance());
    world.advance(liveMsMax);
    await rank(599);
    const { seasons } = await play("y", 599.5);
    expect(seasons[0]?.rank).toMatchObject({ rank: 3, freshness: "live", exact: true, players: 601 });
    expect(await world.bill(() => play("y", 598.5))).toEqual({ ...free, reads: 1, writes: 2 });
    world.advance(liveMsMax);
    const later = await play("y", 598.6);
    expect(later.seasons[0]?.rank).toMatchObject({ rank: 3, freshness: "published", generation: 1 });
  });

  test("an answer to a submission is live where that is asked, with the score itself in it", async () => {
    await play("x", 1_000);
    const request = { leaderboard, score: 599.5, freshness: "live" as const };
    const { seasons } = await callOn(services, "submitScore", request, user("y"));
    expect(seasons[0]?.rank).toMatchObject({ rank: 3, freshness: "live", exact: true, players: 602 });
  });

  test("an instance spends at most 1,000 reads a minute on what is pending, whatever is asked", async () => {
    await leaveShards(299);
    const perRead = 300;
    expect(await world.reads(() => rank(599))).toBe(perRead);
    const readAtStep: number[] = [];
    for (let step = 1; step <= 180; step++) {
      world.advance(1_000);
      // Once a minute the board costs 2, and looking for the next publication 1 when it is due.
      if ((await world.reads(() => rank(599))) >= perRead) readAtStep.push(step);
    }
    const everySeconds = perRead / (liveReadsPerMinuteMax / 60);
    expect(readAtStep).toEqual(Array.from({ length: 10 }, (_, i) => everySeconds * (i + 1)));
  });

  test("a read of sums that fails is not repeated by each question", async () => {
    await leaveShards(199);
    const runTransaction = world.db.runTransaction.bind(world.db);
    world.db.runTransaction = async (...args) => {
      await runTransaction(...args);
      throw new Error("too old");
    };
    const ask = () => expect(rank(599)).rejects.toThrow("too old");
    expect(await world.reads(ask)).toBe(200);
    world.advance(1_000);
    expect(await world.reads(ask)).toBe(0);
    world.db.runTransaction = runTransaction;
    world.advance(12_000);
    expect(await rank(599)).toMatchObject({ rank: 2 });
  });

  test("an offset among those who are new costs the players that are listed and skipped", async () => {
    const newcomers: [first: string, score: number][] = [
      ["above all", 1_000],
      ["between two rows", 599.5],
      ["below all", 0.5],
    ];
    for (const [n, score] of newcomers)
      for (let i = 0; i < 30; i++) await play(`${n} ${i}`, score - i / 1_000);
    await rank(599);
    for (const [offset, of, at] of [
      [20, "above all", 20],
      [31 + 10, "between two rows", 10],
      [30 + 600 + 30 + 5, "below all", 5],
    ] as const) {
      const { entries } = await page({ offset });
      expect(entries.map(({ player }) => player)).toEqual([0, 1, 2].map((i) => `${of} ${at + i}`));
      expect(await world.reads(() => page({ offset }))).toBe(3);
    }
  });
});

describe("before the first publication", () => {
  beforeEach(async () => {
    for (const [i, player] of ["a", "b", "c", "d"].entries()) await play(player, i);
    services = await world.coldInstance(key);
  });

  test("ranks and lists come from the sums alone, exact", async () => {
    expect(await rank(1.5)).toMatchObject({
      rank: 3,
      players: 4,
      exact: true,
      generation: 0,
      freshness: "live",
    });
    expect(lines(await page({ offset: 1 }))).toEqual(["c 2 2", "b 3 3", "a 4 4"]);
    expect(lines(await around("b"))).toEqual(["d 1 1", "c 2 2", "b 3 3", "a 4 4"]);
    expect(lines(await friends("a", "c"))).toEqual(["c 2 2", "a 4 4"]);
    for (const list of [await page({}), await around("b"), await friends("a")]) {
      for (const entry of list.entries) expect(entry).not.toHaveProperty("exact");
    }
  });

  test("an answer to a submission has a live rank, if it is asked for or in memory, and else none", async () => {
    expect((await play("e", 9, services)).seasons[0]?.rank).toBeNull();
    const request = { leaderboard, score: 10, freshness: "live" as const };
    const { seasons } = await callOn(services, "submitScore", request, user("e"));
    expect(seasons[0]?.rank).toMatchObject({ rank: 1, players: 5, freshness: "live", generation: 0 });
    expect((await play("f", 9, services)).seasons[0]?.rank).toMatchObject({ rank: 2, freshness: "live" });
  });

  test("a board whose pages were deleted is refused, and not taken for a new one", async () => {
    await world.publish(key);
    await world.db.doc(pagePath(key, 0)).delete();
    expect((await world.db.doc(seasonPath(key)).get()).get("ranking.generation")).toBe(1);
    await expect(rank(1.5)).rejects.toMatchObject({ code: "player_not_ranked" });
  });
});
