/**
 * Players whose documents came from Datastore have ids such as `__id7__`, which Firestore sorts first, by number. Whoever
 * is listed can be asked for, hidden, merged, exported and removed.
 */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { createEnding, endSeason } from "../../support/closing.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import { admin, allPages, eachWorld } from "../../support/world.ts";

const world = eachWorld();
/** Of equal scores and times, so that ids alone decide. */
const ids = ["__id-3__", "__id7__", "__id10__", "__id9007199254740993__", "!bob", "ann"];
const fields = { score: 5, status: "active", achieved_at: new Timestamp(1_000, 0), attempts: 1 };

test("lists, final tables and calls agree about imported ids", async () => {
  const key = await createEnding(world, "board", Object.fromEntries(ids.map((id) => [id, fields])));
  const walk = async () => {
    const pages = await allPages((more) => world.call("getPage", { ...key, limit: 2, ...more }, admin));
    return pages.flatMap(({ entries }) => entries.map(({ player }) => player));
  };
  await world.publish(key);
  expect(await walk()).toEqual(ids);
  expect(await world.call("getRank", { ...key, player: "__id10__" }, admin)).toMatchObject({
    rank: 1,
    exact: true,
  });
  await endSeason(world, key);
  expect(await walk()).toEqual(ids);

  const setStatus = async (status: "hidden" | "active") => {
    await world.call("setPlayerStatus", { leaderboard: "board", player: "__id10__", status }, admin);
    world.advance(120_000);
  };
  await setStatus("hidden");
  expect(await walk()).toEqual(ids.filter((id) => id !== "__id10__"));
  await setStatus("active");
  expect(await walk()).toEqual(ids);

  const exported = await world.call("exportPlayer", { leaderboard: "board", player: "__id7__" }, admin);
  expect(exported.seasons).toMatchObject([{ season: "cup", player: { score: 5 } }]);
  await world.call("mergePlayers", { from: "__id-3__", to: "__id7__" }, admin);
  await world.call("removePlayer", { player: "__id9007199254740993__" }, admin);
  world.advance(120_000);
  expect(await walk()).toEqual(["__id7__", "__id10__", "!bob", "ann"]);
});

test.each(["__id07__", "__id0__", "__x__", ".", ".."])(
  "the id %s, which Firestore refuses, is refused",
  async (player) => {
    await expectRefusal(world, invalid("player"), () => world.call("removePlayer", { player }, admin));
  },
);
