/**
 * A server's own field `league_seat`, whose `group` is no id: the player can't be hidden, erased, exported or answered
 * (INTERNAL). "a damaged … document … never an internal error"; removePlayer "takes a player out of all documents".
 */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { createLeague, five, getLeague, play, presentWeek } from "../../support/league.ts";
import { admin, eachWorld } from "../../support/world.ts";

const world = eachWorld();

test.each(["red/blue", "", "__all__"])(
  "a league_seat of a server's own, with the group %j, stops no call",
  async (group) => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, five);
    await world.db.doc(playerPath(week, "ann")).update({ league_seat: { group, seat: "front" } });
    await getLeague(world, "ann");
    await world.call("exportPlayer", { leaderboard: "board", player: "ann" }, admin);
    await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "hidden" }, admin);
    await world.call("removePlayer", { leaderboard: "board", player: "ann" }, admin);
    expect((await world.db.doc(playerPath(week, "ann")).get()).exists).toBe(false);
  },
);
