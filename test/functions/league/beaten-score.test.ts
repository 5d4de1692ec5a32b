/** A score that another instance's has beaten while it was committed: the group shows what is stored. */
import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test, vi } from "vitest";
import { failure, watchCommits } from "../../support/commits.ts";
import { createLeague, groupOf, play, presentWeek } from "../../support/league.ts";
import { callOn, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

test("a group shows no score of an attempt that was never committed", async () => {
  await createLeague(world, {}, { aggregation: "best" });
  const week = await presentWeek(world);
  await play(world, { ann: 10 });
  world.advance(10_000);
  const submit = (services: typeof world.services, score: number) =>
    callOn(services, "submitScore", { leaderboard: "board", score }, user("ann"));
  const isBetter = new AsyncLocalStorage<true>();
  let better: Promise<void> | undefined;
  watchCommits(world, (_, perform) => {
    if (better !== undefined) return perform();
    better = isBetter.run(true, async () => {
      await submit(world.anotherInstance(), 120);
      world.advance(10_000);
    });
    return Promise.reject(failure("aborted"));
  });
  // The one that was beaten begins again once the better one is stored.
  const run = world.db.runTransaction.bind(world.db);
  vi.spyOn(world.db, "runTransaction").mockImplementation((work, options) =>
    run(async (transaction) => {
      if (isBetter.getStore() === undefined) await better;
      return work(transaction);
    }, options),
  );
  await submit(world.services, 100);
  expect((await groupOf(world, week, "bronze-1")).seats["s1"]?.score).toBe(120);
});
