/** Erasures and bans on many boards go on in steps after the call, and an erasure looks once more. */
import { beforeEach, describe, expect, test } from "vitest";
import { erasurePath } from "../../../functions/src/documents/erasure.ts";
import {
  erasuresPath,
  leaderboardPath,
  playerPath,
  seasonPath,
} from "../../../functions/src/documents/paths.ts";
import { stepPlayer } from "../../../functions/src/jobs/players/step.ts";
import { enqueueDue } from "../../../functions/src/jobs/schedule/schedule.ts";
import { FirerankError } from "../../../functions/src/model/errors.ts";
import { erasureKeptMs, erasureLooksAgainMs } from "../../../functions/src/model/limits.ts";
import { boardsByStatus, boardsOfPlayer } from "../../../functions/src/seasons/player-boards.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import type { PlayerRequest } from "../../../functions/src/world/tasks.ts";
import { watchCommits } from "../../support/commits.ts";
import { expectRanked } from "../../support/oracle.ts";
import { admin, allTime, callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const levels = Array.from({ length: 24 }, (_, i) => `level:${i}`);
const note = () => world.db.doc(erasurePath("ann"));
const play = (leaderboard: string, player = "ann") =>
  world.call("submitScore", { leaderboard, score: 5 }, user(player));

beforeEach(async () => {
  await createBoard(world, "level", { template: { ids: "any" } });
  for (const board of ["arena", "bowl", "cave"]) await createBoard(world, board);
  for (const leaderboard of [...levels, "arena", "bowl", "cave"]) await play(leaderboard);
  await play("level:1", "bob");
});

/** Enough for some boards, where each look at the clock takes a millisecond. */
const shortMs = 25;

/** An instance whose calls and steps have little time, and its queue. */
function hurried() {
  let passed = 0;
  const queue = new Map<string, { request: PlayerRequest; dueMs: number }>();
  const services: Services = {
    ...world.anotherInstance(),
    now: () => world.services.now() + passed++,
    callMsMax: shortMs,
    enqueueJob(request, taskId, delaySeconds) {
      if ("note" in request && !queue.has(taskId))
        queue.set(taskId, { request, dueMs: world.services.now() + delaySeconds * 1_000 });
      return Promise.resolve();
    },
  };
  const done = new Set<string>();
  /** Does the steps that are due, each twice, until none is left. @returns how many there were. */
  async function work(): Promise<number> {
    let steps = 0;
    for (;;) {
      const due = [...queue].find(([id, { dueMs }]) => !done.has(id) && dueMs <= world.services.now());
      if (due === undefined) return steps;
      done.add(due[0]);
      steps++;
      for (let delivery = 1; delivery <= 2; delivery++)
        await stepPlayer(services, due[1].request, { budgetMs: shortMs });
    }
  }
  return { services, queue, work };
}

const remove = (services: Services, leaderboard?: string) =>
  callOn(services, "removePlayer", { player: "ann", ...(leaderboard && { leaderboard }) }, admin);
const setStatus = (services: Services, leaderboard: string, status: "banned" | "active" | "hidden") =>
  callOn(services, "setPlayerStatus", { leaderboard, player: "ann", status }, admin);
const isThere = async (board: string) => (await world.db.doc(playerPath(allTime(board), "ann")).get()).exists;
/** The code of the error with which a call fails. */
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof FirerankError ? error.code : error),
  );
const anHourLater = () => world.advance(erasureLooksAgainMs + 120_000);

describe("an erasure", () => {
  test.each([undefined, "level"])("from %s goes on in steps after the call", async (leaderboard) => {
    const { services, work } = hurried();
    const { continues, removed } = await remove(services, leaderboard);
    expect(continues).toBe(true);
    expect(removed.length).toBeGreaterThan(0);
    const left = await boardsOfPlayer(services, "ann");
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(levels.length);
    expect(await work()).toBeGreaterThan(1);
    expect(await boardsOfPlayer(services, "ann")).toEqual([]);
    for (const board of ["arena", "bowl", "cave"]) {
      const { exists } = await world.db.doc(playerPath(allTime(board), "ann")).get();
      expect(exists, board).toBe(leaderboard !== undefined);
    }
    // The note has the id until the second look is over.
    expect((await note().get()).data()).toMatchObject({ player: "ann" });
    anHourLater();
    await work();
    const { player, erase, ...rest } = (await note().get()).data() ?? {};
    expect([player, erase, Object.keys(rest).length]).toEqual([undefined, undefined, 1]);
    await world.publish(allTime("level:1"));
    await expectRanked(world, allTime("level:1"));
  });

  test("that one call can do says nothing of steps, and has one task: that of its second look", async () => {
    const { services, queue } = hurried();
    const { continues } = await remove({ ...services, callMsMax: Infinity });
    expect(continues).toBeUndefined();
    expect([...queue.values()].map(({ request }) => request)).toEqual([
      { job: "erase", note: note().id, step: 0 },
    ]);
    expect(JSON.stringify([...queue])).not.toContain("ann");
  });

  test("finds after an hour what a server has written meanwhile, and not where an admin let the player back", async () => {
    const { services, work } = hurried();
    await remove({ ...services, callMsMax: Infinity });
    for (const board of ["level:7", "bowl"]) {
      const written = await world.writeDirectly(allTime(board), "ann", { score: 3, status: "active" });
      await world.follow(allTime(board), "ann", written);
    }
    await world.call("setPlayerStatus", { leaderboard: "cave", player: "ann", status: "active" }, admin);
    await play("cave");
    // A queue that delivers at once, as the emulators' does.
    await stepPlayer(services, { job: "erase", note: note().id, step: 0 });
    expect(await boardsOfPlayer(services, "ann")).toEqual(["level:7"]);
    anHourLater();
    await work();
    expect(await boardsOfPlayer(services, "ann")).toEqual([]);
    for (const [board, isThere] of [
      ["bowl", false],
      ["cave", true],
    ] as const)
      expect((await world.db.doc(playerPath(allTime(board), "ann")).get()).exists, board).toBe(isThere);
    expect((await note().get()).get("player")).toBeUndefined();
  });

  test("from several boards looks once more at each of them alone", async () => {
    const { services, work } = hurried();
    await remove({ ...services, callMsMax: Infinity }, "arena");
    await remove({ ...services, callMsMax: Infinity }, "level:3");
    for (const board of ["arena", "level:3"])
      await world.writeDirectly(allTime(board), "ann", { score: 3, status: "active" });
    anHourLater();
    await work();
    for (const board of ["arena", "level:3"])
      expect((await world.db.doc(playerPath(allTime(board), "ann")).get()).exists, board).toBe(false);
    expect(await boardsOfPlayer(services, "ann")).toHaveLength(levels.length - 1);
    expect((await note().get()).get("player")).toBeUndefined();
  });

  test("whose tasks are lost goes on with the daily look, and is told of where it does not", async () => {
    const lost = { ...hurried().services, enqueueJob: () => Promise.reject(new Error("no queue")) };
    await expect(remove(lost)).rejects.toThrow("no queue");
    expect(await boardsOfPlayer(lost, "ann")).not.toEqual([]);
    const { services, queue, work } = hurried();
    atFour();
    await enqueueDue(services);
    expect(queue.size).toBe(1);
    await work();
    expect(await boardsOfPlayer(services, "ann")).toEqual([]);
    expect((await note().get()).get("player")).toBeUndefined();
    expect(alerts()).toEqual([]);
    atFour();
    await enqueueDue(services);
    expect((await note().get()).exists).toBe(false);
  });

  test("that meets a board which cannot be read does not end before it has", async () => {
    const { services, work } = hurried();
    const board = world.db.doc(leaderboardPath("bowl"));
    const good = (await board.get()).data() ?? {};
    await board.set({ ...good, order: "sideways" });
    await expect(remove({ ...services, callMsMax: Infinity })).rejects.toThrow();
    expect(await boardsOfPlayer(services, "ann")).toEqual([]);
    anHourLater();
    await work();
    expect((await note().get()).get("player")).toBe("ann");
    world.advance(erasureKeptMs);
    atFour();
    await enqueueDue(services);
    expect(alerts()).toEqual([
      { firerank_alert: "player_work_stuck", note: `${erasuresPath}/${note().id}`, work: "erase" },
    ]);
    await board.set(good);
    const again = hurried();
    await remove({ ...again.services, callMsMax: Infinity });
    anHourLater();
    await again.work();
    expect((await world.db.doc(playerPath(allTime("bowl"), "ann")).get()).exists).toBe(false);
    expect((await note().get()).get("player")).toBeUndefined();
  });

  test.each(["cave", "level"])(
    "goes before whom an admin lets back on %s while steps are left",
    async (board) => {
      const { services, work } = hurried();
      await remove(services);
      expect(await isThere("cave")).toBe(true);
      expect(await boardsOfPlayer(services, "ann")).not.toEqual([]);
      await setStatus(world.services, board, "active");
      const isLeft =
        board === "cave" ? await isThere("cave") : (await boardsOfPlayer(services, "ann")).length > 0;
      expect(isLeft).toBe(false);
      const again = board === "cave" ? "cave" : "level:2";
      await play(again);
      await work();
      anHourLater();
      await work();
      expect(await isThere(again)).toBe(true);
      expect(await isThere("bowl")).toBe(false);
    },
  );

  test("leaves to whom an admin lets back what a server has written since all boards were passed", async () => {
    const { services, work } = hurried();
    await remove(services);
    await work();
    for (const board of ["cave", "level:2"]) {
      await world.writeDirectly(allTime(board), "ann", { score: 3, status: "active" });
      await world.deliver(allTime(board), "ann");
      await setStatus(world.services, board, "active");
    }
    anHourLater();
    await work();
    for (const board of ["cave", "level:2"]) expect(await isThere(board), board).toBe(true);
  });

  test("that would take longer than the call which lets the player back is gone on with by the same call", async () => {
    const { services } = hurried();
    await remove(services);
    let calls = 0;
    while ((await codeOf(setStatus(services, "level", "active"))) === "contention") calls++;
    expect(calls).toBeGreaterThan(0);
    expect(await boardsOfPlayer(services, "ann")).toEqual([]);
  });

  test("takes nothing of a player who is let back, and plays, while a step is under way", async () => {
    const { services, work } = hurried();
    await remove(services);
    expect((await boardsOfPlayer(services, "ann")).length).toBeGreaterThan(8);
    let back: Promise<unknown> | undefined;
    watchCommits(services, async (writes, perform) => {
      if (!writes.some(({ path }) => /level:.*players\/ann/.test(path))) return perform();
      back ??= (async () => {
        await setStatus(world.anotherInstance(), "cave", "active");
        await play("cave");
        world.advance(2_000);
      })();
      await back;
      return perform();
    });
    await work();
    expect(await isThere("cave")).toBe(true);
    expect(await isThere("bowl")).toBe(false);
  });

  test("whose second look comes a day late takes nothing of whom boards take again", async () => {
    const { services, work } = hurried();
    await remove({ ...services, callMsMax: Infinity });
    world.advance(erasureKeptMs + 60_000);
    for (const board of ["cave", "level:2"]) await play(board);
    await work();
    for (const board of ["cave", "level:2"]) expect(await isThere(board)).toBe(true);
    // Nobody has looked: an admin is told, and says what becomes of the player.
    expect((await note().get()).get("player")).toBe("ann");
  });

  test.each(["cave", "level"])(
    "refuses a ban on %s until it has looked once more, as it would take the ban along",
    async (board) => {
      const { services, work } = hurried();
      await remove(services);
      expect(await codeOf(setStatus(world.services, board, "banned"))).toBe("player_erased");
      await work();
      const on = board === "level" ? "level:1" : board;
      await world.writeDirectly(allTime(on), "ann", { score: 3, status: "active" });
      await world.deliver(allTime(on), "ann");
      expect(await codeOf(setStatus(world.services, board, "banned"))).toBe("player_erased");
      anHourLater();
      await work();
      expect(await isThere(on)).toBe(false);
    },
  );

  test("costs for its second look what a repeated call costs, and the read of its note", async () => {
    const services = { ...hurried().services, callMsMax: Infinity };
    await remove(services, "arena");
    anHourLater();
    const again = await world.bill(() => remove(services, "arena"));
    anHourLater();
    const look = await world.bill(() => stepPlayer(services, { job: "erase", note: note().id, step: 0 }));
    expect(look).toEqual({ ...again, reads: again.reads + 1 });
  });
});

describe("a ban on a template", () => {
  const ban = (services: Services, status: "banned" | "active" | "hidden") =>
    setStatus(services, "level:3", status);
  const boardsNot = async (status: "banned" | "active") =>
    (await boardsByStatus(world.services, "ann", "level", status)).toSet.length;

  test("goes on in steps after the call, and holds at once on boards to come", async () => {
    const { services, work } = hurried();
    const { continues } = await ban(services, "banned");
    expect(continues).toBe(true);
    const left = await boardsNot("banned");
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(levels.length);
    await expect(play("level:new")).rejects.toMatchObject({ code: "player_banned" });
    expect(await work()).toBeGreaterThan(1);
    expect(await boardsNot("banned")).toBe(0);
    expect((await note().get()).data()).toEqual({});
    atFour();
    await enqueueDue(services);
    expect((await note().get()).exists).toBe(false);
  });

  test("that is lifted before it is everywhere ends as the admin said last", async () => {
    const { services, work } = hurried();
    await ban(services, "banned");
    await ban(services, "active");
    await work();
    expect(await boardsNot("active")).toBe(0);
    await world.publish(allTime("level:1"));
    await expectRanked(world, allTime("level:1"));
  });

  test.each([
    ["banned", "active", "a step"],
    ["active", "banned", "a step"],
    ["banned", "active", "the call"],
    ["active", "banned", "the call"],
  ] as const)("%s ends as %s where an admin says so while %s is under way", async (first, second, during) => {
    if (first === "active") await ban({ ...world.services, callMsMax: Infinity }, "banned");
    const { services, work } = hurried();
    if (during === "a step") await ban(services, first);
    const said: string[] = [];
    watchCommits(services, async (writes, perform) => {
      if (said.length === 0 && writes.some(({ path }) => /level:.*players\/ann/.test(path))) {
        said.push(second);
        await ban({ ...world.anotherInstance(), callMsMax: Infinity }, second);
      }
      return perform();
    });
    if (during === "the call") await ban({ ...services, callMsMax: Infinity }, first);
    await work();
    expect(said).toEqual([second]);
    expect(await boardsNot(second)).toBe(0);
  });

  test("that meets a board which cannot be read is not done before it has, and the log names the board", async () => {
    const { services, queue, work } = hurried();
    await ban(services, "banned");
    const [board = ""] = (await boardsByStatus(services, "ann", "level", "banned")).toSet;
    const season = world.db.doc(seasonPath(allTime(board)));
    const good = (await season.get()).data() ?? {};
    await season.set({ ...good, status: "sideways" });
    await work();
    expect(world.logged).toContainEqual(
      expect.objectContaining({ message: "a player's status could not be set on a board" }),
    );
    await season.set(good);
    expect(await boardsNot("banned")).toBe(1);
    queue.clear();
    atFour();
    await enqueueDue(services);
    await work();
    expect(await boardsNot("banned")).toBe(0);
    expect((await note().get()).data()).toEqual({});
  });

  test("that one call can do leaves no note", async () => {
    const { services, queue } = hurried();
    expect((await ban({ ...services, callMsMax: Infinity }, "hidden")).continues).toBeUndefined();
    expect(queue.size).toBe(0);
    expect((await note().get()).exists).toBe(false);
  });

  test("whose tasks are lost goes on with the daily look", async () => {
    const { services, queue, work } = hurried();
    await ban(services, "banned");
    queue.clear();
    atFour();
    await enqueueDue(services);
    await work();
    expect(await boardsNot("banned")).toBe(0);
  });
});

function atFour(): void {
  const day = 86_400_000;
  world.advance(day + 4 * 3_600_000 - (world.services.now() % day));
}

const alerts = () =>
  world.logged.flatMap(({ fields = {} }) =>
    "firerank_alert" in fields && fields.firerank_alert === "player_work_stuck" ? [fields] : [],
  );
