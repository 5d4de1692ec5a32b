/** `firerank rank --midnight`: movement on the emulators, some minutes after a board was made. */
import { expect, test } from "vitest";
import { bringMidnight } from "../../../cli/midnight.ts";
import { nextMidnight } from "../../../functions/src/model/midnights.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const leaderboard = "board";
const minute = 60_000;

async function run(): Promise<void> {
  world.advance(20_000);
  await publishRanking(world.services, allTime(leaderboard));
}

test.each([0, 6, 11.9, 12, 18.4])(
  "%d hours later: from the midnight on that the command brings a rank moves, also of who has played before",
  async (hours) => {
    await createBoard(world, leaderboard, {});
    world.advance(hours * 60 * minute);
    await world.submit("ann", 10);
    await world.submit("bob", 20);
    await run();
    const midnight = (await bringMidnight(world.services, leaderboard)).getTime();
    const away = midnight - world.services.now();
    const { endWaitMs } = world.services;
    expect(away).toBeGreaterThan(endWaitMs);
    expect(away).toBeLessThanOrEqual(endWaitMs + 2 * minute);
    await world.submit("cid", 5);
    await run();
    world.advance(midnight - world.services.now() + 1_000);
    await world.submit("ann", 30);
    await run();
    const { moved, moved_why: why } = await world.call("getRank", { leaderboard, since: "day" }, user("ann"));
    expect(why).toBeUndefined();
    expect(moved).toMatchObject({ from_rank: 2, places: 1, since: new Date(midnight).toISOString() });
  },
);

test("midnight is that of the board's new time zone", async () => {
  await createBoard(world, leaderboard, {});
  const midnight = await bringMidnight(world.services, leaderboard);
  const { time_zone: zone } = (await world.db.doc(`leaderboards/${leaderboard}`).get()).data() ?? {};
  const calendar = { time_zone: String(zone), week_starts_on: "monday" as const };
  expect(nextMidnight(world.services.now(), calendar)).toBe(midnight.getTime());
});
