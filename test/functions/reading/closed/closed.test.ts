/** Every call about a closed season, compared with a full sort: complete, and after players were removed. */
import { beforeEach, describe, expect, test } from "vitest";
import { leaderboardPath, standingsMetadataPath } from "../../../../functions/src/documents/paths.ts";
import type { Entry } from "../../../../functions/src/model/answers.ts";
import { documentSize } from "../../../../functions/src/model/document-size.ts";
import { documentBytesMax, metadataBytesMax } from "../../../../functions/src/model/limits.ts";
import type { Order } from "../../../../functions/src/model/score.ts";
import { seededRandom } from "../../../support/arbitraries.ts";
import type { Finalist } from "../../../support/standings.ts";
import { type ClosedSeason, closeSeasonOf, type Final, openSeasonOf } from "../../../support/closed.ts";
import { allTime, createBoard, createWorld, presentOf, user, type World } from "../../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
const random = seededRandom(Number(process.env["FIRERANK_SEED"]));

let world: World;
let season: ClosedSeason;

const ask = {
  page: (asked: { offset?: number; cursor?: string; limit?: number; min_generation?: number }) =>
    world.call("getPage", { leaderboard, ...asked }, anyone),
  around: (player: string, above = 4, below = 4) =>
    world.call("getAround", { leaderboard, player, above, below }, anyone),
  players: (...players: string[]) => world.call("getPlayers", { leaderboard, players }, anyone),
  rank: (asked: { player?: string; score?: number; freshness?: "live"; exact?: true }) =>
    world.call("getRank", { leaderboard, ...asked }, anyone),
};

/** The complete entries of a full sort. */
const entriesOf = (finals: readonly Final[]): Entry[] =>
  finals.map(({ id, rank, position, score, name, metadata, achievedMs }) => ({
    player: id,
    rank,
    position,
    score,
    ...(name === undefined ? {} : { display_name: name }),
    ...(metadata === undefined ? {} : { metadata }),
    achieved_at: new Date(achievedMs).toISOString(),
  }));

/** Compares every call with a full sort. */
async function expectFinal(order: Order): Promise<void> {
  const finals = season.finals();
  const total = finals.length;
  for (const [offset, limit] of [
    [0, 25],
    [7, 10],
    [49, 3],
    [total - 4, 25],
    [total, 5],
    [10 ** 9, 5],
    [0, 100],
  ] as const) {
    const answer = await ask.page({ offset, limit });
    expect(answer.entries).toEqual(entriesOf(finals.slice(offset, offset + limit)));
    expect(answer.players).toBe(total);
  }
  const walked: Entry[] = [];
  for (let cursor: string | undefined, at = 0; at < total; at += 60) {
    const { entries, next_cursor: next } = await ask.page({
      limit: 60,
      ...(cursor === undefined ? {} : { cursor }),
    });
    walked.push(...entries);
    cursor = next;
  }
  expect(walked).toEqual(entriesOf(finals));
  for (const at of [
    0,
    1,
    48,
    49,
    50,
    51,
    75,
    total - 1,
    ...Array.from({ length: 5 }, () => Math.floor(total * random())),
  ]) {
    const { entries } = await ask.around(finals[at]?.id ?? "", 4, 6);
    expect(entries).toEqual(entriesOf(finals.slice(Math.max(0, at - 4), at + 7)));
  }
  const friends = Array.from({ length: 30 }, () => finals[Math.floor(total * random())]?.id ?? "");
  const { entries } = await ask.players(...friends, "nobody");
  const listed = finals.filter(({ id }) => friends.includes(id));
  expect(entries.map(({ player, rank, exact }) => [player, rank, exact])).toEqual(
    listed.map(({ id, rank }) => [id, rank, undefined]),
  );
  const scores = [...new Set(finals.map(({ score }) => score))];
  for (const score of [...scores.slice(0, 12), ...scores.slice(-3), 0.5, 33.25, 1_000, -1_000]) {
    const better = finals.filter((one) => (order === "descending" ? one.score > score : one.score < score));
    const expected = {
      rank: better.length + 1,
      dense_rank: new Set(better.map((one) => one.score)).size + 1,
      exact: true,
      rank_best: better.length + 1,
      rank_worst: better.length + 1,
      players: total,
      freshness: "published",
    };
    expect(await ask.rank({ score })).toMatchObject(expected);
    expect(await ask.rank({ score, freshness: "live" })).toMatchObject(expected);
    expect(await ask.rank({ score, exact: true })).toMatchObject(expected);
  }
  const someone = finals[Math.floor(total * random())];
  expect(await ask.rank({ player: someone?.id ?? "" })).toMatchObject({ rank: someone?.rank, exact: true });
}

/** 240 players, many of them equals: some scores over several whole documents of 25, some at equal times. */
const crowd = (): Finalist[] =>
  Array.from({ length: 240 }, (_, i) => ({
    id: `p${i}`,
    score: i % 3 === 0 ? 40 : Math.floor(60 * random() * random()),
    achievedMs: 1_000 * Math.floor(20 * random()),
    ...(i % 2 === 0 ? { name: `Name ${i}` } : {}),
    // In some documents no player has any.
    ...(i % 50 === 7 ? { metadata: { level: i, tags: ["a", "ä"] } } : {}),
  }));

describe.each([
  ["descending", "first"],
  ["descending", "last"],
  ["ascending", "first"],
  ["ascending", "last"],
] as const)("a closed season of a board that is %s, with ties %s", (order, ties) => {
  beforeEach(async () => {
    world = createWorld();
    await createBoard(world, leaderboard, { order, ties });
    const all = crowd();
    await openSeasonOf(world, key, all);
    season = await closeSeasonOf(world, key, { order, ties }, all, 25);
  });

  test("answers everything like a full sort, complete and after players were removed and readmitted", async () => {
    await expectFinal(order);
    const finals = season.finals();
    await season.takeOut([finals[0]?.id ?? "", finals[50]?.id ?? "", finals[77]?.id ?? ""]);
    world.advance(61_000);
    await expectFinal(order);
    // A whole document, and the first of the next.
    await season.takeOut(finals.slice(100, 126).map(({ id }) => id));
    world.advance(61_000);
    await expectFinal(order);
    await season.bringBack([finals[50]?.id ?? "", finals[110]?.id ?? ""]);
    world.advance(61_000);
    await expectFinal(order);
  });
});

describe("a closed season of a board with columns", () => {
  test("has them in its ranks and entries", async () => {
    world = createWorld();
    const columns = [
      { name: "points", min: 0, max: 9, order: "descending" as const },
      { name: "goals", min: 0, max: 9, order: "descending" as const },
    ];
    await createBoard(world, leaderboard, { columns });
    const all = [12, 12, 99, 7].map((score, i): Finalist => ({ id: `p${i}`, score, achievedMs: i }));
    await openSeasonOf(world, key, all);
    season = await closeSeasonOf(world, key, { order: "descending", ties: "first" }, all, 2);
    const { entries } = await ask.page({});
    expect(entries.map(({ player, rank, columns: values }) => [player, rank, values])).toEqual([
      ["p2", 1, { points: 9, goals: 9 }],
      ["p0", 2, { points: 1, goals: 2 }],
      ["p1", 2, { points: 1, goals: 2 }],
      ["p3", 4, { points: 0, goals: 7 }],
    ]);
    const asked = { leaderboard, columns: { points: 1, goals: 0 } };
    expect(await world.call("getRank", asked, anyone)).toMatchObject({ score: 10, rank: 4, exact: true });
  });
});

describe("a small closed season", () => {
  const all = Array.from({ length: 60 }, (_, i): Finalist => {
    return { id: `p${i}`, score: 100 - Math.floor(i / 4), achievedMs: i };
  });
  const ordering = { order: "descending", ties: "first" } as const;
  const close = async () => {
    season = await closeSeasonOf(world, key, ordering, all, 10);
  };
  const ids = ({ entries }: { entries: Entry[] }) => entries.map(({ player }) => player);
  beforeEach(async () => {
    world = createWorld();
    await createBoard(world, leaderboard);
    await openSeasonOf(world, key, all);
  });

  test("continues after a cursor from when it was open, even if that was at another place", async () => {
    const { next_cursor: cursor = "" } = await ask.page({ offset: 13, limit: 5 });
    await close();
    expect(ids(await ask.page({ cursor, limit: 3 }))).toEqual(["p18", "p19", "p20"]);
    await season.takeOut(["p2", "p3", "p17"]);
    world.advance(61_000);
    const { entries } = await ask.page({ cursor, limit: 3 });
    expect(entries.map(({ player, position }) => [player, position])).toEqual([
      ["p18", 16],
      ["p19", 17],
      ["p20", 18],
    ]);
  });

  test("keeps the order that it closed with, whatever the board's own order is now", async () => {
    const { next_cursor: cursor = "" } = await ask.page({ limit: 22 });
    await close();
    await world.db.doc(leaderboardPath(leaderboard)).update({ ties: "last" });
    world.services.boards.forget(leaderboard);
    expect(ids(await ask.around("p33", 2, 2))).toEqual(["p31", "p32", "p33", "p34", "p35"]);
    expect(ids(await ask.page({ cursor, limit: 3 }))).toEqual(["p22", "p23", "p24"]);
  });

  test("of nobody lists nobody", async () => {
    await world.db.recursiveDelete(world.db.collection("leaderboards"));
    world.services.boards.forget(leaderboard);
    await createBoard(world, leaderboard);
    await world.services.boards.open(presentOf(key));
    await world.publish(key);
    await closeSeasonOf(world, key, ordering, []);
    expect(await ask.page({})).toMatchObject({ entries: [], players: 0 });
    expect(await ask.rank({ score: 3 })).toMatchObject({ rank: 1, players: 0, exact: true });
    expect(await ask.around("p1").catch(String)).toContain("has no ranked score");
  });
});

describe("a document of 1,000 players with 1 KB of metadata each", () => {
  const text = "x".repeat(metadataBytesMax - '{"a":""}'.length);
  const all = Array.from({ length: 1_000 }, (_, i): Finalist => {
    return { id: `player-${String(i).padStart(28, "0")}`, score: i, achievedMs: i, metadata: { a: text } };
  });

  test("is below 1 MiB, and so is that of their metadata; both are written and listed whole", async () => {
    world = createWorld();
    await createBoard(world, leaderboard);
    await openSeasonOf(world, key, all);
    season = await closeSeasonOf(world, key, { order: "descending", ties: "first" }, all);
    const stored = await world.db.doc(standingsMetadataPath(key, 0)).get();
    const size = documentSize(standingsMetadataPath(key, 0), stored.data() ?? {});
    expect(size).toBeGreaterThan(1_000 * metadataBytesMax);
    expect(size).toBeLessThan(documentBytesMax);
    expect((await ask.page({ offset: 900, limit: 100 })).entries).toEqual(
      entriesOf(season.finals().slice(900)),
    );
  });
});
