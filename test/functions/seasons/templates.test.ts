/** Boards that nobody makes: a template is saved once, and each `level:{name}` is a board from its first score on. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  newBoardsPath,
  leaderboardPath,
  playerPath,
  playerStatusPath,
  seasonPath,
} from "../../../functions/src/documents/paths.ts";
import { boardCacheMs, dozeMs } from "../../../functions/src/model/limits.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import type { Given } from "../../support/definitions.ts";
import { expectRanked } from "../../support/oracle.ts";
import { admin, allTime, callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const minute = 60_000;
const key = allTime("level:7");
const any = { ids: "any" } as const;

const save = (definition: Given = {}) =>
  world.call(
    "saveLeaderboard",
    { leaderboard: "level", definition: { template: any, events: [], ...definition } },
    admin,
  );
const play = (leaderboard: string, player: string, score: number) =>
  world.call("submitScore", { leaderboard, score }, user(player));
const exists = async (path: string) => (await world.db.doc(path).get()).exists;
const season = async (of = key) => (await world.db.doc(seasonPath(of)).get()).data() ?? {};
const dueMs = async () => ((await season())["next_run_at"] as Timestamp | null)?.toMillis();
const template = async () => (await world.db.doc(leaderboardPath("level")).get()).data() ?? {};

describe("a board of a template", () => {
  beforeEach(() => save());

  test("is opened by its first score, ranked, and has no document of its own", async () => {
    const first = await play("level:7", "ann", 30);
    expect(first).toMatchObject({ leaderboard: "level:7", seasons: [{ season: "all_time", score: 30 }] });
    await play("level:7", "bob", 40);
    await play("level:8", "ann", 5);
    expect(await exists(leaderboardPath("level:7"))).toBe(false);
    await world.publish(key);
    await world.publish(allTime("level:8"));
    await expectRanked(world, key);
    expect(await world.call("getRank", { leaderboard: "level:7" }, user("ann"))).toMatchObject({
      leaderboard: "level:7",
      rank: 2,
      players: 2,
    });
    const { entries } = await world.call("getTop", { leaderboard: "level:7" }, user("ann"));
    expect(entries.map(({ player }) => player)).toEqual(["bob", "ann"]);
    expect(await world.call("getRank", { leaderboard: "level:8" }, user("ann"))).toMatchObject({ rank: 1 });
  });

  test("that nobody has played answers like an empty board, and nothing is written", async () => {
    const asked = { leaderboard: "level:new" };
    const bill = await world.bill(async () => {
      expect(await world.call("getTop", asked, user("ann"))).toMatchObject({ entries: [] });
      expect(await world.call("getPage", asked, user("ann"))).toMatchObject({ entries: [] });
      expect(await world.call("listSeasons", asked, user("ann"))).toMatchObject({ seasons: [] });
      await expect(world.call("getRank", asked, user("ann"))).rejects.toThrow(/ranked/i);
    });
    expect(bill).toMatchObject({ writes: 0, deletes: 0 });
    expect(await world.db.collection(`${leaderboardPath("level:new")}/seasons`).listDocuments()).toEqual([]);
  });

  test("runs by the schedule, sleeps, and is woken by the next score", async () => {
    await play("level:7", "ann", 30);
    world.advance(6 * minute);
    expect(await world.tick()).toEqual([{ leaderboard: "level:7", season: "all_time", job: "ranking" }]);
    expect((await season())["ranking"]).toMatchObject({ generation: 1, players: 1 });
    for (let i = 0; i < 4; i++) {
      world.advance(dozeMs);
      await world.tick();
    }
    expect(await season()).toMatchObject({ next_run_at: null });
    world.advance(24 * 60 * minute);
    expect(await world.tick()).toEqual([]);
    await play("level:7", "bob", 40);
    expect(await season()).toMatchObject({ dormant_at: null });
    world.advance(6 * minute);
    await world.tick();
    expect((await season())["ranking"]).toMatchObject({ generation: 2, players: 2 });
  });

  test("has no score of its template, and none of a board that has a definition of its own", async () => {
    await world.call("saveLeaderboard", { leaderboard: "arena", definition: {} }, admin);
    for (const leaderboard of ["level", "arena:7", "nothing:7"])
      await expect(play(leaderboard, "ann", 1)).rejects.toMatchObject({ code: "leaderboard_not_found" });
    // Nobody can save a definition under such an id, so that is not what the answer advises.
    await expect(play("nothing:7", "ann", 1)).rejects.toThrow('"nothing" is no template');
    await expect(play("arena:7", "ann", 1)).rejects.toThrow('"arena" is no template');
    for (const leaderboard of ["level:", ":7", "level:a:b", "level:ä"])
      await expect(play(leaderboard, "ann", 1)).rejects.toMatchObject({ code: "invalid_request" });
    const saved = world.call("saveLeaderboard", { leaderboard: "level:7", definition: {} }, admin);
    await expect(saved).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("costs 4 reads and 1 write more to open than any board, and then the same", async () => {
    await play("level:first", "ann", 1);
    await world.call("saveLeaderboard", { leaderboard: "arena", definition: { events: [] } }, admin);
    const { reads, writes } = await world.bill(() => play("arena", "ann", 30));
    // Whether it has a season; how many boards were opened today; the template's status of the player, before it is opened
    // and in the commit; before it is opened also an erasure. Its definition is in memory.
    const first = await world.bill(() => play("level:7", "ann", 30));
    expect(first).toEqual({ reads: reads + 4, writes: writes + 1, deletes: 0 });
    const billed = (leaderboard: string, player: string, score: number) =>
      world.bill(() => play(leaderboard, player, score));
    expect(await billed("level:7", "ann", 31)).toEqual(await billed("arena", "ann", 31));
    // Again the template's status of the player.
    const newPlayer = await billed("arena", "bob", 1);
    expect(await billed("level:7", "bob", 1)).toEqual({ ...newPlayer, reads: newPlayer.reads + 1 });
  });

  test("with several spans asks once whether it may be there, and counts once", async () => {
    const spans = ["all_time" as const, "daily" as const, "weekly" as const];
    await save({ spans });
    await createBoard(world, "arena", { spans, events: [] });
    await play("level:first", "ann", 1);
    const { reads, writes } = await world.bill(() => play("arena", "ann", 30));
    const first = await world.bill(() => play("level:7", "ann", 30));
    // Once how many were opened today, and whether the player is kept out; in the commit the template's status of the
    // player. Whether the board has a season is asked for each, and the definition is in memory.
    expect(first).toEqual({ reads: reads + 4, writes: writes + 1, deletes: 0 });
  });

  test("takes the place of one board in memory as long as nobody has played it", async () => {
    const boards = boardCacheOf(world.services);
    await play("level:7", "ann", 30);
    for (let i = 0; i < 5; i++)
      await world.call("getTop", { leaderboard: `level:made-up-${i}` }, user("eve"));
    const inMemory = Array.from({ length: 5 }, (_, i) => boards.peek(allTime(`level:made-up-${i}`)));
    expect(inMemory.map((one) => one !== undefined)).toEqual([false, false, false, false, true]);
    expect(boards.peek(key)?.value.season).toBeDefined();
    // The last one is played: it stays beside others that are not.
    await play("level:made-up-4", "ann", 1);
    await world.call("getTop", { leaderboard: "level:made-up-0" }, user("eve"));
    expect(boards.peek(allTime("level:made-up-4"))?.value.season).toBeDefined();
  });
});

describe("who may open a board", () => {
  const spentOn = (leaderboard: string) =>
    world.bill(() => play(leaderboard, "ann", 1).catch(() => undefined));

  test("with a collection: whoever names one of its documents; a document deleted later leaves the board", async () => {
    await save({ template: { ids: { collection: "levels" } } });
    await world.db.doc("levels/7").set({ by: "maker" });
    expect(await spentOn("level:8")).toMatchObject({ writes: 0 });
    await expect(play("level:8", "ann", 1)).rejects.toMatchObject({
      code: "leaderboard_not_found",
      message: 'There is no leaderboard "level:8": there is no document levels/8.',
    });
    await expect(play("level:__8__", "ann", 1)).rejects.toMatchObject({ code: "leaderboard_not_found" });
    expect(await template()).not.toHaveProperty("first_board_at");
    await play("level:7", "ann", 1);
    expect(await template()).toHaveProperty("first_board_at");
    expect(await exists(newBoardsPath("level"))).toBe(false);
    await world.db.doc("levels/7").delete();
    world.advance(2 * boardCacheMs);
    await play("level:7", "bob", 2);
    await world.publish(key);
    await expectRanked(world, key);
  });

  test("with any ids, and players who submit: so many in a day as the template says; then the owner is told once", async () => {
    await save({ template: { ids: "any", new_boards_per_day: 2 } });
    for (const name of ["a", "b"]) await play(`level:${name}`, "ann", 1);
    for (const name of ["c", "d"]) {
      expect(await spentOn(`level:${name}`)).toMatchObject({ writes: 0 });
      await expect(play(`level:${name}`, "ann", 1)).rejects.toThrow("2 were opened today");
    }
    const alerts = world.logged.filter(({ fields }) => fields && "firerank_alert" in fields);
    expect(alerts).toEqual([
      expect.objectContaining({ fields: { firerank_alert: "new_boards_refused", leaderboard: "level" } }),
    ]);
    await play("level:a", "bob", 2);
    world.advance(24 * 60 * minute);
    await play("level:c", "ann", 1);
    expect((await world.db.doc(newBoardsPath("level")).get()).data()).toEqual({
      day: "2100-01-03",
      boards: 1,
    });
  });

  test("a day that has begun is not counted anew by an instance whose clock is behind", async () => {
    await save({ template: { ids: "any", new_boards_per_day: 2 } });
    const nowMs = world.services.now();
    const behind = Object.assign(world.anotherInstance(), { now: () => nowMs - 30_000 });
    const midnightMs = Math.ceil(nowMs / 86_400_000) * 86_400_000;
    world.advance(midnightMs + 10_000 - nowMs);
    for (const name of ["a", "b"]) await play(`level:${name}`, "ann", 1);
    behind.now = () => midnightMs - 10_000;
    const submitted = callOn(behind, "submitScore", { leaderboard: "level:c", score: 1 }, user("ann"));
    await expect(submitted).rejects.toThrow("2 were opened today");
    await expect(play("level:d", "ann", 1)).rejects.toThrow("2 were opened today");
  });

  test("with any ids, and a server that submits: as many as it opens, uncounted", async () => {
    await save({ submit: "server" });
    const submissions = [{ player: "ann", score: 1 }];
    for (const name of ["a", "b"])
      await world.call("submitScores", { leaderboard: `level:${name}`, submissions }, admin);
    expect(await exists(newBoardsPath("level"))).toBe(false);
  });

  test("with any ids where App Check is not enforced: only a server", async () => {
    const open = Object.assign(world.anotherInstance(), { opener: "anybody" as const });
    const saved = (definition: object) =>
      callOn(open, "saveLeaderboard", { leaderboard: "level", definition }, admin);
    await expect(saved({ template: any })).rejects.toMatchObject({
      code: "invalid_request",
      details: { fields: [{ path: "definition.template.ids" }] },
    });
    await saved({ template: any, submit: "server" });
    await saved({ template: { ids: { collection: "levels" } }, submit: "client" });
    // It was saved while App Check was enforced.
    await save();
    const submitted = callOn(open, "submitScore", { leaderboard: "level:7", score: 1 }, user("ann"));
    await expect(submitted).rejects.toThrow("App Check is not enforced");
  });

  test("two instances at once open one board, and count it once", async () => {
    await save({ spans: ["all_time", "daily"], template: { ids: "any", new_boards_per_day: 10 } });
    const instances = [world.services, world.anotherInstance(), world.anotherInstance()];
    await Promise.all(
      instances.map((services, i) =>
        callOn(services, "submitScore", { leaderboard: "level:7", score: i }, user(`p${i}`)),
      ),
    );
    expect((await world.db.doc(newBoardsPath("level")).get()).get("boards")).toBe(1);
    await world.publish(key);
    await expectRanked(world, key);
  });

  test("a submission that is refused opens none", async () => {
    await save({ max_score: 10 });
    await expect(play("level:7", "ann", 11)).rejects.toMatchObject({ code: "score_out_of_range" });
    expect(await season()).toEqual({});
  });
});

describe("what a template freezes with its first board", () => {
  const spans = ["all_time", "daily"] as const;
  const segments = [{ name: "country", from: "server" }] as const;
  const changes = {
    order: "ascending",
    aggregation: "sum",
    decimals: 2,
    spans: ["all_time"],
    time_zone: "Asia/Tokyo",
    week_starts_on: "sunday",
    movement: true,
    segments: [
      { name: "country", from: "server" },
      { name: "guild", from: "server" },
    ],
    template: null,
  };

  test("everything may change before, and nothing of what each board has afterwards", async () => {
    await save({ spans: [...spans], segments: [...segments] });
    for (const name of Object.keys(changes) as (keyof typeof changes)[]) {
      await save({ [name]: changes[name] });
      await save({
        decimals: null,
        ...before,
        spans: [...spans],
        segments: [...segments],
      } as unknown as Given);
    }
    await play("level:7", "ann", 1);
    for (const name of Object.keys(changes) as (keyof typeof changes)[]) {
      await expect(save({ [name]: changes[name] }), name).rejects.toMatchObject({
        code: "definition_frozen",
        details: { fields: [{ path: `definition.${name}` }] },
      });
    }
    await save({
      max_score: 10,
      visibility: "public",
      top_size: 5,
      ties: "last",
      template: { ids: { collection: "levels" } },
    });
    expect(await template()).toHaveProperty("first_board_at");
    await expect(save({ order: "ascending" })).rejects.toMatchObject({ code: "definition_frozen" });
  });
  const before = {
    order: "descending",
    aggregation: "best",
    time_zone: "UTC",
    week_starts_on: "monday",
    movement: false,
    template: any,
  };

  test("a board with scores becomes no template", async () => {
    await world.call("saveLeaderboard", { leaderboard: "level", definition: {} }, admin);
    await play("level", "ann", 1);
    await expect(save()).rejects.toMatchObject({ code: "definition_frozen" });
  });

  test("limits and visibility apply within a minute, and the interval with a board's next run", async () => {
    await save();
    await play("level:7", "ann", 30);
    await save({ max_score: 10, ranking_interval_minutes: 1, visibility: "public" });
    world.advance(boardCacheMs);
    await expect(play("level:7", "bob", 11)).rejects.toMatchObject({ code: "score_out_of_range" });
    await world.call("getTop", { leaderboard: "level:7" });
    expect(await season()).toMatchObject({ interval_ms: 5 * minute });
    world.advance(5 * minute);
    await world.tick();
    expect(await season()).toMatchObject({ interval_ms: minute });
  });

  test("a sleeping board is not written, and wakes with an interval that has become shorter", async () => {
    await save({ ranking_interval_minutes: 600 });
    await play("level:7", "ann", 30);
    for (let due = await dueMs(); due !== undefined; due = await dueMs()) {
      world.advance(due - world.services.now());
      await world.tick();
    }
    const slept = await world.db.doc(seasonPath(key)).get();
    await save({ ranking_interval_minutes: 5 });
    expect((await world.db.doc(seasonPath(key)).get()).updateTime).toEqual(slept.updateTime);
    world.advance(boardCacheMs);
    await play("level:7", "bob", 40);
    world.advance(6 * minute);
    await world.tick();
    expect(await season()).toMatchObject({ interval_ms: 5 * minute, ranking: { players: 2 } });
  });
});

test("a ban is the template's: it is asked for with a player's first score on each of its boards", async () => {
  await save();
  await world.db.doc(playerStatusPath("level", "eve")).set({ status: "banned" });
  await play("level:7", "ann", 1);
  await expect(play("level:7", "eve", 1)).rejects.toMatchObject({ code: "player_banned" });
  await expect(play("level:8", "eve", 1)).rejects.toMatchObject({ code: "player_banned" });
});

test("a season whose span the template has no more is ranked to its end", async () => {
  await save({ spans: ["all_time"], ranking_interval_minutes: 1 });
  for (const player of ["ann", "bob"]) await play("level:7", player, 1);
  await world.db.doc(leaderboardPath("level")).delete();
  await save({ spans: ["daily"], ranking_interval_minutes: 1 });
  world.advance(boardCacheMs);
  let steps = 0;
  for (let minutes = 0; minutes < 60; minutes++) {
    world.advance(minute);
    steps += (await world.tick()).length;
  }
  expect(await season()).toMatchObject({ ranking: { generation: 1, players: 2 } });
  expect(steps).toBeLessThan(5);
});

test.each(["level:7", "arena"])(
  "%s takes values of a segment from whom the definition of its first score says, for every instance",
  async (leaderboard) => {
    const [from] = leaderboard.split(":");
    const template = leaderboard === "arena" ? {} : { template: any };
    const saveSource = (segment: object) =>
      world.call(
        "saveLeaderboard",
        {
          leaderboard: from ?? "",
          definition: { ...template, segments: [{ name: "league", ...segment }] } as Given,
        },
        admin,
      );
    await saveSource({ from: "submission", values: ["gold"] });
    const other = world.anotherInstance();
    const submission = { leaderboard, score: 5, segments: { league: "gold" } };
    await boardCacheOf(other).load(allTime(leaderboard));
    await saveSource({ from: "claim" });
    for (const code of [/contention|invalid_request/, "invalid_request"])
      await expect(callOn(other, "submitScore", submission, user("ann"))).rejects.toMatchObject({ code });
    await callOn(other, "submitScore", { leaderboard, score: 5 }, { uid: "ann", claims: { league: "iron" } });
    const player = await world.db.doc(playerPath(allTime(leaderboard), "ann")).get();
    expect(player.get("segments")).toEqual({ league: "iron" });
  },
);

test("a setting applies within a minute, also to a board that was read with the settings in memory", async () => {
  await save({ visibility: "public" });
  for (const board of ["level:7", "level:8"]) await play(board, "ann", 1);
  const other = world.anotherInstance();
  await boardCacheOf(other).load(key);
  await save({ visibility: "signed_in" });
  world.advance(boardCacheMs - 1);
  await boardCacheOf(other).load(allTime("level:8"));
  world.advance(1);
  for (const leaderboard of ["level:7", "level:8"])
    await expect(callOn(other, "getPage", { leaderboard }, undefined)).rejects.toMatchObject({
      code: "unauthenticated",
    });
});
