/** A deleted board leaves nothing, however often the call is cut off, and whatever still remembers the board. */
import { beforeEach, expect, test } from "vitest";
import {
  eventPath,
  leaderboardPath,
  playerPath,
  seasonPath,
  seasonsPath,
  shardsPath,
} from "../../../functions/src/documents/paths.ts";
import { tombstone } from "../../../functions/src/jobs/closing/clear.ts";
import { endSeason } from "../../support/closing.ts";
import { expectRefusal } from "../../support/refusals.ts";
import { callOn, admin, createBoard, createWorld, type World, user, versionOf } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = createWorld();
  for (const board of ["arena", "other"]) {
    await createBoard(world, board, { spans: ["all_time", "daily"], events: ["season_opened"] });
    for (const id of ["anna", "ben", "cleo"])
      await world.call("submitScore", { leaderboard: board, score: id.length }, user(id));
    await world.call("setPlayerStatus", { leaderboard: board, player: "ben", status: "banned" }, admin);
  }
});

const erase = () => world.call("deleteLeaderboard", { leaderboard: "arena" }, admin);

/** Every document of a board, itself included. */
async function documentsOf(leaderboard: string): Promise<string[]> {
  const found: string[] = [];
  async function look(path: string): Promise<void> {
    const ref = world.db.doc(path);
    if ((await ref.get()).exists) found.push(path);
    for (const collection of await ref.listCollections())
      for (const document of await collection.listDocuments()) await look(document.path);
  }
  await look(leaderboardPath(leaderboard));
  return found;
}

/** Performs what is due in the board's seasons, until there are none. */
async function deleteSeasons(): Promise<void> {
  const { docs } = await world.db.collection(seasonsPath("arena")).get();
  for (const { id: season } of docs) await endSeason(world, { leaderboard: "arena", season });
}

test("nothing of the board is left, and all of the others", async () => {
  const others = await documentsOf("other");
  expect((await documentsOf("arena")).length).toBe(others.length);
  expect(await erase()).toEqual({ leaderboard: "arena", seasons: 2 });
  const top = () => world.call("getTop", { leaderboard: "arena" }, user("anna"));
  await expectRefusal(world, "leaderboard_not_found", top);
  await deleteSeasons();
  expect(await documentsOf("arena")).toEqual([]);
  expect(await documentsOf("other")).toEqual(others);
  await expectRefusal(world, "leaderboard_not_found", erase);
});

test("what an instance counts that remembers the board goes too, and it opens no season", async () => {
  const remembering = world.anotherInstance();
  const submit = (id: string) =>
    callOn(remembering, "submitScore", { leaderboard: "arena", score: 9 }, user(id));
  await submit("anna");
  await erase();
  await submit("late");
  expect(
    (await world.db.doc(playerPath({ leaderboard: "arena", season: "all_time" }, "late")).get()).exists,
  ).toBe(true);
  await deleteSeasons();
  expect(await documentsOf("arena")).toEqual([]);
});

test("a call that was cut off is continued by the next one, without a longer wait", async () => {
  let cut = true;
  const batch = world.db.batch.bind(world.db);
  world.db.batch = () => {
    const one = batch();
    if (cut) one.commit = () => Promise.reject(new Error("the instance was stopped"));
    return one;
  };
  await expect(erase()).rejects.toThrow("stopped");
  cut = false;
  const begun = await erase();
  expect(begun.seasons).toBe(2);
  const due = async (): Promise<unknown> =>
    (await world.db.doc(seasonPath({ leaderboard: "arena", season: "all_time" })).get()).get("end_due_at");
  const before: unknown = await due();
  world.advance(60_000);
  expect(await erase()).toEqual(begun);
  expect(await due()).toEqual(before);
  await deleteSeasons();
  expect(await documentsOf("arena")).toEqual([]);
});

test("a board without seasons is gone at once, a damaged season is no obstacle", async () => {
  await createBoard(world, "empty", {});
  expect(await world.call("deleteLeaderboard", { leaderboard: "empty" }, admin)).toEqual({
    leaderboard: "empty",
    seasons: 0,
  });
  expect(await documentsOf("empty")).toEqual([]);
  await world.db.doc(seasonPath({ leaderboard: "arena", season: "daily-1999-01-01" })).set({ status: 7 });
  expect(await erase()).toEqual({ leaderboard: "arena", seasons: 3 });
  await deleteSeasons();
  expect(await documentsOf("arena")).toEqual([]);
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
  expect(await documentsOf("arena")).toEqual([]);
});

test("its cost is that of its documents", async () => {
  const { bill } = await world.meter.measure(erase);
  expect(bill).toMatchObject({ reads: 3, writes: 2, deletes: 2 });
  const documents = (await documentsOf("arena")).length;
  const { bill: later } = await world.meter.measure(deleteSeasons);
  // Two for the seasons and three looks into each are the test's own.
  const reads = later.reads - 8;
  expect((reads - documents) / 2).toBeLessThan(30);
  expect(later).toMatchObject({ writes: 2 * 3, deletes: documents });
});

test("a season that was going already leaves nothing beside it when it is the last", async () => {
  await createBoard(world, "days", { spans: ["daily"] });
  await world.call("submitScore", { leaderboard: "days", score: 1 }, user("anna"));
  await world.call("setPlayerStatus", { leaderboard: "days", player: "anna", status: "banned" }, admin);
  const old = { leaderboard: "days", season: "daily-1999-01-01" };
  const { board_deleted: _, ...retired } = tombstone(world.services.now(), 0);
  await world.db.doc(seasonPath(old)).set(retired);
  await world.call("deleteLeaderboard", { leaderboard: "days" }, admin);
  for (const season of ["daily-2100-01-02", old.season]) await endSeason(world, { ...old, season });
  expect(await documentsOf("days")).toEqual([]);
});

test("a board that is saved in the middle of the call is deleted with the others", async () => {
  const save = () => world.call("saveLeaderboard", { leaderboard: "arena", definition: {} }, admin);
  const batch = world.db.batch.bind(world.db);
  world.db.batch = () => {
    world.db.batch = batch;
    const one = batch();
    const commit = one.commit.bind(one);
    one.commit = async () => {
      await save();
      return commit();
    };
    return one;
  };
  await erase();
  await expectRefusal(world, "definition_frozen", save);
  await deleteSeasons();
  expect(await documentsOf("arena")).toEqual([]);
});

test("a call that was cut off between seasons lets nobody bring the others back", async () => {
  await world.db.doc(leaderboardPath("arena")).delete();
  const first = { leaderboard: "arena", season: "all_time" };
  await world.db.doc(seasonPath(first)).set(tombstone(world.services.now(), 0));
  await expectRefusal(world, "definition_frozen", () =>
    world.call("saveLeaderboard", { leaderboard: "arena", definition: {} }, admin),
  );
});

test("an event of a day that another board of its id has still before it does not come again", async () => {
  const today = new Date(world.services.now()).toISOString().slice(0, 10);
  const key = { leaderboard: "arena", season: `daily-${today}` };
  const anna = versionOf(await world.db.doc(playerPath(key, "anna")).get());
  await erase();
  await deleteSeasons();
  // There it is still yesterday.
  await createBoard(world, "arena", { spans: ["daily"], time_zone: "America/Los_Angeles" });
  world.advance(Date.parse(`${today}T05:00:00Z`) - world.services.now());
  const atMs = anna?.updateTime.toMillis() ?? NaN;
  await world.follow(key, "anna", { before: anna, after: undefined, atMs });
  expect((await world.db.collection(shardsPath(key)).get()).docs).toEqual([]);
});

test("an instance with pages of it shows none of them for another board of its id", async () => {
  const definition = { ranking_interval_minutes: 60 };
  await world.call("saveLeaderboard", { leaderboard: "arena", definition }, admin);
  world.advance(61_000);
  await world.call("runRanking", { leaderboard: "arena", include_open_slot: true }, admin);
  const instance = world.anotherInstance();
  const request = { leaderboard: "arena", score: 4, freshness: "published", exact: false } as const;
  const rank = () => callOn(instance, "getRank", request, user("zoe"));
  expect(await rank()).toMatchObject({ generation: 1, players: 2 });
  await erase();
  await deleteSeasons();
  await createBoard(world, "arena", {});
  world.advance(61_000);
  await expectRefusal(world, "player_not_ranked", rank);
});

test("an event that comes when everything is gone leaves nothing", async () => {
  const key = { leaderboard: "arena", season: "all_time" };
  const write = await world.writeDirectly(key, "anna", { score: 20 });
  await erase();
  await deleteSeasons();
  await world.follow(key, "anna", write);
  expect(await documentsOf("arena")).toEqual([]);
});

test("an event that comes when another board has its id takes nobody out of that", async () => {
  const key = { leaderboard: "arena", season: "all_time" };
  const anna = versionOf(await world.db.doc(playerPath(key, "anna")).get());
  await erase();
  await deleteSeasons();
  await createBoard(world, "arena", {});
  await world.call("submitScore", { leaderboard: "arena", score: 4 }, user("zoe"));
  const atMs = anna?.updateTime.toMillis() ?? NaN;
  await world.follow(key, "anna", { before: anna, after: undefined, atMs });
  const { docs } = await world.db.collection(shardsPath(key)).get();
  expect(docs.map((shard) => shard.get("player_count") as unknown)).toEqual([{ 4: 1 }]);
});

test("a player whom a server copied before the board was there counts, whenever the event comes", async () => {
  const key = { leaderboard: "later", season: "all_time" };
  const { updateTime } = await world.db.doc(leaderboardPath("other")).get();
  const write = await world.writeDirectly(key, "anna", {
    score: 30,
    status: "active",
    achieved_at: updateTime,
    attempts: 1,
    counted: { score: 30, of: "elsewhere" },
  });
  const atMs = write.after?.updateTime.toMillis() ?? NaN;
  await createBoard(world, "later", {});
  await world.follow(key, "anna", { ...write, atMs }, 2);
  const { docs } = await world.db.collection(shardsPath(key)).get();
  expect(docs.map((shard) => shard.get("player_count") as unknown)).toEqual([{ 30: 1 }]);
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
