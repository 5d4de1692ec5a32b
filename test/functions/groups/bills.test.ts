/** What grows without bound. */
import { expect, test } from "vitest";
import { followInPrivateGroups } from "../../../functions/src/groups/follow-private.ts";
import { refreshWhenDue } from "../../../functions/src/groups/refresh.ts";
import {
  createBoardWithGroups,
  createGroup,
  eachBoardWithGroups,
  getGroup,
  leaderboard,
  playInGroups,
  storedGroupOf,
} from "../../support/groups.ts";
import { doRefreshes } from "../../support/league.ts";
import { user } from "../../support/world.ts";

const { world, key } = eachBoardWithGroups();

/** Challenges of a player, one after the other, all ended. */
async function endedChallenges(player: string, count: number) {
  for (let i = 0; i < count; i++) {
    const ends_at = new Date(world.services.now() + 60_000).toISOString();
    const { group } = await createGroup(world, [player], { name: `Challenge ${i}`, ends_at });
    world.advance(3_600_000);
    expect((await getGroup(world, group, player)).state).toBe("ended");
  }
}

test("a score costs no more for a challenge that has ended", async () => {
  await playInGroups(world, { ann: 1 });
  const readsOf = async (score: number) => {
    world.advance(60_000);
    await world.submit("zoe", score);
    return (await world.bill(() => world.submit("ann", score))).reads;
  };
  const before = await readsOf(2);
  await endedChallenges("ann", 12);
  expect(await readsOf(3)).toBeLessThanOrEqual(before);
});

test("a server's write makes no group anew that has ended", async () => {
  await playInGroups(world, { ann: 1 });
  await endedChallenges("ann", 1);
  world.refreshes.clear();
  const write = await world.writeDirectly(key, "ann", { score: 9, status: "active" });
  await world.follow(key, "ann", write);
  world.refreshes.clear();
  await followInPrivateGroups(world.services, key, "ann", write);
  expect([...world.refreshes.values()]).toEqual([]);
});

test("deleting a player's document of a season that is being deleted costs nothing for groups", async () => {
  await createBoardWithGroups(world, { spans: ["daily"] });
  const { group } = await createGroup(world, ["ann"]);
  await playInGroups(world, { ann: 1 });
  const { season } = await storedGroupOf(world, group);
  const day = { leaderboard, season };
  await world.db.doc(`leaderboards/${leaderboard}/seasons/${season}`).update({ status: "deleting" });
  world.advance(25 * 3_600_000);
  const write = await world.writeDirectly(day, "ann", undefined);
  const instance = await world.coldInstance(day);
  const { reads } = await world.bill(() => followInPrivateGroups(instance, day, "ann", write));
  expect(reads).toBe(0);
});

test("a server that writes a member each second makes the window wider", async () => {
  await createGroup(world, ["ann"]);
  let refreshes = 0;
  for (let i = 0; i < 120; i++) {
    const write = await world.writeDirectly(key, "ann", { score: i, status: "active" });
    await followInPrivateGroups(world.services, key, "ann", write);
    world.advance(1_000);
    for (const [name, request] of [...world.refreshes])
      if (Date.parse(request.due_at) <= world.services.now() && request.follows === "private_group") {
        world.refreshes.delete(name);
        refreshes++;
        await refreshWhenDue(world.services, request);
      }
  }
  // As a top and a group of a league: 2, 4, 8, 16 and 32 seconds.
  expect(refreshes).toBeLessThan(15);
});

test("a score costs no more for groups of many guests whom a player has taken in", async () => {
  for (let g = 0; g < 4; g++) {
    const guest = `guest-${g}`;
    const guest_token = world.accounts.addGuest(guest);
    for (let i = 0; i < 10; i++) await createGroup(world, [guest], { name: `${guest} ${i}` });
    await world.submit(guest, 1);
    await world.call("mergeGuest", { leaderboard, guest_token }, user("ann"));
  }
  await doRefreshes(world);
  world.advance(60_000);
  const { reads, writes } = await world.bill(() => world.submit("ann", 2));
  // Ten groups, each 1 read and 1 write; the rest is the score's own, as without groups.
  expect(reads).toBeLessThanOrEqual(20);
  expect(writes).toBeLessThanOrEqual(15);
});
