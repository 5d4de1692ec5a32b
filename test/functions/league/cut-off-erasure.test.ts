/**
 * "`removePlayer` takes a player out of all documents"; "after an error, or if the process dies, the call can be repeated".
 * A call that died before the group was renewed is repeated, and passes the group over.
 */
import { expect, test } from "vitest";
import { seatOwner } from "../../../functions/src/documents/group.ts";
import { playerStatusPath } from "../../../functions/src/documents/paths.ts";
import { playerFields } from "../../support/closing.ts";
import { watchCommits } from "../../support/commits.ts";
import {
  createLeague,
  endWeek,
  five,
  getLeague,
  groupOf,
  play,
  presentWeek,
  standingOf,
} from "../../support/league.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

/** The first commit of a group fails. */
function dieBeforeGroup() {
  let isDone = false;
  watchCommits(world, (writes, perform) => {
    if (isDone || !writes.some(({ path }) => path.includes("/league_groups/"))) return perform();
    isDone = true;
    return Promise.reject(new Error("the process died"));
  });
}

const calls = {
  removePlayer: () => world.call("removePlayer", { leaderboard: "board", player: "ann" }, admin),
  mergePlayers: () => world.call("mergePlayers", { leaderboard: "board", from: "ann", to: "bob" }, admin),
};

test.each(["removePlayer", "mergePlayers"] as const)(
  "%s that died before the group of a settled week leaves no name when it is repeated",
  async (name) => {
    await createLeague(world, {}, { aggregation: "best" });
    const week = await presentWeek(world);
    await play(world, five);
    await endWeek(world, week);
    dieBeforeGroup();
    await expect(calls[name]()).rejects.toThrow("died");
    await calls[name]();
    expect(JSON.stringify(await groupOf(world, week, "bronze-1"))).not.toContain('"ann"');
  },
);

test("mergePlayers that died before the group of the present week leaves one member of the two", async () => {
  await createLeague(world, {}, { aggregation: "best" });
  await play(world, five);
  dieBeforeGroup();
  await expect(calls.mergePlayers()).rejects.toThrow("died");
  await calls.mergePlayers();
  expect((await getLeague(world, "bob")).league).toMatchObject({ place: 1, players: 4 });
});

// SECURITY.md: "For 25 hours a hash of the id stays …; no rule lets anybody read the hash." Members may read groups.
test("no group keeps a hash of an erased player's id for its members to read", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  await calls.removePlayer();
  world.advance(26 * 3_600_000);
  await play(world, { bob: 41, cyd: 31 });
  const group = JSON.stringify(await groupOf(world, week, "bronze-1"));
  expect(group).not.toContain(seatOwner(week, "ann"));
});

// "exactly what `exportPlayer` lists": the seat of one who has left, whose document a server has replaced, is in neither.
test("an erased player's score goes out of the group, also of one who had left", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 12_345, bob: 1 });
  await world.call("setProfile", { leaderboard: "board", league: false }, user("ann"));
  await world.follow(week, "ann", await world.writeDirectly(week, "ann", playerFields(9, 0)));
  await calls.removePlayer();
  expect(JSON.stringify(await groupOf(world, week, "bronze-1"))).not.toContain("12345");
});

test("a merge that is refused, into an erased player, leaves nothing with this player", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ...five, zoe: 1 });
  await endWeek(world, week);
  await world.call("removePlayer", { leaderboard: "board", player: "zoe" }, admin);
  const merge = world.call("mergePlayers", { leaderboard: "board", from: "ann", to: "zoe" }, admin);
  await expect(merge).rejects.toMatchObject({ code: "player_erased" });
  expect((await world.db.doc(playerStatusPath("board", "zoe")).get()).exists).toBe(false);
  expect((await standingOf(world, "ann")).tier).toBe("silver");
});
