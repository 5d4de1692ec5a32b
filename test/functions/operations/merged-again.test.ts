/** What a merge leaves for a quarter of an hour takes nothing from what an erasure, or an admin after it, has said. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { mergeKeptMs } from "../../../functions/src/model/limits.ts";
import { createGroup } from "../../support/groups.ts";
import { admin, createBoard, eachWorld, user } from "../../support/world.ts";

const leaderboard = "board";
const world = eachWorld();
const submit = (player: string) => world.call("submitScore", { leaderboard, score: 7 }, user(player));
const merge = () => world.call("mergePlayers", { from: "ann", to: "bob", leaderboard }, admin);

test("who was let back after an erasure from all boards, and merged, is out for a quarter of an hour, not for the day", async () => {
  await createBoard(world, leaderboard);
  await world.call("removePlayer", { player: "ann" }, admin);
  await world.call("setPlayerStatus", { leaderboard, player: "ann", status: "active" }, admin);
  await submit("ann");
  await merge();
  await expect(submit("ann")).rejects.toMatchObject({ code: "player_erased" });
  world.advance(mergeKeptMs);
  await submit("ann");
});

test("who was erased, written by a server and merged stays out for the whole 25 hours", async () => {
  await createBoard(world, leaderboard);
  await submit("bob");
  await world.call("removePlayer", { player: "ann", leaderboard }, admin);
  await world.db.doc(playerPath({ leaderboard, season: "all_time" }, "ann")).set({ score: 5 });
  await merge();
  world.advance(mergeKeptMs);
  await expect(submit("ann")).rejects.toMatchObject({ code: "player_erased" });
});

test("a merge of two who are in a private group and have no score can be sent again", async () => {
  await createBoard(world, leaderboard, { private_groups: true });
  await createGroup(world, ["cyd", "ann"]);
  const merged = { from: "ann", to: "bob", seasons: [] };
  expect(await merge()).toEqual(merged);
  expect(await merge()).toEqual(merged);
  const nobody = world.call("mergePlayers", { from: "ann", to: "dan", leaderboard }, admin);
  await expect(nobody).rejects.toMatchObject({ code: "player_not_ranked" });
});
