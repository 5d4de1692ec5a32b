/**
 * Nobody goes back a generation that an answer or a record has shown: what it costs, and what REST makes of it.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { createServices } from "../../../functions/src/operations/shared/services.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { type Member, populate, populateAndRank } from "../../support/crowd.ts";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import { callOn, admin, allTime, createBoard, eachWorld, user, type World } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const minute = 60_000;
const leaderboard = "board";
const key = allTime(leaderboard);
const size = 1_100;
const members = Array.from({ length: size }, (_, i): Member => {
  return { id: `p${i}`, score: size - i, achievedMs: i };
});

async function ask(
  services: Services,
  name: "getRank" | "getPage",
  question: object,
  min: number | undefined,
): Promise<number> {
  const request = { leaderboard, ...question, ...(min === undefined ? {} : { min_generation: min }) };
  return (await callOn(services, name, request, user("eve"))).generation;
}

const world = eachWorld();

/** Publishes another player at the top, as another instance would. */
async function publishNewBest(of: World = world): Promise<void> {
  await populate(of, key, [{ id: "best", score: 1_000_000, achievedMs: 0 }]);
  await publishRanking(of.anotherInstance(), key, { includeOpenSlot: true });
}

test("after the interval is shortened, instances with a page in memory show what is published then", async () => {
  const daily = { ranking_interval_minutes: 24 * 60 };
  await createBoard(world, leaderboard, daily);
  await populateAndRank(world, key, members);
  const instance = world.anotherInstance();
  const rank = () => ask(instance, "getRank", { score: 150 }, undefined);
  expect(await rank()).toBe(1);

  const definition = { ranking_interval_minutes: 5 };
  await world.call("saveLeaderboard", { leaderboard, definition }, admin);
  world.advance(minute);
  expect(await world.reads(rank)).toBe(2); // the board; the page is not due yet
  world.advance(5 * minute);
  await publishNewBest();
  expect(await rank()).toBe(2);
  await boardCacheOf(world.services).load(key);
  // From then on it costs what it cost before: the board once a minute, the page once a generation.
  expect(await world.reads(rank)).toBe(0);
  world.advance(minute);
  expect(await world.reads(rank)).toBe(2);
});

describe("with a page of generation 1 in memory", () => {
  const waits: number[] = [];
  let nowMs: number;
  let services: Services;
  const rank = (min?: number, score = 150) => ask(services, "getRank", { score }, min);

  beforeEach(async () => {
    await createBoard(world, leaderboard);
    await populateAndRank(world, key, members);
    waits.length = 0;
    nowMs = world.services.now();
    services = createServices({
      ...world.services,
      now: () => nowMs,
      sleep: (ms) => {
        waits.push(ms);
        nowMs += ms;
        return Promise.resolve();
      },
    });
    await rank();
  });

  test("the next generation costs 1 read, for all who have seen it, and then nothing", async () => {
    await publishNewBest();
    const crowd = () => Promise.all(Array.from({ length: 80 }, () => rank(2)));
    expect(await world.reads(crowd)).toBe(1);
    expect(new Set(await crowd())).toEqual(new Set([2]));
    expect(await world.reads(crowd)).toBe(0);
    expect(waits).toEqual([]);
  });

  test("requested by a score of another page, it costs the 1 read of that page", async () => {
    await rank(undefined, 1);
    await publishNewBest();
    expect(await world.reads(() => rank(2, 1))).toBe(1);
    expect(await world.reads(() => rank(2, 500))).toBe(1); // the page of generation 1 is no longer an answer
  });

  test("one that is not published is answered with the published one, and looking for it costs 1 read a second", async () => {
    const crowd = () => Promise.all(Array.from({ length: 80 }, () => rank(2)));
    // One look at once, and a second later one for those who asked after it began.
    expect(await world.reads(crowd)).toBeLessThanOrEqual(2);
    expect(waits.length).toBeGreaterThan(0);
    expect(new Set(await crowd())).toEqual(new Set([1]));
  });

  test("one that cannot have been published costs neither a read nor a wait", async () => {
    for (const made of [1e9, Number.MAX_SAFE_INTEGER, 1e5]) {
      expect(await world.reads(() => rank(made))).toBe(0);
      expect(await rank(made)).toBe(1);
    }
    expect(waits).toEqual([]);
  });

  test("beyond the end of the list, impossible ones cost nothing, and one that may be published 1 read a second", async () => {
    const beyond = (min: number) => ask(services, "getPage", { offset: 1e9 }, min);
    const crowd = (min: number) => () => Promise.all(Array.from({ length: 100 }, () => beyond(min)));
    expect(await world.reads(crowd(Number.MAX_SAFE_INTEGER))).toBe(0);
    expect(waits).toEqual([]);
    // One look at once, and a second later one for those who asked after it began.
    expect(await world.reads(crowd(2))).toBeLessThanOrEqual(2);
    expect(waits.length).toBeGreaterThan(0);
    await publishNewBest();
    expect(await world.reads(() => beyond(2))).toBe(1);
    expect(await beyond(2)).toBe(2);
  });
});

describe.each([[["all_time", "weekly"]], [["weekly", "all_time"]]] as const)(
  "a submission to %j",
  (spans) => {
    const weekly = { leaderboard, season: "weekly-2099-W53" };
    const waits: number[] = [];
    let services: Services;

    /** Submits a score that changes nothing; what is answered and read, and how often the answer waited. */
    async function submit(request: object = {}) {
      waits.length = 0;
      const { result, bill } = await world.meter.measure(() =>
        callOn(services, "submitScore", { leaderboard, score: 10, ...request }, user("ann")),
      );
      const ranks = result.seasons.map(({ season, rank }) => [season, rank?.generation]);
      return { generations: Object.fromEntries(ranks) as object, reads: bill.reads, waits: waits.length };
    }

    async function publish(season: SeasonKey, player: string): Promise<void> {
      await world.call("submitScore", { leaderboard, score: 20 }, user(player));
      await world.deliver(season, player);
      await publishRanking(world.anotherInstance(), season, { includeOpenSlot: true });
    }

    // The players' documents, one for each season.
    const ofTheScore = 2;

    beforeEach(async () => {
      await createBoard(world, leaderboard, { spans: [...spans], ranking_interval_minutes: 60 });
      services = createServices({
        ...world.services,
        sleep: (ms) => {
          waits.push(ms);
          world.advance(ms);
          return Promise.resolve();
        },
      });
      await publish(key, "bob");
      await publish(weekly, "bob");
      await submit();
      await publish(weekly, "cyd");
      await publish(weekly, "dan");
    });

    test("has the generation seen of each season, and looks for no other", async () => {
      const seen = { all_time: 1, [weekly.season]: 3 };
      expect((await submit()).generations).toEqual({ all_time: 1, [weekly.season]: 1 });
      expect(await submit({ min_generations: seen })).toEqual({
        generations: seen,
        reads: ofTheScore + 1,
        waits: 0,
      });
      for (let i = 0; i < 3; i++)
        expect(await submit({ min_generations: { [weekly.season]: 3 } })).toEqual({
          generations: seen,
          reads: ofTheScore,
          waits: 0,
        });
    });

    test("takes a generation without a season for one of the first span", async () => {
      await publish(key, "eve");
      const [first] = spans;
      expect((await submit({ min_generation: 2 })).generations).toEqual(
        first === "all_time" ? { all_time: 2, [weekly.season]: 1 } : { all_time: 1, [weekly.season]: 3 },
      );
    });
  },
);

describe("over REST", () => {
  let rest: RestWorld;
  const open = "/v1/leaderboards/board";
  const get = async (path: string) => {
    const response = await rest.get(`${open}/${path}`);
    const { generation } = (await response.json()) as { generation: number };
    return [generation, response.headers.get("cache-control")];
  };

  beforeEach(async () => {
    rest = createRestWorld();
    await createBoard(rest, leaderboard, { visibility: "public" });
    await populateAndRank(rest, key, members);
    rest.advance(60_000);
    await get("ranks?score=150");
  });

  test("an answer from an older ranking than asked for is not kept, as the asked one may come at any time", async () => {
    expect(await get("ranks?score=150&min_generation=1")).toEqual([1, "public, max-age=240"]);
    expect(await get("ranks?score=150&min_generation=2")).toEqual([1, "public, no-cache"]);
    expect(await get("top?min_generation=2")).toEqual([1, "public, no-cache"]);
    await publishNewBest(rest);
    const [generation, control] = await get("ranks?score=150&min_generation=2");
    expect(generation).toBe(2);
    expect(control).toMatch(/^public, max-age=/);
  });
});

test.each([
  ["all players", {}, {}],
  ["a segment", { segment: { country: "AT" } }, { segments: { country: "AT" } }],
])(
  "who has seen a generation in which %s are fewer than the offset gets no older list",
  async (_, of, said) => {
    const segments = [{ name: "country", from: "server" as const }];
    await createBoard(world, leaderboard, { segments });
    const submissions = Array.from({ length: 9 }, (_, i) => ({ player: `p${i}`, score: i, ...said }));
    await world.call("submitScores", { leaderboard, submissions }, admin);
    await world.submit("other", 1, { segments: {} });
    await world.publish(key);
    const remembers = world.anotherInstance();
    const list = (offset: number, min?: number) => ask(remembers, "getPage", { ...of, offset }, min);
    const leave = async (from: number, until: number) => {
      for (let i = from; i < until; i++)
        await world.call("removePlayer", { leaderboard, player: `p${i}` }, admin);
      await world.publish(key);
    };
    expect(await list(7)).toBe(1);
    await leave(0, 6);
    expect(await list(7, 2)).toBe(2);
    await leave(6, 9);
    expect(await list(7, 3)).toBe(3);
  },
);
