/**
 * costs.md: "a seat in a league, once a player and week: 2 reads, 1 write". A task comes every two seconds while first scores
 * come, and seats all who wait: where there are more than it seats in two seconds, as after a week is settled, tasks overlap,
 * all read the same first hundred, and one of them gets through.
 */
import { expect, test } from "vitest";
import { seatWaiting } from "../../../functions/src/league/seat-waiting.ts";
import { createLeague, presentWeek } from "../../support/league.ts";
import { admin, eachWorld } from "../../support/world.ts";

const world = eachWorld();

test.each([1, 4])(
  "three hundred seats cost 2 reads each, and little more, by %d tasks that overlap",
  async (tasks) => {
    await createLeague(world, { size: 30 });
    const week = await presentWeek(world);
    const submissions = Array.from({ length: 300 }, (_, i) => ({ player: `p${i}`, score: 1 }));
    await world.call("submitScores", { leaderboard: "board", submissions }, admin);
    const { reads } = await world.bill(() =>
      Promise.allSettled(Array.from({ length: tasks }, () => seatWaiting(world.services, week))),
    );
    expect(reads).toBeLessThan(2.5 * 300);
  },
  60_000,
);
