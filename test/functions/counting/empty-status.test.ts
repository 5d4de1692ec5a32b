/** A struct of Go without `omitempty` writes an empty status, which says nothing. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { closeNow, createEnding } from "../../support/closing.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const player = { score: 5, status: "", display_name: "", achieved_at: Timestamp.fromMillis(1_000) };

test("a player with an empty status is ranked, listed and merged as an active one", async () => {
  const key = allTime("board");
  await createBoard(world, "board");
  for (const id of ["ann", "bob"]) {
    const write = await world.writeDirectly(key, id, player);
    await world.follow(key, id, write);
  }
  await world.publish(key);
  expect((await world.call("getRank", { leaderboard: "board", player: "ann" }, user("bob"))).rank).toBe(1);
  const { entries } = await world.call("getPage", { leaderboard: "board", offset: 0 }, user("bob"));
  expect(entries.map((entry) => entry.player)).toEqual(["ann", "bob"]);
  expect((await world.db.doc(playerPath(key, "ann")).get()).get("status")).toBe("active");
  await world.writeDirectly(key, "cyd", player);
  const merged = await world.call("mergePlayers", { from: "cyd", to: "ann" }, admin);
  expect(merged.seasons).toMatchObject([{ status: "active", merged: true }]);
});

test("a closing finds a player with an empty status whose event never came", async () => {
  const key = await createEnding(world, "cups", { bob: { ...player, status: "active" } });
  await world.writeDirectly(key, "ann", player);
  await closeNow(world, key);
  const { entries } = await world.call("getPage", { ...key, offset: 0 }, user("bob"));
  expect(entries.map((entry) => entry.player)).toEqual(["ann", "bob"]);
});
