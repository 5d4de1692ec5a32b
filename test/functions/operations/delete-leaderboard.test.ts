/** A deleted board leaves nothing. The simulation deletes one while everything goes on, and plays another under its id. */
import { beforeEach, expect, test } from "vitest";
import {
  eventPath,
  leaderboardPath,
  pagePath,
  playerPath,
  seasonPath,
  seasonsPath,
} from "../../../functions/src/documents/paths.ts";
import { tombstone } from "../../../functions/src/jobs/closing/clear.ts";
import { endSeason } from "../../support/closing.ts";
import { documentsOf } from "../../support/documents-below.ts";
import { expectRefusal } from "../../support/refusals.ts";
import { admin, createBoard, user, versionOf, eachWorld } from "../../support/world.ts";

const world = eachWorld();
beforeEach(async () => {
  for (const board of ["arena", "other"]) {
    await createBoard(world, board, { spans: ["all_time", "daily"], events: ["season_opened"] });
    for (const id of ["anna", "ben", "cleo"])
      await world.call("submitScore", { leaderboard: board, score: id.length }, user(id));
    await world.call("setPlayerStatus", { leaderboard: board, player: "ben", status: "banned" }, admin);
  }
});

const erase = () => world.call("deleteLeaderboard", { leaderboard: "arena" }, admin);

/** Performs what is due in the board's seasons, until there are none. */
async function deleteSeasons(): Promise<void> {
  const { docs } = await world.db.collection(seasonsPath("arena")).get();
  for (const { id: season } of docs) await endSeason(world, { leaderboard: "arena", season });
}

test("nothing of the board is left, and all of the others", async () => {
  const others = await documentsOf(world.db, "other");
  expect((await documentsOf(world.db, "arena")).length).toBe(others.length);
  expect(await erase()).toEqual({ leaderboard: "arena", seasons: 2 });
  // What an admin asked for is nothing to warn about.
  expect(world.logged.filter(({ level }) => level !== "info")).toEqual([]);
  const top = () => world.call("getTop", { leaderboard: "arena" }, user("anna"));
  await expectRefusal(world, "leaderboard_not_found", top);
  await deleteSeasons();
  expect(await documentsOf(world.db, "arena")).toEqual([]);
  expect(await documentsOf(world.db, "other")).toEqual(others);
  await expectRefusal(world, "leaderboard_not_found", erase);
});

test("a call that was cut off is continued by the next one, without a longer wait", async () => {
  const season = world.db.doc(seasonPath({ leaderboard: "arena", season: "all_time" }));
  await world.db.doc(leaderboardPath("arena")).delete();
  await season.set(tombstone(world.services.now(), world.services.endWaitMs));
  const due = async (): Promise<unknown> => (await season.get()).get("end_due_at");
  const before = await due();
  world.advance(60_000);
  expect(await erase()).toEqual({ leaderboard: "arena", seasons: 2 });
  expect(await due()).toEqual(before);
  await deleteSeasons();
  expect(await documentsOf(world.db, "arena")).toEqual([]);
});

test("a board without seasons is gone at once, a damaged season is no obstacle", async () => {
  await createBoard(world, "empty", {});
  expect(await world.call("deleteLeaderboard", { leaderboard: "empty" }, admin)).toEqual({
    leaderboard: "empty",
    seasons: 0,
  });
  expect(await documentsOf(world.db, "empty")).toEqual([]);
  await world.db.doc(seasonPath({ leaderboard: "arena", season: "daily-1999-01-01" })).set({ status: 7 });
  expect(await erase()).toEqual({ leaderboard: "arena", seasons: 3 });
  await deleteSeasons();
  expect(await documentsOf(world.db, "arena")).toEqual([]);
});

test("it is created anew only after everything is gone", async () => {
  await world.call("openSeason", { leaderboard: "arena", season: "cup" }, admin);
  await erase();
  const save = () =>
    world.call("saveLeaderboard", { leaderboard: "arena", definition: { order: "ascending" } }, admin);
  await expectRefusal(world, "definition_frozen", save);
  await deleteSeasons();
  expect(await save()).toMatchObject({ order: "ascending" });
});

test("what is beside the seasons is deleted by one of them", async () => {
  for (let i = 0; i < 50; i++) await world.db.doc(eventPath("arena", `e${i}`)).set({ kind: "season_opened" });
  await erase();
  const { bill } = await world.meter.measure(deleteSeasons);
  expect(bill.deletes).toBeLessThan(50 + 30);
  expect(await documentsOf(world.db, "arena")).toEqual([]);
});

test("the call costs a read, 2 reads and a write a season, and what is beside them", async () => {
  expect(await world.bill(erase)).toMatchObject({ reads: 1 + 2 * 2, writes: 2, deletes: 1 });
});

test.each([0, 3])("a season costs up to 38 reads more, and 1 for each of %i kept midnights", async (kept) => {
  await createBoard(world, "lean", { events: [] });
  await world.call("openSeason", { leaderboard: "lean", season: "cup" }, admin);
  const key = { leaderboard: "lean", season: "cup" };
  // The fewer collections have documents, the more reads find nothing.
  if (kept === 0) await world.db.doc(playerPath(key, "anna")).set({ score: 1 });
  for (let baseline = 1; baseline <= kept; baseline++)
    await world.db.doc(pagePath({ ...key, baseline }, 0)).set({ page: 0 });
  await world.call("deleteLeaderboard", { leaderboard: "lean" }, admin);
  const documents = (await documentsOf(world.db, "lean")).length;
  const { bill } = await world.meter.measure(() => endSeason(world, key));
  // Three looks at the season are the test's own.
  expect(bill).toEqual({ reads: documents + 38 + kept + 3, writes: 3, deletes: documents });
  expect(await documentsOf(world.db, "lean")).toEqual([]);
});

test("events of its players cost nothing but a look at the board now and then", async () => {
  const key = { leaderboard: "arena", season: "all_time" };
  const anna = versionOf(await world.db.doc(playerPath(key, "anna")).get());
  await erase();
  const write = { before: anna, after: undefined, atMs: world.services.now() };
  const { bill } = await world.meter.measure(() => world.follow(key, "anna", write, 10));
  expect(bill.reads).toBeLessThan(4);
  await deleteSeasons();
  const later = await world.meter.measure(() => world.follow(key, "anna", write, 10));
  expect(later.bill.reads).toBeLessThan(4);
});
