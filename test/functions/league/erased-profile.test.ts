/**
 * SECURITY.md: "an account that plays on after it was erased, with a token that is still valid: refused with `player_erased`
 * for 25 hours, by each way in". `setProfile` "creates no document", and refuses the banned with `player_banned`.
 */
import { expect, test } from "vitest";
import { playerStatusPath } from "../../../functions/src/documents/paths.ts";
import { createLeague, five, play } from "../../support/league.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const leave = (player: string, league = false) =>
  world.call("setProfile", { leaderboard: "board", league }, user(player));
const isKept = async (player: string) => (await world.db.doc(playerStatusPath("board", player)).get()).exists;

test("leaving the league leaves nothing of an erased player", async () => {
  await createLeague(world);
  await play(world, five);
  await world.call("removePlayer", { leaderboard: "board", player: "ann" }, admin);
  const error = await leave("ann").catch((thrown: unknown) => thrown);
  expect(await isKept("ann")).toBe(false);
  expect(error).toMatchObject({ code: "player_erased" });
});

test("taking part in a league leaves nothing of somebody who never played", async () => {
  await createLeague(world);
  await leave("nobody", true);
  expect(await isKept("nobody")).toBe(false);
});

test("a banned player is refused", async () => {
  await createLeague(world);
  await play(world, five);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "banned" }, admin);
  await expect(leave("ann")).rejects.toMatchObject({ code: "player_banned" });
});

test("of a guest who had left the league nothing stays after a merge", async () => {
  await createLeague(world, {}, { aggregation: "best" });
  await leave("guest");
  await play(world, { ann: 50, guest: 90 });
  const token = world.accounts.addGuest("guest");
  await world.call("mergeGuest", { leaderboard: "board", guest_token: token }, user("eve"));
  expect(await isKept("guest")).toBe(false);
});
