/** `getResults`: the results that a player who was away gets of closed seasons. */
import { describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { seasonPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import {
  countAll,
  createEnding,
  endSeason,
  openEnding,
  playerFields,
  writePlayers,
} from "../../support/closing.ts";
import { allPages, callOn, admin, user, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const day = 86_400_000;
const results = (request: object = {}, uid = "ann") => world.call("getResults", request, user(uid));
const seasonsIn = async (request: object = {}, uid = "ann") =>
  (await results(request, uid)).results.map(({ leaderboard, season }) => `${leaderboard}/${season}`);

/** Plays and closes a season with these players, a day after the previous one. */
async function play(key: SeasonKey, scores: Record<string, number>): Promise<void> {
  const players = Object.fromEntries(
    Object.entries(scores).map(([player, score], i) => [player, playerFields(score, i)]),
  );
  world.advance(day);
  if ((await world.db.doc(`leaderboards/${key.leaderboard}`).get()).exists) {
    await openEnding(world, key);
    await writePlayers(world, key, players);
    await countAll(world.services, key, Object.keys(players));
  } else await createEnding(world, key.leaderboard, players, { season: key.season });
  // The end's time is a whole millisecond. Who was counted in that same one is looked up in the standings, for a read more.
  const countedMs = Date.now();
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(countedMs);
  await endSeason(world, key);
  world.advance(1);
}

const cup = (n: number, leaderboard = "arena") => ({ leaderboard, season: `cup-${n}` });

test("the caller's final ranks, the newest first, of the seasons with a score of the caller", async () => {
  await play(cup(1), { ann: 7, bob: 9, cyd: 8 });
  await play(cup(2), { bob: 9 });
  await play(cup(1, "other"), { ann: 3, bob: 3 });
  await openEnding(world, { leaderboard: "other", season: "open" });
  const { results: found } = await results();
  expect(found).toMatchObject([
    {
      leaderboard: "other",
      season: "cup-1",
      span: "custom",
      player: "ann",
      rank: 1,
      players: 2,
      exact: true,
    },
    { leaderboard: "arena", season: "cup-1", rank: 3, players: 3, score: 7, percentile: 0, exact: true },
  ]);
  for (const { leaderboard, season, span: _, closed_at: closedAt, ...rank } of found) {
    const stored = await world.db.doc(seasonPath({ leaderboard, season })).get();
    expect((stored.get("closed_at") as Timestamp).toDate().toISOString()).toBe(closedAt);
    const asked = await world.call("getRank", { leaderboard, season }, user("ann"));
    expect(asked).toEqual({ leaderboard, season, ...rank });
  }
  expect(await seasonsIn({ leaderboard: "arena" })).toEqual(["arena/cup-1"]);
  expect(await seasonsIn({}, "bob")).toEqual(["other/cup-1", "arena/cup-2", "arena/cup-1"]);
  expect(await seasonsIn({}, "nobody")).toEqual([]);
});

test("of seasons that closed since a time, by default 30 days ago", async () => {
  for (const n of [1, 2, 3]) await play(cup(n), { ann: n });
  const [newest] = (await results()).results;
  expect(await seasonsIn({ since: newest?.closed_at })).toEqual(["arena/cup-3"]);
  world.advance(29 * day);
  expect(await seasonsIn()).toEqual(["arena/cup-3"]);
  expect(await seasonsIn({ since: "2099-12-01T00:00:00Z" })).toHaveLength(3);
});

describe("with `next_since` as the next `since`, each result comes once,", () => {
  test("also if seasons close at the same moment, or a commit lands as late as it can", async () => {
    for (const n of [1, 2, 3, 4]) await play(cup(n), { ann: n });
    const { endWaitMs } = world.services;
    const moment = world.services.now();
    const close = (n: number, ms: number) =>
      world.db.doc(seasonPath(cup(n))).update({ status: "closed", closed_at: Timestamp.fromMillis(ms) });
    for (const n of [1, 2])
      await world.db.doc(seasonPath(cup(n))).update({ status: "closing", closed_at: null });
    for (const n of [3, 4]) await close(n, moment);
    let since: string | undefined;
    const next = async (afterMs: number) => {
      world.advance(afterMs);
      const answer = await results({ since });
      since = answer.next_since;
      return answer.results.map(({ season }) => season);
    };
    expect(await next(1)).toEqual([]);
    expect(await next(endWaitMs - 1)).toEqual([]);
    await close(2, moment);
    expect(await next(1)).toEqual(["cup-4", "cup-3", "cup-2"]);
    await close(1, moment + 1);
    expect(await next(1)).toEqual(["cup-1"]);
    expect(await next(endWaitMs)).toEqual([]);
  });

  test("also if they fill several pages while others close", async () => {
    for (const n of [1, 2, 3]) await play(cup(n), { ann: n });
    const first = await results({ limit: 1 });
    await play(cup(4), { ann: 4 });
    const second = await results({ limit: 1, cursor: first.next_cursor });
    expect(second.results).toMatchObject([{ season: "cup-2" }]);
    expect(second.next_since).toBe(first.next_since);
    expect(await seasonsIn({ since: second.next_since })).toEqual(["arena/cup-4"]);
  });

  test("and never one from before `since`, even if that is later than the server's clock", async () => {
    await play(cup(1), { ann: 1 });
    const since = new Date(world.services.now() + 1).toISOString();
    expect(await results({ since })).toEqual({ results: [], next_since: since });
  });
});

test.each([{}, { leaderboard: "arena" }])("page by page, each season once: %o", async (asked) => {
  for (const n of [1, 2, 3, 4]) await play(cup(n), n === 2 ? { bob: 1 } : { ann: n });
  const pages = await allPages((more) => results({ ...asked, limit: 1, ...more }));
  const found = pages.map((page) => page.results.map(({ season }) => season));
  expect(found).toEqual([["cup-4"], ["cup-3"], [], ["cup-1"], []]);
});

describe("left out are", () => {
  test("seasons in which the caller is hidden or banned, and they come back", async () => {
    await play(cup(1), { ann: 7, bob: 9 });
    const set = (status: "hidden" | "banned" | "active") =>
      world.call("setPlayerStatus", { leaderboard: "arena", player: "ann", status }, admin);
    for (const status of ["hidden", "banned"] as const) {
      await set(status);
      expect(await seasonsIn()).toEqual([]);
    }
    await set("active");
    expect(await seasonsIn()).toEqual(["arena/cup-1"]);
  });

  test("seasons that are being deleted, of a board without a definition, or of somebody else", async () => {
    await play(cup(1), { ann: 7 });
    await play(cup(1, "gone"), { ann: 7 });
    await play(cup(2), { ann: 7 });
    await world.db.doc("leaderboards/gone").delete();
    boardCacheOf(world.services).forget("gone");
    await world.db.doc(seasonPath(cup(2))).update({ status: "deleting" });
    const closedAt = Timestamp.fromMillis(world.services.now());
    await world.db.doc("clubs/a/seasons/b").set({ closed_at: closedAt });
    await world.db.doc("clubs/a/leaderboards/b/seasons/c").set({ closed_at: closedAt });
    expect(await seasonsIn()).toEqual(["arena/cup-1"]);
  });
});

test("costs 2 reads a season, and a result what its rank costs; nothing in memory is read again", async () => {
  await play(cup(1), { ann: 7, bob: 9 });
  await play(cup(2), { bob: 9 });
  const cold = world.anotherInstance();
  const ask = () => callOn(cold, "getResults", { limit: 25 }, user("ann"));
  // Two seasons, a player's document in each; the board, and the page of the one result.
  expect(await world.bill(ask)).toEqual({ reads: 2 + 2 + 2 + 1, writes: 0, deletes: 0 });
  expect(await world.bill(ask)).toEqual({ reads: 2 + 2, writes: 0, deletes: 0 });
});

test("needs a player, an existing board, and one of its own cursors", async () => {
  await expect(world.call("getResults", {})).rejects.toMatchObject({ code: "unauthenticated" });
  await expect(results({ leaderboard: "nowhere" })).rejects.toMatchObject({ code: "leaderboard_not_found" });
  await play(cup(1), { ann: 7 });
  const { next_cursor: cursor, next_since: since } = await results({ limit: 1 });
  expect(cursor).toBeDefined();
  await play(cup(1, "other"), { ann: 7 });
  for (const request of [
    { cursor: "1-1-players/ann" },
    { cursor, since },
    { cursor: `999999999999999-${cursor}` },
    { cursor: cursor?.replace(/-\d+-/, "-999999999999999-") },
    { leaderboard: "other", cursor },
    { since: "yesterday" },
    { since: "0001-01-01T00:00:00+01:00" },
    { since: "9999-12-31T23:59:59-01:00" },
    { limit: 101 },
  ])
    await expect(results(request)).rejects.toMatchObject({ code: "invalid_request" });
});

test("what is no season of a board is passed over, wherever a page ends, and no cursor tells of it", async () => {
  await play(cup(1), { ann: 7 });
  await play(cup(2), { ann: 8 });
  world.advance(day);
  const data = (await world.db.doc(seasonPath(cup(1))).get()).data() ?? {};
  for (const path of [
    "aa/arena/seasons/cup",
    "leaderboards/arena (copy)/seasons/cup",
    "zz/arena/seasons/cup",
  ])
    for (const season of ["", "-2", "-3"]) await world.db.doc(`${path}${season}`).set(data);
  for (const limit of [1, 2, 3, 100]) {
    const pages = await allPages((more) => results({ limit, ...more }));
    const found = pages.flatMap((page) => page.results.map(({ season }) => season));
    expect(found, `${limit} a page`).toEqual(["cup-2", "cup-1"]);
    expect(JSON.stringify(pages)).not.toMatch(/copy|zz|aa/);
  }
});
