/** What a closed season says after its board was saved otherwise. */
import { expect, test } from "vitest";
import { teamsPath } from "../../../functions/src/documents/paths.ts";
import type { DefinitionChanges } from "../../../functions/src/model/definition.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

const country = { name: "country", from: "server" as const };
const definition = { top_size: 2, tiers: [{ name: "gold", top_percent: 40 }], segments: [country] };
const inCountry = { segments: { country: "AT" } };
const players = {
  ann: playerFields(9, 0, inCountry),
  bob: playerFields(8, 1, inCountry),
  cem: playerFields(7, 2, inCountry),
};

async function closedThenSaved(changes: DefinitionChanges) {
  const key = await createEnding(world, "board", players, { definition });
  await endSeason(world, key);
  await world.call("saveLeaderboard", { leaderboard: key.leaderboard, definition: changes }, admin);
  world.advance(61_000);
  return key;
}

test("its tiers are those of its end", async () => {
  const key = await closedThenSaved({ tiers: [{ name: "silver", top_percent: 100 }] });
  expect(await world.call("getRank", { ...key, score: 9 }, user("x"))).toMatchObject({ tier: "gold" });
  expect(await world.call("getThreshold", { ...key, tier: "gold" }, user("x"))).toMatchObject({ rank: 2 });
});

test("its top has as many players as at its end, also after a ban", async () => {
  const key = await closedThenSaved({ top_size: 1 });
  const top = async () => (await world.call("getTop", key, user("x"))).entries.map(({ player }) => player);
  expect(await top()).toEqual(["ann", "bob"]);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "banned" }, admin);
  await endSeason(world, key);
  expect(await top()).toEqual(["bob", "cem"]);
});

test("a segment that the board has no more stays ranked, also after a ban", async () => {
  const key = await closedThenSaved({ segments: null });
  const asked = { ...key, segment: { country: "AT" } };
  const listed = async () =>
    (await world.call("getPage", asked, user("x"))).entries.map(({ player }) => player);
  expect(await listed()).toEqual(["ann", "bob", "cem"]);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "bob", status: "banned" }, admin);
  await endSeason(world, key);
  expect(await listed()).toEqual(["ann", "cem"]);
});

test("a segment that the board got later is none of its own", async () => {
  const key = await closedThenSaved({ segments: [country, { name: "guild", from: "server" }] });
  const asked = { ...key, segment: { guild: "red" }, player: "ann" };
  await expect(world.call("getRank", asked, user("x"))).rejects.toMatchObject({ code: "invalid_request" });
});

test("whoever may not see a segment's values by now does not see them there either", async () => {
  const key = await closedThenSaved({ segments: [{ ...country, visible: "self" }] });
  const asked = { ...key, segment: { country: "AT" } };
  await expect(world.call("getPage", asked, user("x"))).rejects.toMatchObject({ code: "not_allowed" });
});

test("nor do they once the board has the segment no more", async () => {
  const key = await closedThenSaved({ segments: [{ ...country, visible: "self" }] });
  await world.call("saveLeaderboard", { leaderboard: "board", definition: { segments: null } }, admin);
  world.advance(61_000);
  const asked = { ...key, segment: { country: "AT" } };
  await expect(world.call("getPage", asked, user("x"))).rejects.toMatchObject({ code: "not_allowed" });
});

test("nor the teams of such a segment, which would tell the values", async () => {
  const guild = { name: "guild", from: "server" as const };
  const inGuild = (score: number, i: number) => playerFields(score, i, { segments: { guild: `g${i}` } });
  const key = await createEnding(
    world,
    "board",
    { ann: inGuild(9, 0), bob: inGuild(8, 1) },
    { definition: { segments: [{ ...guild, teams: { by: "sum" } }] } },
  );
  await endSeason(world, key);
  const asked = { ...key, segment: "guild" };
  expect((await world.call("getTeams", asked, user("x"))).entries).toHaveLength(2);
  const definition: DefinitionChanges = { segments: [{ ...guild, visible: "self" }] };
  await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  world.advance(61_000);
  const isRefused = () =>
    expect(world.call("getTeams", asked, user("x"))).rejects.toMatchObject({ code: "invalid_request" });
  await isRefused();
  await world.call("saveLeaderboard", { leaderboard: "board", definition: { segments: null } }, admin);
  world.advance(61_000);
  await isRefused();
  // What apps listen to goes when the season is published again.
  const document = () => world.db.doc(teamsPath(key, "guild")).get();
  expect((await document()).exists).toBe(true);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "banned" }, admin);
  await endSeason(world, key);
  expect((await document()).exists).toBe(false);
});
