/** `ban`, `hide`, `unban`, `remove` and `merge` on the command line. */
import { beforeEach, expect, test } from "vitest";
import { mergePlayers, noScoreNote, removePlayer, setStatus } from "../../../cli/moderation.ts";
import { playerPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { erasureKeptMs } from "../../../functions/src/model/limits.ts";
import { expectConserved } from "../../support/oracle.ts";
import { expectRefusal } from "../../support/refusals.ts";
import { allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");

beforeEach(async () => {
  await createBoard(world, "board");
  for (const [player, score] of Object.entries({ ann: 9, bob: 5 })) await world.submit(player, score);
});

const stored = async (player: string) => (await world.db.doc(playerPath(key, player)).get()).data();

async function ranked(): Promise<string[]> {
  await expectConserved(world, key);
  await world.publish(key);
  const { entries } = await world.call("getPage", { leaderboard: "board", offset: 0 }, user("bob"));
  return entries.map(({ player }) => player);
}

test("a player is hidden, banned and taken back", async () => {
  const set = (status: "hidden" | "banned" | "active") =>
    setStatus(world.services, { leaderboard: "board", player: "ann", status });
  expect(await set("hidden")).toBe('"ann" is hidden on "board": in 1 season, and in seasons to come.');
  expect(await ranked()).toEqual(["bob"]);
  expect(await set("banned")).toContain('"ann" is banned on "board"');
  await expectRefusal(world, "player_banned", () => world.submit("ann", 10));
  expect(await set("active")).toContain("The next ranking has the player.");
  expect(await ranked()).toEqual(["ann", "bob"]);
});

test("a ban on a board of a template says that it holds on all of them", async () => {
  await createBoard(world, "level", { template: { ids: "any" } });
  for (const leaderboard of ["level:1", "level:2"])
    await world.call("submitScore", { leaderboard, score: 1 }, user("ann"));
  for (const leaderboard of ["level:1", "level"]) {
    const set = (status: "banned" | "active") =>
      setStatus(world.services, { leaderboard, player: "ann", status });
    const banned = await set("banned");
    expect(banned).toBe('"ann" is banned on all boards of "level": in 2 seasons, and in seasons to come.');
    expect(await set("active")).toContain('"ann" is active on all boards of "level"');
  }
});

test("nobody and no board are refused in words", async () => {
  const set = (leaderboard: string, player: string) =>
    setStatus(world.services, { leaderboard, player, status: "banned" });
  await expect(set("board", "nobody")).rejects.toMatchObject({ exitCode: 1 });
  await expect(set("board", "nobody")).rejects.toThrow(/Player "nobody"/);
  await expect(set("boards", "ann")).rejects.toThrow(/"boards"/);
  await expect(set("board", "a/b")).rejects.toThrow(/^the player: /);
});

test("an address is no player's id", async () => {
  const banned = setStatus(world.services, {
    leaderboard: "board",
    player: "dan@example.com",
    status: "banned",
  });
  await expect(banned).rejects.toThrow(
    /was submitted\. A player's id is the uid of the account, and no address\.$/,
  );
});

test("a player who was erased is taken again, and has no score to rank", async () => {
  await removePlayer(world.services, { player: "ann", leaderboard: "board" });
  expect(await setStatus(world.services, { leaderboard: "board", player: "ann", status: "active" })).toBe(
    '"ann" is active on "board": in seasons to come. The player has no score there.',
  );
});

test("a player is erased, from one board or from all", async () => {
  await createBoard(world, "other");
  await world.call("submitScore", { leaderboard: "other", score: 3 }, user("ann"));
  const remove = (leaderboard?: string) => removePlayer(world.services, { player: "ann", leaderboard });
  const keptOut = (on: string) => `For 25 hours no score of the player is taken on ${on}.`;
  const [onBoard, onAll] = [keptOut('"board"'), keptOut("any board, also on boards to come")];
  expect(await remove("board")).toBe(`"ann" is erased from 1 season of 1 board. ${onBoard}`);
  expect(await stored("ann")).toBeUndefined();
  expect(await ranked()).toEqual(["bob"]);
  const nothing = (on: string) => `Nothing was stored about "ann" on ${on}. Is the id right?`;
  expect(await remove("board")).toBe(`${nothing('"board"')} ${onBoard}`);
  await world.call("submitScore", { leaderboard: "other", score: 4 }, user("ann"));
  expect(await remove()).toBe(`"ann" is erased from 1 season of 1 board. ${onAll}`);
  expect(await remove()).toBe(`${nothing("any board")} ${onAll}`);
  await createBoard(world, "later");
  for (const leaderboard of ["other", "later"])
    await expect(world.call("submitScore", { leaderboard, score: 4 }, user("ann"))).rejects.toMatchObject({
      code: "player_erased",
    });
  await expectRefusal(world, "player_erased", () => world.submit("ann", 10));
  world.advance(erasureKeptMs);
  await world.submit("ann", 10);
  expect(await stored("ann")).toMatchObject({ score: 10 });
});

test("a player is merged into another, and what could not be merged is named and ends with code 1", async () => {
  const merge = (from: string, to: string) =>
    mergePlayers(world.services, { from, to, leaderboard: undefined });
  expect(await merge("ann", "bob")).toBe('"ann" is merged into "bob" in 1 season.');
  expect(await stored("bob")).toMatchObject({ score: 9 });
  expect(await merge("ann", "bob")).toContain('"ann" was in none that could be merged.');
  await expect(merge("bob", "bob")).rejects.toThrow(
    "the player who stays: must not be the same player as from",
  );
  await createBoard(world, "damaged");
  await world.call("submitScore", { leaderboard: "damaged", score: 3 }, user("bob"));
  await world.db.doc(seasonPath(allTime("damaged"))).update({ opens_at: "yesterday" });
  const merged = merge("bob", "cyd");
  await expect(merged).rejects.toMatchObject({ exitCode: 1 });
  await expect(merged).rejects.toThrow(/"bob" is merged into "cyd" in 1 season\.\n"damaged": /);
  expect(await stored("cyd")).toMatchObject({ score: 9 });
});

test("a target without a score is named before a merge, as its id may be mistyped", async () => {
  await createBoard(world, "level", { template: { ids: "any" } });
  await world.call("submitScore", { leaderboard: "level:1", score: 1 }, user("cyd"));
  const note = (to: string, leaderboard?: string) => noScoreNote(world.services, { to, leaderboard });
  expect(await note("ann")).toBeUndefined();
  expect(await note("cyd")).toBeUndefined();
  expect(await note("nobody2x")).toBe('"nobody2x" has no score on any board yet: check the id.');
  expect(await note("cyd", "board")).toBe('"cyd" has no score on "board" yet: check the id.');
  expect(await note("ann", "level")).toBe('"ann" has no score on "level" yet: check the id.');
  // The merge itself says so of an id and a board that are none.
  expect(await note("a/b")).toBeUndefined();
  expect(await note("ann", "boards")).toBeUndefined();
  await setStatus(world.services, { leaderboard: "board", player: "ann", status: "banned" });
  expect(await note("ann")).toBeUndefined();
  // Of a board that can't be read nobody knows.
  await world.db.doc(seasonPath(allTime("board"))).update({ opens_at: "yesterday" });
  expect(await note("ann")).toBeUndefined();
});

test("submissions that may have counted for both are named", async () => {
  await createBoard(world, "sums", { aggregation: "sum" });
  for (const player of ["ann", "bob"])
    await world.call("submitScore", { leaderboard: "sums", score: 4, submission_id: "1" }, user(player));
  expect(await mergePlayers(world.services, { from: "ann", to: "bob", leaderboard: "sums" })).toBe(
    '"ann" is merged into "bob" in 1 season.\nSubmission "1" of both may have counted twice: "sums", all_time.',
  );
});
