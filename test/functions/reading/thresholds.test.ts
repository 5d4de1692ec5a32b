/** `getThreshold`, `getHistogram` and `getPage` from a score on, beside a plain sort of the players. */
import { describe, expect, test } from "vitest";
import { isBetter, type Order } from "../../../functions/src/model/score.ts";
import { mergeRows } from "../../../functions/src/ranking/merge.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { closeNow } from "../../support/closing.ts";
import { populate, populateAndRank, publishRows } from "../../support/crowd.ts";
import { rowsOfScores } from "../../support/pages.ts";
import { admin, allTime, callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const anyone = user("eve");
const asked = { leaderboard: "board" };

const threshold = (of: object) => world.call("getThreshold", { ...asked, ...of }, anyone);
const histogram = (of: object = {}) => world.call("getHistogram", { ...asked, ...of }, anyone);
const page = (of: object) => world.call("getPage", { ...asked, ...of }, anyone);
const membersOf = (scores: readonly number[]) =>
  scores.map((score, i) => ({ id: `p${i}`, score, achievedMs: 1_000 + i }));

/** Scores with ties, best first. */
const sorted = (order: Order, scores: readonly number[]) =>
  scores.toSorted((a, b) => (isBetter(order, a, b) ? -1 : 1));

const scores = [90, 90, 80, 75, 75, 75, 60, 41, 41, 7];
const tiers = [
  { name: "gold", top_percent: 10 },
  { name: "silver", top_percent: 50 },
  { name: "rest", top_percent: 100 },
];

describe.each(["descending", "ascending"] as const)("on a %s board", (order) => {
  const best = sorted(order, scores);

  describe.each(["open", "closed"] as const)("that is %s", (state) => {
    async function play() {
      await createBoard(world, "board", { order, decimals: 0, tiers });
      await populateAndRank(world, key, membersOf(scores));
      if (state === "closed") await closeNow(world, key);
      return { season: key.season };
    }

    test("the score for a rank is the worst with which one has it", async () => {
      const of = await play();
      for (let rank = 1; rank <= scores.length; rank++) {
        const found = await threshold({ ...of, rank });
        expect(found).toMatchObject({ rank, score: best[rank - 1], exact: true, players: scores.length });
        expect(found.score_worst).toBeUndefined();
      }
      for (const rank of [11, 1_000])
        expect(await threshold({ ...of, rank })).toMatchObject({ rank, score: null, exact: true });
    });

    test("so it is for a percentile and a tier, by what getRank says of each score", async () => {
      const of = await play();
      for (const percentile of [100, 89, 50, 12.5]) {
        const { score } = await threshold({ ...of, percentile });
        const rank = await world.call("getRank", { ...asked, ...of, score: score ?? NaN }, anyone);
        expect(rank.percentile).toBeGreaterThanOrEqual(percentile);
        const worse = best.find((other) => isBetter(order, score ?? NaN, other)) ?? NaN;
        const next = await world.call("getRank", { ...asked, ...of, score: worse }, anyone);
        expect(next.percentile).toBeLessThan(percentile);
      }
      expect(await threshold({ ...of, tier: "gold" })).toMatchObject({ rank: 1, score: best[0] });
      expect(await threshold({ ...of, tier: "silver" })).toMatchObject({ rank: 5, score: best[4] });
      expect(await threshold({ ...of, tier: "rest" })).toMatchObject({ rank: 11, score: null });
    });

    test("a histogram counts each player once, in the bin of the score", async () => {
      const of = await play();
      for (const bins of [2, 3, 7, 50]) {
        const found = await histogram({ ...of, bins });
        expect(found).toMatchObject({ exact: true, better: 0, worse: 0, players: 10 });
        for (const [i, { from, to, players }] of found.bins.entries()) {
          const isLast = i === found.bins.length - 1;
          const inside = scores.filter(
            (score) =>
              !isBetter(order, score, from) && (isBetter(order, score, to) || (isLast && score === to)),
          );
          expect(players, `from ${from} to ${to}`).toBe(inside.length);
        }
        expect(found.bins.reduce((sum, { players }) => sum + players, 0)).toBe(10);
      }
    });

    test("a histogram between two scores says how many are beyond", async () => {
      const of = await play();
      const [from, to] = order === "descending" ? [80, 41] : [41, 80];
      const found = await histogram({ ...of, best: from, worst: to, bins: 5 });
      expect([found.bins[0]?.from, found.bins.at(-1)?.to]).toEqual(
        order === "descending" ? [80, 40] : [40, 80],
      );
      expect([found.better, found.worse]).toEqual(order === "descending" ? [2, 1] : [1, 2]);
      expect(found.bins.map(({ players }) => players).reduce((a, b) => a + b)).toBe(7);
      // The other way round there would be one bin, of a single score.
      await expect(histogram({ ...of, best: to, worst: from })).rejects.toMatchObject({
        code: "invalid_request",
        message: `worst: must not be better than best: here the ${order === "descending" ? "highest" : "lowest"} is best`,
      });
    });

    test("a page begins with the best player who has the score or a worse one", async () => {
      const of = await play();
      for (const score of [100, 90, 76, 75, 41, 40, 7, 0, -5]) {
        const { entries, next_cursor: next } = await page({ ...of, score, limit: 3 });
        const rest = best.filter((other) => !isBetter(order, other, score));
        expect(entries.map((entry) => entry.score)).toEqual(rest.slice(0, 3));
        if (rest.length > 0) expect(entries[0]?.position).toBe(1 + best.length - rest.length);
        if (next === undefined) continue;
        const more = await page({ ...of, cursor: next, limit: 3 });
        expect(more.entries.map((entry) => entry.score)).toEqual(rest.slice(3, 6));
      }
    });
  });

  test("in merged rows the score is enough, and no better one than needed by more than the row", async () => {
    const many = Array.from({ length: 60 }, (_, i) => i * 3);
    await createBoard(world, "board", { order });
    await populate(world, key, membersOf(many));
    await publishRows(world, key, order, mergeRows(rowsOfScores(order, many), 12), rowsOfScores(order, []));
    const all = sorted(order, many);
    let merged = 0;
    for (let rank = 1; rank <= 60; rank++) {
      const { score, exact, score_worst: worst } = await threshold({ rank });
      const needed = all[rank - 1] ?? NaN;
      const isBetterOrSame = (a: number, b: number) => !isBetter(order, b, a);
      expect(isBetterOrSame(score ?? NaN, needed)).toBe(true);
      if (exact) expect(score).toBe(needed);
      else expect(isBetterOrSame(needed, worst ?? NaN)).toBe(true);
      merged += exact ? 0 : 1;
    }
    expect(merged).toBeGreaterThan(20);
    const { exact, bins } = await histogram({ bins: 7 });
    expect(exact).toBe(false);
    expect(bins.reduce((sum, { players }) => sum + players, 0)).toBe(60);
  });
});

describe("where another instance has just published fewer players", () => {
  const banned = (services: Services, player: string) =>
    callOn(services, "setPlayerStatus", { ...asked, player, status: "banned" }, admin);
  const best = (count: number) => Array.from({ length: count }, (_, i) => count - i);
  /** What an instance answers of the last player, whose pages in memory are of before. */
  async function answersOf(services: Services, rank: number, of: object = {}) {
    const about = { ...asked, ...of };
    return {
      threshold: await callOn(services, "getThreshold", { ...about, rank }, anyone),
      histogram: await callOn(services, "getHistogram", { ...about, bins: 2 }, anyone),
      page: await callOn(services, "getPage", { ...about, offset: rank - 1, limit: 5 }, anyone),
    };
  }

  test("an instance that remembers some pages answers of one ranking", async () => {
    const count = 2_500;
    await createBoard(world, "board", { decimals: 0, ranking_interval_minutes: 60 });
    await populateAndRank(world, key, membersOf(best(count)));
    const [here, there] = [world.anotherInstance(), world.anotherInstance()];
    await callOn(here, "getThreshold", { ...asked, rank: 1 }, anyone);
    for (const last of [1, 2]) await banned(there, `p${count - last}`);
    await publishRanking(there, key, { includeOpenSlot: true });
    const { threshold: needed, histogram: counted, page: listed } = await answersOf(here, count);
    expect(needed).toMatchObject({ score: null, exact: true, players: count - 2, generation: 2 });
    expect(counted).toMatchObject({ players: count - 2, exact: true });
    expect(counted.bins.reduce((sum, { players }) => sum + players, 0)).toBe(count - 2);
    expect(listed).toMatchObject({ entries: [], players: count - 2, generation: 2 });
  });

  test.each(["first", "last"])(
    "so does one that remembers a closed season from before its %s was banned",
    async (which) => {
      await createBoard(world, "board", { decimals: 0 });
      await populateAndRank(world, key, membersOf(best(10)));
      await closeNow(world, key);
      const of = { season: key.season };
      const [here, there] = [world.anotherInstance(), world.anotherInstance()];
      await callOn(here, "getRank", { ...asked, ...of, score: 5 }, anyone);
      await banned(there, which === "first" ? "p0" : "p9");
      const left = which === "first" ? best(9) : best(10).slice(0, 9);
      for (const rank of [1, 9, 10]) {
        const { threshold: needed, histogram: counted } = await answersOf(here, rank, of);
        expect(needed).toMatchObject({ score: left[rank - 1] ?? null, exact: true, players: 9 });
        const { bins, better, worse, players } = counted;
        expect(bins.reduce((sum, bin) => sum + bin.players, better + worse)).toBe(players);
        expect(players).toBeGreaterThan(0);
      }
    },
  );
});

test("before the first publication every score is enough, and there are no bins", async () => {
  await createBoard(world, "board", { tiers });
  await world.call("submitScore", { ...asked, score: 5 }, user("ann"));
  expect(await threshold({ rank: 3 })).toMatchObject({ score: null, players: 0, generation: 0 });
  expect(await threshold({ tier: "gold" })).toMatchObject({ score: null, players: 0 });
  expect(await histogram()).toMatchObject({ bins: [], players: 0, generation: 0 });
  expect((await page({ score: 9 })).entries).toEqual([]);
});

test("on a board with columns a threshold has the columns, a histogram is of the first one, a page begins at columns", async () => {
  const columns = [
    { name: "points", min: 0, max: 9 },
    { name: "goals", min: -9, max: 9 },
  ];
  await createBoard(world, "board", { columns });
  const teams = { ann: [9, 1], bob: [9, -3], cyd: [4, 0], dan: [0, 9] } as const;
  for (const [player, [points, goals]] of Object.entries(teams))
    await world.call("submitScore", { ...asked, columns: { points, goals } }, user(player));
  world.advance(20_000);
  await publishRanking(world.services, key);
  expect(await threshold({ rank: 2 })).toMatchObject({ columns: { points: 9, goals: -3 }, exact: true });
  const found = await histogram({ bins: 3 });
  expect(found).toMatchObject({
    column: "points",
    bins: [
      { from: 10, to: 5, players: 2 },
      { from: 5, to: 0, players: 2 },
    ],
    exact: true,
  });
  const { entries } = await page({ columns: { points: 9, goals: 0 } });
  expect(entries.map(({ player }) => player)).toEqual(["bob", "cyd", "dan"]);
  await expect(page({ score: 3 })).resolves.toBeDefined();
});

test("in a segment they are about its players", async () => {
  const segments = [{ name: "country", from: "submission" as const, values: ["AT", "DE"] }];
  await createBoard(world, "board", { segments });
  const players = { ann: [9, "AT"], bob: [8, "DE"], cyd: [7, "AT"], dan: [6, "AT"] } as const;
  for (const [player, [score, country]] of Object.entries(players))
    await world.call("submitScore", { ...asked, score, segments: { country } }, user(player));
  world.advance(20_000);
  await publishRanking(world.services, key);
  const segment = { country: "AT" };
  expect(await threshold({ rank: 2, segment })).toMatchObject({ score: 7, players: 3, segment });
  expect((await histogram({ bins: 2, segment })).bins.map((bin) => bin.players)).toEqual([1, 2]);
  expect((await page({ score: 8, segment })).entries.map(({ player }) => player)).toEqual(["cyd", "dan"]);
});

test.each([
  [{}, "give one of rank, percentile or tier"],
  [{ rank: 1, tier: "gold" }, "give one of rank, percentile or tier"],
  [{ tier: "bronze" }, 'must be one of "gold", "silver", "rest"'],
  [{ rank: 0 }, "must be at least 1"],
  [{ percentile: 101 }, "must be at most 100"],
])("getThreshold refuses %j", async (of, message) => {
  await createBoard(world, "board", { tiers });
  await expect(threshold(of)).rejects.toMatchObject({ code: "invalid_request" });
  await expect(threshold(of)).rejects.toThrow(message);
});

test("a page begins at one place", async () => {
  await createBoard(world, "board");
  await expect(page({ score: 1, offset: 0 })).rejects.toThrow(
    "give one of offset, score, columns and cursor",
  );
  await expect(page({ columns: { points: 1 } })).rejects.toThrow("has no columns");
});

test("a threshold costs a page, a histogram a page an edge at most, and nothing while they are in memory", async () => {
  await createBoard(world, "board", { decimals: 0 });
  await populateAndRank(world, key, membersOf(Array.from({ length: 3_000 }, (_, i) => i)));
  const instance = await world.coldInstance(key);
  const of = (name: "getThreshold" | "getHistogram", more: object) => () =>
    callOn(instance, name, { ...asked, ...more }, anyone);
  const first = await world.reads(of("getThreshold", { rank: 1_500 }));
  expect(first).toBeLessThanOrEqual(3);
  expect(await world.reads(of("getThreshold", { rank: 1_501 }))).toBe(0);
  expect(await world.reads(of("getHistogram", { bins: 50 }))).toBeLessThanOrEqual(12);
  expect(await world.reads(of("getHistogram", { bins: 50 }))).toBe(0);
});

test("everybody may ask on a public board, and nobody else than users on another", async () => {
  await createBoard(world, "board", { visibility: "signed_in" });
  for (const [name, of] of [
    ["getThreshold", { rank: 1 }],
    ["getHistogram", {}],
  ] as const)
    await expect(world.call(name, { ...asked, ...of }, undefined)).rejects.toMatchObject({
      code: "unauthenticated",
    });
  await world.call("saveLeaderboard", { ...asked, definition: { visibility: "public" } }, admin);
});

describe.each(["open", "closed"] as const)("a histogram of a season that is %s", (state) => {
  test.each(["descending", "ascending"] as const)(
    "counts all, %s, where round edges lie beyond all scores that there can be",
    async (order) => {
      const most = Number.MAX_SAFE_INTEGER;
      await createBoard(world, "board", { order });
      await populateAndRank(world, key, membersOf([most, most - 1, 0, -most]));
      if (state === "closed") await closeNow(world, key);
      for (const bins of [2, 3, 20]) {
        const found = await histogram({ season: key.season, bins });
        expect(found).toMatchObject({ exact: true, better: 0, worse: 0, players: 4 });
        expect(found.bins.reduce((sum, { players }) => sum + players, 0)).toBe(4);
      }
      const [best, worst] = order === "descending" ? [most, -most] : [-most, most];
      expect(await histogram({ season: key.season, best, worst })).toMatchObject({ players: 4, better: 0 });
    },
  );
});

test("a histogram is of values that there can be: scores, or whole values of the first column", async () => {
  await createBoard(world, "board", { columns: [{ name: "goals", min: 0, max: 9 }] });
  await createBoard(world, "other");
  for (const name of ["best", "worst"]) {
    const ofColumn = world.call("getHistogram", { leaderboard: "board", [name]: 0.5 }, anyone);
    await expect(ofColumn).rejects.toMatchObject({ code: "invalid_request" });
    const tooLarge = world.call("getHistogram", { leaderboard: "other", [name]: 1e300 }, anyone);
    await expect(tooLarge).rejects.toMatchObject({ code: "invalid_request" });
  }
});
