/**
 * A player on many boards of a template: bans, erasures, merges and exports find all of them, by the player's own
 * documents.
 */
import { beforeEach, expect, test, vi } from "vitest";
import { exportPlayer } from "../../../cli/export-player.ts";
import { erasurePath } from "../../../functions/src/documents/erasure.ts";
import { type DocumentReference, Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, playersPath, playerStatusPath } from "../../../functions/src/documents/paths.ts";
import { documentsOfPlayer } from "../../../functions/src/documents/queries.ts";
import { readPlayer } from "../../../functions/src/documents/player.ts";
import { boardsByStatus, boardsOfPlayer } from "../../../functions/src/seasons/player-boards.ts";
import { expectRanked } from "../../support/oracle.ts";
import { admin, allPages, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const levels = Array.from({ length: 12 }, (_, i) => `level:${i}`);

beforeEach(async () => {
  const template = { ids: "any" } as const;
  await createBoard(world, "level", { template, spans: ["all_time", "daily"], aggregation: "sum" });
  await createBoard(world, "track", { template });
  await createBoard(world, "arena");
  for (const leaderboard of [...levels, "track:1", "arena"])
    for (const player of ["ann", "bob"]) await play(leaderboard, player, 5);
});

const play = (leaderboard: string, player: string, score: number) =>
  world.call("submitScore", { leaderboard, score }, user(player));
const playerOn = async (leaderboard: string, player = "ann") =>
  readPlayer((await world.db.doc(playerPath(allTime(leaderboard), player)).get()).data());
const setStatus = (leaderboard: string, status: "banned" | "active" | "hidden") =>
  world.call("setPlayerStatus", { leaderboard, player: "ann", status }, admin);

test("a player is found on the boards of templates by documents of ours alone", async () => {
  // Documents of the game's own, and a document whose id is another player's.
  const own = { player_id: "ann", achieved_at: new Date(0) };
  for (const path of [
    "games/1/players/ann",
    "leaderboards/level:1/seasons/all_time/players/cyd",
    "players/ann",
  ])
    await world.db.doc(path).set(own);
  expect((await boardsOfPlayer(world.services, "ann")).sort()).toEqual([...levels, "track:1"].sort());
  expect(await boardsOfPlayer(world.services, "ann", "track")).toEqual(["track:1"]);
  expect(await boardsOfPlayer(world.services, "nobody")).toEqual([]);
  expect((await world.db.doc(playerPath(allTime("arena"), "ann")).get()).get("player_id")).toBeUndefined();
});

test("boards on which the status is still to be set come first, so that a repeated call goes on", async () => {
  for (const leaderboard of levels)
    if (leaderboard !== "level:4")
      for (const { ref } of (await documentsOfPlayer(world.db, "ann").get()).docs)
        if (ref.path.startsWith(`leaderboards/${leaderboard}/`)) await ref.update({ status: "banned" });
  const { toSet, others } = await boardsByStatus(world.services, "ann", "level", "banned");
  expect(toSet).toEqual(["level:4"]);
  expect(others.toSorted()).toEqual(levels.filter((one) => one !== "level:4").toSorted());
});

test("a direct write is found once its event has come, also where it took the id away", async () => {
  const key = allTime("level:3");
  const written = await world.writeDirectly(key, "cyd", { score: 3, status: "active" });
  await world.follow(key, "cyd", written);
  expect(await boardsOfPlayer(world.services, "cyd")).toEqual(["level:3"]);
  const { player_id: _, ...without } = (await world.db.doc(playerPath(key, "cyd")).get()).data() ?? {};
  await world.follow(key, "cyd", await world.writeDirectly(key, "cyd", without));
  expect(await boardsOfPlayer(world.services, "cyd")).toEqual(["level:3"]);
  await world.publish(key);
  await expectRanked(world, key);
});

test.each(["level", "level:2"])(
  "a ban of %s holds on all boards of the template, those to come too, and can be lifted",
  async (named) => {
    await world.publish(allTime("level:2"));
    const ban = { leaderboard: named, player: "ann", status: "banned", reason: "a bot" } as const;
    const { leaderboard, seasons } = await world.call("setPlayerStatus", ban, admin);
    const kept = await world.db.doc(playerStatusPath("level", "ann")).get();
    expect(kept.data()).toEqual({ status: "banned", reason: "a bot" });
    expect(leaderboard).toBe("level");
    expect(seasons).toHaveLength(2 * levels.length);
    for (const board of levels) expect((await playerOn(board))?.status, board).toBe("banned");
    for (const board of ["track:1", "arena"]) expect((await playerOn(board))?.status).toBe("active");
    for (const board of ["level:2", "level:new"])
      await expect(play(board, "ann", 9)).rejects.toMatchObject({ code: "player_banned" });
    await play("track:2", "ann", 9);
    const { entries } = await world.call("getTop", { leaderboard: "level:2" }, user("bob"));
    expect(entries.map(({ player }) => player)).toEqual(["bob"]);
    await setStatus(named, "active");
    for (const board of levels) expect((await playerOn(board))?.status, board).toBe("active");
    await play("level:new", "ann", 9);
    await world.publish(allTime("level:2"));
    await expectRanked(world, allTime("level:2"));
    const nobody = world.call(
      "setPlayerStatus",
      { leaderboard: named, player: "zoe", status: "banned" },
      admin,
    );
    await expect(nobody).rejects.toMatchObject({ code: "player_not_ranked" });
  },
);

test("an erasure from a template takes all of its boards and the ban, and nothing of another", async () => {
  await setStatus("level", "banned");
  const { removed } = await world.call("removePlayer", { player: "ann", leaderboard: "level" }, admin);
  expect(new Set(removed.map(({ leaderboard }) => leaderboard))).toEqual(new Set(levels));
  expect(await boardsOfPlayer(world.services, "ann")).toEqual(["track:1"]);
  expect((await world.db.doc(playerStatusPath("level", "ann")).get()).exists).toBe(false);
  for (const board of ["level:2", "level:new"])
    await expect(play(board, "ann", 9)).rejects.toMatchObject({ code: "player_erased" });
  await play("track:2", "ann", 9);
  await setStatus("level", "active");
  await play("level:2", "ann", 9);
});

test("an erasure from all boards goes through those that have the player, and no others of templates", async () => {
  await play("level:alone", "bob", 1);
  const { removed } = await world.call("removePlayer", { player: "ann" }, admin);
  expect(new Set(removed.map(({ leaderboard }) => leaderboard))).toEqual(
    new Set([...levels, "track:1", "arena"]),
  );
  for (const board of [...levels, "track:1", "arena"]) expect(await playerOn(board)).toBeUndefined();
  await expect(play("level:alone", "ann", 9)).rejects.toMatchObject({ code: "player_erased" });
  expect((await documentsOfPlayer(world.db, "bob").get()).size).toBe(2 * levels.length + 3);
});

test("an erasure from one board leaves the others", async () => {
  await world.call("removePlayer", { player: "ann", leaderboard: "level:2" }, admin);
  await expect(play("level:2", "ann", 9)).rejects.toMatchObject({ code: "player_erased" });
  await play("level:3", "ann", 9);
  expect((await world.db.collection(playersPath(allTime("level:2"))).get()).size).toBe(1);
});

test("players are merged on all boards of templates, and an export has all of them", async () => {
  await play("level:alone", "ann", 1);
  const exported = await exportPlayer(world.services, "ann");
  const boards = exported.boards.map(({ leaderboard }) => leaderboard).sort();
  expect(boards).toEqual([...levels, "level:alone", "track:1", "arena"].sort());
  await world.call("mergePlayers", { from: "ann", to: "bob" }, admin);
  expect(await boardsOfPlayer(world.services, "ann")).toEqual([]);
  expect((await playerOn("level:3", "bob"))?.score).toBe(10);
  expect((await playerOn("level:alone", "bob"))?.score).toBe(1);
  await world.publish(allTime("level:3"));
  await expectRanked(world, allTime("level:3"));
});

test.each([undefined, "level"])(
  "who comes to another board while a merge is under way is merged there too: %s",
  async (leaderboard) => {
    let comes = true;
    const { db } = world.services;
    const run = db.runTransaction.bind(db);
    const transactions = vi.spyOn(db, "runTransaction").mockImplementation(async (work, options) => {
      const isFirst = comes;
      comes = false;
      if (isFirst) await play("level:new-2", "ann", 7);
      return run(work, options);
    });
    await world.call("mergePlayers", { from: "ann", to: "bob", ...(leaderboard && { leaderboard }) }, admin);
    transactions.mockRestore();
    expect((await playerOn("level:new-2", "bob"))?.score).toBe(7);
    expect(await playerOn("level:new-2", "ann")).toBeUndefined();
  },
);

test.each([undefined, "level"])(
  "who comes to another board while an erasure begins is erased there too: %s",
  async (leaderboard) => {
    await play("level:new-1", "late", 1);
    const references = Object.getPrototypeOf(world.db.doc(erasurePath("late"))) as DocumentReference;
    const begins = vi.spyOn(references, "set").mockImplementationOnce(async function (
      this: DocumentReference,
      data,
    ) {
      await play("level:new-2", "late", 1);
      return this.set(data);
    });
    await world.call(
      "removePlayer",
      { player: "late", ...(leaderboard !== undefined && { leaderboard }) },
      admin,
    );
    expect(begins).toHaveBeenCalledTimes(2);
    begins.mockRestore();
    for (const board of ["level:new-1", "level:new-2"])
      expect(await playerOn(board, "late"), board).toBeUndefined();
  },
);

test("a template without boards, bans or scores keeps nobody from an export of all boards", async () => {
  await createBoard(world, "empty", { template: { ids: "any" } });
  const { boards } = await exportPlayer(world.services, "cyd");
  expect(boards).toEqual([]);
});

test("a player's own boards come page by page, the last achieved first, without those of a ban or a deleted template", async () => {
  world.advance(1_000);
  await play("level:3", "ann", 1);
  const mine = (more: object = {}) => world.call("getMyBoards", more, user("ann"));
  const first = await mine({ limit: 2 });
  expect(first.boards.map(({ leaderboard, season, score }) => [leaderboard, season, score]).sort()).toEqual([
    ["level:3", "all_time", 6],
    ["level:3", "daily-2100-01-02", 6],
  ]);
  const all = await allPages((more) => mine({ limit: 5, ...more }));
  const seasons = all.flatMap(({ boards }) => boards.map((one) => `${one.leaderboard} ${one.season}`));
  expect(new Set(seasons).size).toBe(2 * levels.length + 1);
  expect(seasons).toHaveLength(2 * levels.length + 1);
  await expect(mine({ cursor: "nonsense" })).rejects.toMatchObject({ code: "invalid_request" });
  expect(await world.bill(() => mine({ limit: 5 }))).toEqual({ reads: 5, writes: 0, deletes: 0 });
  await setStatus("level", "banned");
  expect((await mine({ limit: 100 })).boards).toMatchObject([{ leaderboard: "track:1", score: 5 }]);
  await world.call("deleteLeaderboard", { leaderboard: "track" }, admin);
  world.advance(61_000);
  expect((await mine({ limit: 100 })).boards).toEqual([]);
});

test("a player's own boards come page by page past documents of the game's own, and past times that are none", async () => {
  const achieved_at = Timestamp.fromMillis(world.services.now() + 1);
  for (const game of [1, 2, 3])
    await world.db.doc(`games/${game}/players/ann`).set({ player_id: "ann", achieved_at });
  await world.db.doc("games/4/players/ann").set({ player_id: "ann", achieved_at: "noon" });
  const mine = (more: object) => world.call("getMyBoards", more, user("ann"));
  const all = await mine({ limit: 100 });
  expect(all.boards).toHaveLength(2 * levels.length + 1);
  for (const limit of [1, 2, 3]) {
    const pages = await allPages((more) => mine({ limit, ...more }));
    expect(pages.flatMap(({ boards }) => boards)).toEqual(all.boards);
  }
});

test("a board below one that is no template is not there, and lifts no ban of it", async () => {
  await setStatus("arena", "banned");
  for (const status of ["active", "hidden"] as const)
    await expect(setStatus("arena:1", status)).rejects.toMatchObject({ code: "leaderboard_not_found" });
  expect((await world.db.doc(playerStatusPath("arena", "ann")).get()).get("status")).toBe("banned");
});

const removeFrom = (leaderboard?: string) =>
  world.call("removePlayer", { player: "ann", ...(leaderboard !== undefined && { leaderboard }) }, admin);

test.each([
  ["level:1", "level"],
  ["level", "level:1"],
  [undefined, "level:1"],
])("who was erased from %s is let back on all boards of a template by %s", async (from, on) => {
  await removeFrom(from);
  await setStatus(on, "active");
  for (const board of ["level:1", "level:2", "level:new"]) await play(board, "ann", 9);
});

test.each<[before: string, begin: () => Promise<unknown>]>([
  [
    "let back",
    async () => {
      await removeFrom("level:1");
      await setStatus("level:1", "active");
    },
  ],
  [
    "merged into another",
    () => world.call("mergePlayers", { leaderboard: "level:1", from: "ann", to: "bob" }, admin),
  ],
])("an erasure from a template holds on a board where the player was %s before", async (_, begin) => {
  await begin();
  await removeFrom("level");
  world.advance(20 * 60_000);
  for (const board of ["level:1", "level:2", "level:new"])
    await expect(play(board, "ann", 9)).rejects.toMatchObject({ code: "player_erased" });
});

test("a ban of whom a merge or a server took from a board is the template's alone, and can be lifted", async () => {
  await setStatus("level", "banned");
  const key = allTime("level:1");
  await world.follow(key, "ann", await world.writeDirectly(key, "ann", undefined));
  await world.call("mergePlayers", { leaderboard: "level:2", from: "ann", to: "bob" }, admin);
  for (const board of ["level:1", "level:2"]) {
    expect(await playerOn(board)).toBeUndefined();
    await expect(play(board, "ann", 9)).rejects.toMatchObject({ code: /banned|erased/ });
  }
  await setStatus("level", "active");
  for (const board of ["level:1", "level:2", "level:new"]) await play(board, "ann", 9);
});

test("a ban goes to another player once, however many boards both are on", async () => {
  const readsOf = async (boards: number) => {
    const [from, to] = [`from-${boards}`, `to-${boards}`];
    for (const leaderboard of levels.slice(0, boards))
      for (const player of [from, to]) await play(leaderboard, player, 5);
    await world.call("setPlayerStatus", { leaderboard: "level", player: from, status: "banned" }, admin);
    const { reads } = await world.bill(() => world.call("mergePlayers", { from, to }, admin));
    for (const leaderboard of levels.slice(0, boards))
      expect((await playerOn(leaderboard, to))?.status).toBe("banned");
    return reads;
  };
  const [few, some, many] = [await readsOf(3), await readsOf(6), await readsOf(12)];
  expect(many - some).toBeLessThanOrEqual(2.2 * (some - few));
});

test("an event that outlives its season is found: it is exported, and names nobody who is erased", async () => {
  await createBoard(world, "day", { template: { ids: "any" }, spans: ["daily"] });
  const key = { leaderboard: "day:1", season: "daily-2100-01-02" };
  await play("day:1", "ann", 9);
  await play("level:1", "ann", 9);
  for (const one of [key, allTime("level:1")]) await world.publish(one);
  // As with its season, which the board does not keep.
  await world.db.doc(playerPath(key, "ann")).delete();
  for (const path of ["games/1/events/1", "events/1"]) await world.db.doc(path).set({ players: ["ann"] });
  const naming = async (path: string) =>
    (await world.db.collection(path).where("players", "array-contains", "ann").get()).size;
  expect(await naming("leaderboards/day:1/events")).toBe(2);
  const { boards } = await exportPlayer(world.services, "ann");
  expect(boards.find(({ leaderboard }) => leaderboard === "day:1")?.events).toHaveLength(2);
  await world.call("removePlayer", { player: "ann", leaderboard: "day" }, admin);
  expect(await naming("leaderboards/day:1/events")).toBe(0);
  expect(await naming("leaderboards/level:1/events")).toBe(2);
  await world.call("removePlayer", { player: "ann" }, admin);
  expect(await naming("leaderboards/level:1/events")).toBe(0);
  expect(await naming("games/1/events")).toBe(1);
});
