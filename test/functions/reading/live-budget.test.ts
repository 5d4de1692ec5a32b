/** docs/request-costs.md: however many ask for live ranks, an instance reads at most 1,000 documents a minute for them. */
import { expect, test } from "vitest";
import { liveReadsPerMinuteMax } from "../../../functions/src/model/limits.ts";
import { callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

async function quietLevels(count: number): Promise<string[]> {
  await createBoard(world, "level", { template: { ids: "any" }, visibility: "public" });
  const levels = Array.from({ length: count }, (_, i) => `level:${i}`);
  for (const leaderboard of levels) {
    await world.call("submitScore", { leaderboard, score: 5 }, user("ann"));
    await world.publish({ leaderboard, season: "all_time" });
  }
  return levels;
}

// docs/limits.md: while at most 82 shards are pending in all seasons that an instance is asked about.
test("a live rank is at most 5 seconds old, though 1,000 levels were asked for before that nobody has played", async () => {
  const [own = ""] = await quietLevels(1);
  const services = world.anotherInstance();
  const ask = (leaderboard: string) =>
    callOn(services, "getRank", { leaderboard, score: 5, freshness: "live" }, user("eve"));
  expect(await ask(own)).toMatchObject({ rank: 1, players: 1 });
  for (let i = 0; i < 1_000; i++) await ask(`level:made-up-${i}`);
  await world.call("submitScore", { leaderboard: own, score: 7 }, user("bob"));
  world.advance(10_000);
  expect(await ask(own)).toMatchObject({ rank: 2, players: 2 });
  world.advance(40_000);
  expect(await ask(own)).toMatchObject({ rank: 2, players: 2 });
});

test("of levels on which nothing is pending", async () => {
  const levels = await quietLevels(120);
  const services = world.anotherInstance();
  const ask = (freshness: "live" | "published") =>
    Promise.all(
      levels.map((leaderboard) =>
        callOn(services, "getRank", { leaderboard, score: 5, freshness }, user("eve")),
      ),
    );
  const minute = async (freshness: "live" | "published") => {
    let reads = 0;
    for (let second = 0; second < 60; second++) {
      reads += await world.reads(() => ask(freshness));
      world.advance(1_000);
    }
    return reads;
  };
  await minute("live");
  const live = await minute("live");
  // The boards, once a minute, and the pages, which are overdue.
  const others = await minute("published");
  expect(live - others).toBeLessThanOrEqual(liveReadsPerMinuteMax + 50);
});
