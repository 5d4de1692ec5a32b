/** Many concurrent requests are billed as one: an instance serves 80 requests at a time. */
import { beforeEach, describe, expect, test } from "vitest";
import type { FirerankError } from "../../../functions/src/model/errors.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { type Member, populateAndRank } from "../../support/crowd.ts";
import { callOn, allTime, createBoard, user, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import { topGatesOf } from "../../../functions/src/top/gate-memory.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const crowdSize = 80;
const definitionAndSeason = 2;

const world = eachWorld();
let cold: Services;
beforeEach(async () => {
  await createBoard(world, leaderboard, { ranking_interval_minutes: 5 });
  cold = world.anotherInstance();
});

const singles = (size: number) =>
  Array.from({ length: size }, (_, i): Member => ({ id: `p${i}`, score: size - i, achievedMs: i }));
const rankOf = (services: Services, score: number) =>
  callOn(services, "getRank", { leaderboard, score, freshness: "published", exact: false }, user("eve"));
const crowd = <Answer>(ask: (i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: crowdSize }, (_, i) => ask(i)));

describe("80 requests at once on a cold instance", () => {
  test("for ranks of different scores of one page read definition, season and page once", async () => {
    await populateAndRank(world, key, singles(200));
    const { result: ranks, bill } = await world.meter.measure(() => crowd((i) => rankOf(cold, i + 1)));
    expect(bill.reads).toBe(definitionAndSeason + 1);
    expect(ranks.map(({ rank }) => rank)).toEqual(ranks.map((_, i) => 200 - i));
  });

  test("for the top read it once", async () => {
    await populateAndRank(world, key, singles(20));
    const tops = () => crowd(() => callOn(cold, "getTop", { leaderboard }, user("eve")));
    expect(await world.reads(tops)).toBe(definitionAndSeason + 1);
    expect(await world.reads(tops)).toBe(1);
  });

  test("before the first publication read once, and all say that nobody is ranked", async () => {
    const refused = (i: number) => rankOf(cold, i).catch((error: unknown) => error as FirerankError);
    const { result: answers, bill } = await world.meter.measure(() => crowd(refused));
    expect(bill.reads).toBe(definitionAndSeason + 1);
    for (const error of answers) expect(error).toMatchObject({ code: "player_not_ranked" });
  });

  test("for a gate read it once", async () => {
    await populateAndRank(world, key, singles(20));
    expect(await world.reads(() => crowd(() => topGatesOf(cold).gateOf(key)))).toBe(1);
  });
});

test("a missing board costs one read for all, and is found as soon as it exists", async () => {
  const missing = { leaderboard: "other", season: "all_time" };
  const outcomes = async () => {
    const { result, bill } = await world.meter.measure(() =>
      Promise.allSettled(Array.from({ length: crowdSize }, () => boardCacheOf(cold).load(missing))),
    );
    return {
      errors: new Set(result.map((one) => (one.status === "rejected" ? (one.reason as Error) : undefined))),
      bill,
    };
  };
  const { errors, bill } = await outcomes();
  expect([...errors]).toEqual([expect.objectContaining({ code: "leaderboard_not_found" })]);
  expect(bill.reads).toBe(definitionAndSeason);
  await createBoard(world, "other");
  expect((await boardCacheOf(cold).load(missing)).key).toEqual(missing);
});
