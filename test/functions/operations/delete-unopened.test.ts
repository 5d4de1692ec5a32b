/** A deletion takes along what lies below seasons that nobody has opened, and nothing comes after it. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { groupPath, playerPath, playerStatusPath } from "../../../functions/src/documents/paths.ts";
import { keepForSeasonsToCome } from "../../../functions/src/operations/set-player-status.ts";
import { documentsOf } from "../../support/documents-below.ts";
import { createGroup, eachBoardWithGroups, leaderboard, minuteMs } from "../../support/groups.ts";
import { admin, callOn, createBoard, user } from "../../support/world.ts";

const { world, save, setStatus, inMs } = eachBoardWithGroups();

const erase = (board = leaderboard) => world.call("deleteLeaderboard", { leaderboard: board }, admin);

/** The schedule fires until nothing is due for a while. */
async function untilDone(): Promise<void> {
  for (let i = 0; i < 40; i++) {
    world.advance(minuteMs);
    await world.tick();
  }
}

/** A document that a server writes, in a season that stays unopened. */
const writeInto = (board: string, season: string) =>
  world.db.doc(playerPath({ leaderboard: board, season }, "bob")).set({
    score: 5,
    status: "banned",
    achieved_at: Timestamp.fromMillis(world.services.now()),
  });

test("a member who was banned without a score is not banned from the next board of that name", async () => {
  await save({ spans: ["all_time"] });
  await createGroup(world, ["ann", "bob"]);
  await setStatus("bob", "banned");
  expect(await erase()).toEqual({ leaderboard, seasons: 1 });
  await expect(save({ spans: ["all_time"] })).rejects.toMatchObject({ code: "definition_frozen" });
  await untilDone();
  expect(await documentsOf(world.db, leaderboard)).toEqual([]);
  await save({ spans: ["all_time"] });
  await world.submit("bob", 5);
});

test("a player of a tournament who was banned is not banned from the next board of that name", async () => {
  await save({ spans: ["all_time"], private_groups: false });
  const closes_at = inMs(1_440 * minuteMs);
  await world.call("openSeason", { leaderboard, season: "cup", closes_at }, admin);
  await world.submit("bob", 5, { season: "cup" });
  await setStatus("bob", "banned");
  expect(await erase()).toEqual({ leaderboard, seasons: 2 });
  await untilDone();
  expect(await documentsOf(world.db, leaderboard)).toEqual([]);
  await save({ spans: ["all_time"] });
  await world.submit("bob", 5);
});

test("what a server wrote into seasons that nobody opened goes along, also of the boards of a template", async () => {
  await writeInto(leaderboard, "cup");
  await createBoard(world, "level", { template: { ids: "any" } });
  for (const board of ["level:7", "level:8"]) {
    await world.call("submitScore", { leaderboard: board, score: 1 }, user("ann"));
    await writeInto(board, "cup");
  }
  // Nobody has opened this one.
  await writeInto("level:9", "cup");
  for (const board of [leaderboard, "level:9"])
    expect(await erase(board)).toEqual({ leaderboard: board, seasons: 1 });
  expect(await erase("level")).toEqual({ leaderboard: "level", seasons: 5 });
  await untilDone();
  for (const board of [leaderboard, "level", "level:7", "level:8", "level:9"])
    expect(await documentsOf(world.db, board), board).toEqual([]);
});

test("a season whose document was deleted by hand goes along, with the groups of its league", async () => {
  const week = { leaderboard, season: "weekly-2026-01-05" };
  await writeInto(leaderboard, week.season);
  await world.db.doc(groupPath(week, "bronze-1")).set({ newest_of: "bronze" });
  await erase();
  await untilDone();
  expect(await documentsOf(world.db, leaderboard)).toEqual([]);
});

test("a season that was never opened costs 2 reads and a write in the call, and 2 reads for all of them", async () => {
  const [definition, none, listed] = [1, 1, 3];
  for (const season of ["cup", "cup-2", "cup-3"]) await writeInto(leaderboard, season);
  expect(await world.bill(() => erase())).toEqual({
    reads: definition + none + listed + 3 + 2,
    writes: 3,
    deletes: 1,
  });
});

test("a call that was cut off after the board's own seasons is continued by the next one", async () => {
  await world.submit("ann", 5);
  await erase();
  // As if the call had died before.
  await writeInto(leaderboard, "cup");
  expect(await erase()).toEqual({ leaderboard, seasons: 2 });
  await untilDone();
  expect(await documentsOf(world.db, leaderboard)).toEqual([]);
});

test("a league that was left a moment after its board was deleted elsewhere leaves no document of the player", async () => {
  const league = { span: "weekly" as const, size: 5, tiers: [{ id: "a", name: "A" }] };
  await save({ spans: ["weekly"], league });
  const other = world.anotherInstance();
  await callOn(other, "getLeague", { leaderboard }, user("ann"));
  await erase();
  const leave = callOn(other, "setProfile", { leaderboard, league: false }, user("ann"));
  await expect(leave).rejects.toMatchObject({ code: "leaderboard_not_found" });
  expect((await world.db.doc(playerStatusPath(leaderboard, "ann")).get()).data()).toBeUndefined();
});

test("a ban that an instance keeps for a board which was deleted meanwhile is refused", async () => {
  const other = world.anotherInstance();
  await callOn(other, "getTop", { leaderboard }, user("ann"));
  await erase();
  const keep = keepForSeasonsToCome(other, { leaderboard, player: "bob", status: "banned" });
  await expect(keep).rejects.toMatchObject({ code: "leaderboard_not_found" });
  expect(await documentsOf(world.db, leaderboard)).toEqual([]);
});
