/** League: "No two members share a place"; "takes no seat away, and gives no second one". A player must never have two seats. */
import { expect, test } from "vitest";
import { watchCommits } from "../../support/commits.ts";
import { playerFields } from "../../support/closing.ts";
import {
  createLeague,
  doRefreshes,
  five,
  getLeague,
  play,
  presentWeek,
  seated,
} from "../../support/league.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const league = (player: string, takesPart: boolean) =>
  world.call("setProfile", { leaderboard: "board", league: takesPart }, user(player));

/** Two scores in one window: a refresh reads all members. */
async function renewed() {
  world.advance(10_000);
  await world.submit("bob", 5);
  await play(world, { bob: 6 });
}

test("who is erased and let back in the same week has one seat", async () => {
  await createLeague(world);
  await play(world, { ann: 1, bob: 2 });
  await world.call("removePlayer", { leaderboard: "board", player: "ann" }, admin);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "active" }, admin);
  await play(world, { ann: 10 });
  await renewed();
  const { entries = [] } = (await getLeague(world, "bob")).league ?? {};
  expect(entries.map(({ player }) => player)).toEqual(["ann", "bob"]);
});

test("a document that a server replaces, a refresh, and the next score leave the player in the one seat", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 1, bob: 2 });
  await world.follow(week, "ann", await world.writeDirectly(week, "ann", playerFields(9, 0)));
  await renewed();
  await play(world, { ann: 10 });
  await renewed();
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann", "bob"] });
});

test("the same in a full group leaves the player in the group", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  await world.follow(week, "ann", await world.writeDirectly(week, "ann", playerFields(9, 0)));
  await renewed();
  await play(world, { ann: 10 });
  expect(await seated(world, week)).toEqual({ "bronze-1": Object.keys(five) });
});

test("who takes part again, and looks at once, has one seat", async () => {
  await createLeague(world);
  await play(world, { ann: 50, bob: 40 });
  await league("ann", false);
  world.advance(10_000);
  let looked = false;
  watchCommits(world, async (_, perform) => {
    const result = await perform();
    if (!looked) {
      looked = true;
      // Between the first write of setProfile, which says that the player takes part, and the group.
      await getLeague(world, "ann");
    }
    return result;
  });
  await league("ann", true);
  await doRefreshes(world);
  expect((await getLeague(world, "bob")).league?.players).toBe(2);
});

test("taking part again that was cut off after its first write, and is called again, leaves one seat", async () => {
  await createLeague(world);
  await play(world, { ann: 50, bob: 40 });
  await league("ann", false);
  world.advance(10_000);
  let left = 1;
  watchCommits(world, (_, perform) =>
    left-- > 0 ? perform() : Promise.reject(new Error("the process died")),
  );
  await league("ann", true).catch(() => undefined);
  left = Infinity;
  await getLeague(world, "ann");
  await doRefreshes(world);
  world.advance(10_000);
  await league("ann", true);
  expect((await getLeague(world, "bob")).league?.players).toBe(2);
});
