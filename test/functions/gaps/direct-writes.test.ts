/** Known gaps of docs/limits.md, "Direct writes": what cannot be seen in time where a trusted server writes by itself. */
import { beforeEach, expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { repair } from "../../support/damage.ts";
import { expectConserved, expectConverged, expectRanked, publishedRows } from "../../support/oracle.ts";
import { admin, allTime, callOn, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const documentOf = async (player: string) => (await world.db.doc(playerPath(key, player)).get()).data();

/** The scores of a ranking that has every change, each with its number of players. */
async function ranked(): Promise<Record<string, number>> {
  await world.publish(key);
  const rows = await publishedRows(world.db, key);
  return Object.fromEntries(rows.map(({ score, players }) => [score, players]));
}

/** The gap is over: the ranking is that of the players. */
async function expectRight(): Promise<void> {
  await expectConserved(world, key);
  await expectConverged(world, key);
  await world.publish(key);
  await expectRanked(world, key);
}

beforeEach(async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  await world.submit("ben", 20);
});

// "A document is destroyed and written anew while the first event is late. … The player counts twice until the event."
test("gap: a player whose document was deleted and written anew counts twice until the deletion's event", async () => {
  await world.submit("ann", 30);
  const deletion = await world.writeDirectly(key, "ann", undefined);
  await world.submit("ann", 50);
  expect(await ranked()).toEqual({ 50: 1, 30: 1, 20: 1 });
  await world.follow(key, "ann", deletion);
  expect(await ranked()).toEqual({ 50: 1, 20: 1 });
  await expectRight();
});

// "A copy of another player's document, with its mark, gets a submission before its event. The submission takes out what
// the mark says, which nobody had counted. Ranks below are one too good until the event".
test("gap: a copied document's first submission takes out the original's score until the copy's event", async () => {
  await world.submit("ann", 30);
  const copy = await world.writeDirectly(key, "cleo", await documentOf("ann"));
  await world.submit("cleo", 10);
  expect(await ranked()).toEqual({ 20: 1, 10: 1 });
  expect(await world.call("getRank", { leaderboard: "board", player: "ben" }, admin)).toMatchObject({
    rank: 1,
  });
  await world.follow(key, "cleo", copy);
  expect(await ranked()).toEqual({ 30: 1, 20: 1, 10: 1 });
  await expectRight();
});

// "A first version comes back. A document that was never updated is deleted, and a server copies it back within 270 seconds
// of its creation. It looks like the creation itself, so the player is not counted until a repair."
test("gap: a first version that is copied back at once is not counted until a repair", async () => {
  await world.submit("ann", 30);
  const first = await documentOf("ann");
  await world.follow(key, "ann", await world.writeDirectly(key, "ann", undefined));
  await world.follow(key, "ann", await world.writeDirectly(key, "ann", first));
  expect(await ranked()).toEqual({ 20: 1 });
  await world.call("repairSeason", { leaderboard: "board" }, admin);
  expect(await ranked()).toEqual({ 30: 1, 20: 1 });
  await expectRight();
});

// "A server writes a player of a template's board before the template has the board, and deletes the player before that too.
// The player counts until a repair."
test("gap: who was written and deleted before a level is there counts until a repair", async () => {
  await createBoard(world, "level", { template: { ids: { collection: "levels" } }, aggregation: "latest" });
  const late = allTime("level:late");
  const active = (score: number) => ({ score, status: "active" });
  await world.follow(late, "npc", await world.writeDirectly(late, "npc", active(50)));
  await world.follow(late, "npc", await world.writeDirectly(late, "npc", undefined));
  await world.db.doc("levels/late").set({});
  await world.follow(late, "bot", await world.writeDirectly(late, "bot", active(10)));
  const rank = async () => {
    await world.publish(late);
    return callOn(world.anotherInstance(), "getRank", { ...late, player: "bot" }, admin);
  };
  expect(await rank()).toMatchObject({ rank: 2, players: 2 });
  expect(await repair(world, late, { kind: "audit" })).toMatchObject({ repair: "repair" });
  await repair(world, late);
  expect(await rank()).toMatchObject({ rank: 1, players: 1 });
});

// "It does not reach a tournament before `openSeason`: send `setPlayerStatus` … again after that, for a player whom your
// server wrote there before with a `status`."
test("gap: a ban before openSeason leaves who was written into the tournament as active, until it is set again", async () => {
  await world.submit("ann", 30);
  const cup = { leaderboard: "board", season: "cup" };
  const { counted: _, ...copied } = (await documentOf("ann")) ?? {};
  await world.writeDirectly(cup, "ann", copied);
  const ban = { leaderboard: "board", player: "ann", status: "banned" } as const;
  await world.call("setPlayerStatus", ban, admin);
  await world.call("openSeason", cup, admin);
  await repair(world, cup);
  const listed = async () => (await world.call("getPage", { ...cup, offset: 0 }, admin)).entries;
  expect(await listed()).toMatchObject([{ player: "ann" }]);
  const { seasons } = await world.call("setPlayerStatus", ban, admin);
  expect(seasons.map(({ season }) => season)).toContain("cup");
  expect(await listed()).toEqual([]);
});
