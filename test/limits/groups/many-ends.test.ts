/** More than a thousand groups that end, or should. On an emulator, which takes one commit at a time, they take a minute. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { privateGroupsPath } from "../../../functions/src/documents/paths.ts";
import { enqueueGroupEnds } from "../../../functions/src/groups/end.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { closed, endSeason, seasonOf } from "../../support/closing.ts";
import { watchCommits } from "../../support/commits.ts";
import {
  copyGroup,
  createGroup,
  eachBoardWithGroups,
  endlessGroups,
  hourMs,
  leaderboard,
  minuteMs,
  playInGroups,
  storedGroupOf,
} from "../../support/groups.ts";
import { admin } from "../../support/world.ts";

const { world, save, inMs, look } = eachBoardWithGroups();
const into = privateGroupsPath(leaderboard);

const unsettled = async () => (await world.db.collection(into).where("unsettled", "==", true).get()).size;

test("1,200 groups that end at the same time have all ended ten minutes after their last scores", async () => {
  const { group } = await createGroup(world, ["ann"], { ends_at: inMs(hourMs) });
  await copyGroup(world, group, { into, count: 1_200 });
  world.advance(hourMs + 6 * minuteMs + 1);
  await look();
  expect(await unsettled()).toBe(0);
});

test.each(endlessGroups)("a group ends by itself beside a thousand $kind", async ({ at, damage }) => {
  const { group } = await createGroup(world, ["ann"], { ends_at: inMs(hourMs) });
  const due = Timestamp.fromMillis(world.services.now());
  await copyGroup(world, group, { into: at, count: 1_000, more: { end_due_at: due, ...damage } });
  world.advance(2 * hourMs);
  await look();
  expect((await storedGroupOf(world, group)).settled_at).toBeDefined();
});

test("a look that takes too long is continued by the next one", async () => {
  const { group } = await createGroup(world, ["ann"], { ends_at: inMs(minuteMs) });
  await copyGroup(world, group, { into, count: 1_100 });
  world.advance(hourMs);
  const requested = new Set<string>();
  const slow: Services = {
    ...world.services,
    enqueueTopRefresh: ({ group: id = "" }) => {
      requested.add(id);
      world.advance(1_000);
      return Promise.resolve();
    },
  };
  const counts: number[] = [];
  for (let i = 0; i < 4; i++) counts.push(await enqueueGroupEnds(slow));
  expect(counts).toEqual([500, 500, 101, 500]);
  expect(requested.size).toBe(1_101);
});

test("thousands of groups of a tournament do not put off its final table, and end before it is cleared", async () => {
  await save({ spans: [] });
  const cup = { leaderboard, season: "cup" };
  await world.call("openSeason", { ...cup, closes_at: inMs(2 * hourMs) }, admin);
  const { group } = await createGroup(world, ["ann"], { season: "cup" });
  await playInGroups(world, { ann: 5 }, { season: "cup" });
  await copyGroup(world, group, { into, count: 800 });
  // A transaction over a group takes a fifth of a second.
  watchCommits(world, (writes, perform) => {
    if (writes.some(({ path }) => path.includes("private_groups"))) world.advance(200);
    return perform();
  });
  await endSeason(world, cup, { until: closed });
  const { closes_at: closes, closed_at: at } = await seasonOf(world, cup);
  const minutes = ((at?.toMillis() ?? Infinity) - (closes?.toMillis() ?? 0)) / minuteMs;
  expect(minutes).toBeLessThan(8);
  await endSeason(world, cup, { until: ({ cleared_at: cleared }) => cleared !== null });
  expect(await unsettled()).toBe(0);
});
