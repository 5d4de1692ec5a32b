/** A closed season over REST: the same answers as the calls', and how long they may be kept. */
import { beforeEach, describe, expect, test } from "vitest";
import { closedFreshSeconds } from "../../../functions/src/model/limits.ts";
import type { Finalist } from "../../support/standings.ts";
import { closeNow, hidePlayers } from "../../support/closing.ts";
import { populateAndRank } from "../../support/crowd.ts";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import { allTime, createBoard } from "../../support/world.ts";

const leaderboard = "open";
const key = allTime(leaderboard);
const board = `/v1/leaderboards/${leaderboard}`;
const all = Array.from({ length: 30 }, (_, i): Finalist => {
  return { id: `p${i}`, score: 100 - Math.floor(i / 2), achievedMs: i, name: `Name ${i}` };
});

let world: RestWorld;
beforeEach(async () => {
  world = createRestWorld();
  await createBoard(world, leaderboard, { visibility: "public" });
  await populateAndRank(world, key, all);
  await closeNow(world, key);
});

const paths = [
  "scores?offset=12&limit=3",
  "ranks?score=95.5",
  "ranks?score=95.5&freshness=live",
  "scores/p12",
  "scores/p12?exact=true",
  "scores/p12/around?above=1&below=1",
  "players?players=p12&players=p3",
  "top",
];
const named = (path: string) => `${board}/${path}${path.includes("?") ? "&" : "?"}season=all_time`;
const control = async (path: string) => (await world.get(path)).headers.get("cache-control");

describe("a closed season of a public board", () => {
  test.each(paths)("may be kept for 55 minutes if it is named, for any request: %s", async (path) => {
    expect(await control(named(path))).toBe(`public, max-age=${closedFreshSeconds}`);
  });

  test("is revalidated if requested by span, which has ended or has another season by now", async () => {
    for (const path of ["top", "scores/p12", "ranks?score=95.5"])
      expect(await control(`${board}/${path}`)).toBe("public, no-cache");
  });

  test("is not kept if a caller claims a generation that does not exist", async () => {
    expect(await control(named("scores?limit=2&min_generation=7"))).toBe("public, no-cache");
  });

  test("no longer shows a removed player once kept answers are at most a minute old", async () => {
    for (const path of paths) await world.get(named(path));
    await hidePlayers(world, key, "p12");
    world.advance(61_000);
    for (const path of paths.filter((one) => !one.startsWith("scores/p12"))) {
      const response = await world.get(named(path));
      expect(await response.text()).not.toContain('"p12"');
      expect(response.headers.get("cache-control")).toBe(`public, max-age=${closedFreshSeconds}`);
    }
    const own = await world.get(named("scores/p12"));
    expect([own.status, own.headers.get("cache-control")]).toEqual([404, "no-store"]);
  });
});
