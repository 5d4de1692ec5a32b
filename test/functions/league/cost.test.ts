/** What a league costs in document reads and writes: the promises of docs/league.md. */
import { expect, test } from "vitest";
import { seatWaiting } from "../../../functions/src/league/seat-waiting.ts";
import { refreshWhenDue } from "../../../functions/src/groups/refresh.ts";
import { takePart } from "../../../functions/src/league/take-part.ts";
import { settleLeague } from "../../../functions/src/league/settle.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import type { OpenedBoard } from "../../../functions/src/seasons/read-board.ts";
import {
  createLeague,
  five,
  getLeague,
  play,
  presentWeek,
  smallLeague,
  toEndOf,
} from "../../support/league.ts";
import { admin, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const free = { reads: 0, writes: 0, deletes: 0 };
const submitAll = (scores: Record<string, number>) => {
  const submissions = Object.entries(scores).map(([player, score]) => ({ player, score }));
  return world.call("submitScores", { leaderboard: "board", submissions }, admin);
};

test("a changed score costs 1 read and 1 write more while its group is quiet, and nothing without a league", async () => {
  await createBoard(world, "board", { spans: ["weekly"], aggregation: "latest" });
  world.advance(2 * 86_400_000);
  await submitAll(five);
  world.advance(15_000);
  const plain = await world.bill(() => submitAll({ ann: 51 }));
  world.advance(1_000);
  const plainSoon = await world.bill(() => submitAll({ ann: 52 }));
  const definition = { league: smallLeague };
  await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  await submitAll({ ann: 1, bob: 2, cyd: 3, dan: 4, eve: 5 });
  await seatWaiting(world.services, await presentWeek(world));
  world.advance(15_000);
  const inLeague = await world.bill(() => submitAll({ ann: 53 }));
  expect(inLeague).toEqual({ ...plain, reads: plain.reads + 1, writes: plain.writes + 1 });
  // Not a second later: then a task refreshes the group, once for all.
  world.advance(1_000);
  expect(await world.bill(() => submitAll({ ann: 54 }))).toEqual({
    ...plainSoon,
    reads: plainSoon.reads + 1,
  });
  expect(await world.bill(() => submitAll({ bob: 55 }))).toEqual(plainSoon);
  const [refresh] = [...world.refreshes.values()].filter(({ follows }) => follows === "group");
  if (refresh === undefined) expect.fail("no refresh was requested");
  const spent = await world.bill(() => refreshWhenDue(world.services, refresh));
  expect(spent).toEqual({ ...free, reads: 1 + 5, writes: 1 });
});

test("a seat costs 2 reads and 1 write, and a share of the group", async () => {
  await createLeague(world);
  await submitAll(five);
  const week = await presentWeek(world);
  const [season, leagues, shown, newest] = [1, 1, 1, 1];
  expect(await world.bill(() => seatWaiting(world.services, week))).toEqual({
    ...free,
    reads: season + leagues + shown + newest + 2 * 5,
    writes: 5 + 1,
  });
  await submitAll({ fay: 1 });
  expect(await world.bill(() => seatWaiting(world.services, week))).toEqual({
    ...free,
    reads: season + leagues + shown + newest + 2,
    // The group before is not the newest any more.
    writes: 1 + 1 + 1,
  });
  expect(await world.bill(() => seatWaiting(world.services, week))).toEqual({ ...free, reads: 2 });
});

test("settling costs 1 read and 1 write a member, 2 and 2 a group, and getLeague 3 reads", async () => {
  await createLeague(world);
  await play(world, five);
  const week = await presentWeek(world);
  expect(await world.reads(() => getLeague(world, "ann"))).toBe(3);
  await toEndOf(world, week, 400_000);
  boardCacheOf(world.services).forget("board");
  const board = (await boardCacheOf(world.services).load(week)) as OpenedBoard;
  const [leagues, season, waiting, end] = [1, 1, 1, 3];
  expect(await world.bill(() => settleLeague(world.services, board, () => false))).toEqual({
    ...free,
    reads: leagues + season + waiting + 2 + 5 + end,
    writes: 5 + 2 + 1,
  });
  const settled = (await boardCacheOf(world.anotherInstance()).load(week)) as OpenedBoard;
  expect(await world.bill(() => settleLeague(world.services, settled, () => false))).toEqual(free);
});

test("the end of a season without a league costs nothing for leagues", async () => {
  await createBoard(world, "board", { spans: ["weekly"] });
  world.advance(2 * 86_400_000);
  await submitAll(five);
  const board = (await boardCacheOf(world.services).load(await presentWeek(world))) as OpenedBoard;
  expect(await world.bill(() => settleLeague(world.services, board, () => false))).toEqual(free);
});

test("leaving costs 3 reads and a write, and 4 and a write for each week that is not settled", async () => {
  await createLeague(world);
  await play(world, five);
  const wish = { leaderboard: "board", player: "ann", takesPart: false, isModerators: false };
  expect(await world.bill(() => takePart(world.services, wish))).toEqual({
    ...free,
    reads: 3 + 4,
    writes: 1 + 1,
  });
});
