/** A template is deleted with all of its boards, and a board of a template alone. */
import { beforeEach, expect, test } from "vitest";
import {
  leaderboardPath,
  newBoardsPath,
  playerPath,
  playerStatusPath,
  seasonPath,
} from "../../../functions/src/documents/paths.ts";
import { seasonsOfTemplate } from "../../../functions/src/documents/queries.ts";
import type { Given } from "../../support/definitions.ts";
import { expectRanked } from "../../support/oracle.ts";
import { documentsOf } from "../../support/documents-below.ts";
import { watchCommits } from "../../support/commits.ts";
import { expectRefusal } from "../../support/refusals.ts";
import { admin, allTime, callOn, createBoard, eachWorld, user, versionOf } from "../../support/world.ts";

const world = eachWorld();
const minute = 60_000;
const levels = ["level:7", "level:8", "level:9"];
const definition = {
  template: { ids: "any", new_boards_per_day: 10 },
  spans: ["all_time", "daily"],
  events: ["season_opened"],
} as const;

beforeEach(async () => {
  await createBoard(world, "level", {
    ...definition,
    spans: [...definition.spans],
    events: ["season_opened"],
  });
  await createBoard(world, "level-7");
  for (const leaderboard of [...levels, "level-7"])
    for (const id of ["anna", "ben"])
      await world.call("submitScore", { leaderboard, score: id.length }, user(id));
  await world.db.doc(playerStatusPath("level", "eve")).set({ status: "banned" });
});

const erase = (leaderboard: string) => world.call("deleteLeaderboard", { leaderboard }, admin);

/** The schedule fires until nothing is due for a while. */
async function untilDone(): Promise<void> {
  for (let i = 0; i < 40; i++) {
    world.advance(minute);
    await world.tick();
  }
}

const play = (leaderboard: string, player = "anna") =>
  world.call("submitScore", { leaderboard, score: 1 }, user(player));

test("one board goes alone, its template's bans stay, and it can be opened again", async () => {
  expect(await erase("level:7")).toEqual({ leaderboard: "level:7", seasons: 2 });
  await expect(play("level:7")).rejects.toMatchObject({ code: "leaderboard_not_found" });
  // Whoever reads is told the same, and not that the board lacks a season which runs.
  const read = world.call("getTop", { leaderboard: "level:7" }, user("anna"));
  await expect(read).rejects.toMatchObject({
    code: "leaderboard_not_found",
    message: expect.stringContaining("is being deleted") as string,
  });
  // What is refused for good, a client does not send again, so no score that waits opens the board anew.
  const again = { leaderboard: "level:7", score: 1, submission_id: "1" };
  await expect(callOn(world.anotherInstance(), "submitScore", again, user("anna"))).rejects.toMatchObject({
    code: "leaderboard_not_found",
  });
  await untilDone();
  expect(await documentsOf(world.db, "level:7")).toEqual([]);
  expect(await documentsOf(world.db, "level")).toEqual([
    leaderboardPath("level"),
    newBoardsPath("level"),
    playerStatusPath("level", "eve"),
  ]);
  expect((await documentsOf(world.db, "level:8")).length).toBeGreaterThan(4);
  await play("level:7", "cleo");
  await world.publish(allTime("level:7"));
  await expectRanked(world, allTime("level:7"));
  expect((await world.db.doc(seasonPath(allTime("level:7"))).get()).get("ranking.players")).toBe(1);
});

test("no season of a board is opened while it is being deleted", async () => {
  await erase("level:7");
  // A day later the board has another day, which nobody has opened.
  const { docs } = await world.db.collection(`${leaderboardPath("level:7")}/seasons`).get();
  for (const { ref } of docs) await ref.update({ end_due_at: null });
  world.advance(24 * 60 * minute);
  await expect(play("level:7")).rejects.toThrow();
  const open = await world.db
    .collection(`${leaderboardPath("level:7")}/seasons`)
    .where("status", "==", "open")
    .get();
  expect(open.size).toBe(0);
});

test("a template goes with all of its boards and what it has itself, and nothing of a neighbour's", async () => {
  const neighbour = await documentsOf(world.db, "level-7");
  expect(await erase("level")).toEqual({ leaderboard: "level", seasons: 6 });
  await expectRefusal(world, "leaderboard_not_found", () => play("level:new"));
  const save = (of: Given = { template: { ids: "any" } }) =>
    world.call("saveLeaderboard", { leaderboard: "level", definition: of }, admin);
  // Nor as a board of its own, which would have the bans of the template, and keep them.
  for (const of of [undefined, {}]) await expect(save(of)).rejects.toThrow("is being deleted");
  await untilDone();
  for (const board of ["level", ...levels]) expect(await documentsOf(world.db, board), board).toEqual([]);
  expect((await documentsOf(world.db, "level-7")).length).toBeGreaterThanOrEqual(neighbour.length);
  await expectRefusal(world, "leaderboard_not_found", () => erase("level"));
  await save();
  await play("level:7");
});

test("a template's definition goes in one commit with its boards, so none is left without it", async () => {
  const commits = watchCommits(world);
  await erase("level");
  const seasons = (await seasonsOfTemplate(world.db, "level").get()).docs.map(({ ref }) => ref.path);
  expect(commits.map((writes) => writes.map(({ path }) => path).sort())).toEqual([
    [leaderboardPath("level"), ...seasons].sort(),
  ]);
});

test("what was never opened is not deleted, and takes no ban along", async () => {
  const ban = playerStatusPath("level-7", "eve");
  await world.db.doc(ban).set({ status: "banned" });
  for (const leaderboard of ["level:new", "level-7:new"])
    await expect(erase(leaderboard)).rejects.toMatchObject({
      code: "leaderboard_not_found",
      message: `There is no leaderboard "${leaderboard}", and nothing is left of it to delete.`,
    });
  await erase("level:7");
  await untilDone();
  await expectRefusal(world, "leaderboard_not_found", () => erase("level:7"));
  for (const path of [ban, playerStatusPath("level", "eve")])
    expect((await world.db.doc(path).get()).get("status"), path).toBe("banned");
});

test("a game's own collection of that name stays, whatever its documents say", async () => {
  const own = ["shows/dark/seasons/1", "leaderboards/level:7/shows/dark/seasons/1", "z/z/seasons/z"];
  for (const path of own) await world.db.doc(path).set({ template: "level", status: "deleting" });
  expect(await erase("level")).toMatchObject({ leaderboard: "level" });
  for (const path of own)
    expect((await world.db.doc(path).get()).data(), path).toEqual({ template: "level", status: "deleting" });
  await world.db.doc("shows/dark/seasons/1").set({ template: "stage", status: "deleting" });
  await createBoard(world, "stage", { template: { ids: "any" } });
  expect((await world.db.doc(leaderboardPath("stage")).get()).get("first_board_at")).toBeUndefined();
});

test("a call that was cut off is continued by the next one", async () => {
  const [first] = (await seasonsOfTemplate(world.db, "level").get()).docs;
  await erase("level");
  const buried = (await first?.ref.get())?.data();
  await createBoard(world, "other", { template: { ids: "any" } });
  // As if only the first one had been reached.
  for (const { ref } of (await seasonsOfTemplate(world.db, "level").get()).docs)
    if (ref.path !== first?.ref.path) await ref.update({ board_deleted: null, status: "open" });
  expect(await erase("level")).toEqual({ leaderboard: "level", seasons: 6 });
  expect((await first?.ref.get())?.data()).toEqual(buried);
});

test("a late event of a deleted board opens no board, and counts in none", async () => {
  const key = allTime("level:7");
  const before = versionOf(await world.db.doc(playerPath(key, "anna")).get());
  await erase("level:7");
  await untilDone();
  await world.follow(key, "anna", { before, after: undefined, atMs: world.services.now() });
  expect(await documentsOf(world.db, "level:7")).toEqual([]);
  await play("level:7", "cleo");
  await world.follow(key, "anna", { before, after: undefined, atMs: world.services.now() - 40 * minute });
  await world.publish(key);
  await expectRanked(world, key);
});

test("where its definition was deleted by hand, a template is saved again as what its boards were counted by", async () => {
  await world.db.doc(leaderboardPath("level")).delete();
  const save = (more: object) =>
    world.call(
      "saveLeaderboard",
      { leaderboard: "level", definition: { template: { ids: "any" }, ...more } },
      admin,
    );
  for (const otherwise of [{ order: "ascending" }, { template: undefined }])
    await expect(save(otherwise)).rejects.toMatchObject({ code: "definition_frozen" });
  await save({});
  expect((await world.db.doc(leaderboardPath("level")).get()).get("first_board_at")).toBeDefined();
  await play("level:7", "cleo");
});

test("what was parked meanwhile is ranked again, and what another board has parked stays", async () => {
  await createBoard(world, "other");
  await world.call("submitScore", { leaderboard: "other", score: 1 }, user("anna"));
  for (const board of ["level", "other"]) await world.db.doc(leaderboardPath(board)).delete();
  await untilDone();
  const parked = async (of: string) =>
    (await world.db.doc(seasonPath(allTime(of))).get()).get("parked") as unknown;
  for (const board of [...levels, "other"]) expect(await parked(board), board).toBe("no_definition");
  const again = { template: definition.template, spans: [...definition.spans] };
  await world.call("saveLeaderboard", { leaderboard: "level", definition: again }, admin);
  await untilDone();
  for (const level of levels) await expectRanked(world, allTime(level));
  expect(await parked("other")).toBe("no_definition");
});
