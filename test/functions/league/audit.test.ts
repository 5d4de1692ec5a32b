/** What an audit of a week does for its league: it puts right what a crash, a direct write or an import has left behind. */
import { describe, expect, test } from "vitest";
import { countPlayers } from "../../../functions/src/counting/count-players.ts";
import type { Group } from "../../../functions/src/documents/group.ts";
import { groupsPath, playerPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { auditGroups, auditSeatsMax } from "../../../functions/src/league/audit-groups.ts";
import { renewGroup } from "../../../functions/src/league/keep-group.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import type { OpenedBoard } from "../../../functions/src/seasons/read-board.ts";
import { playerFields } from "../../support/closing.ts";
import { watchCommits } from "../../support/commits.ts";
import {
  createLeague,
  doRefreshes,
  endWeek,
  five,
  groupOf,
  groupsOf,
  play,
  presentWeek,
  seated,
  tiersOf,
  toEndOf,
} from "../../support/league.ts";
import { admin, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const audit = (more: { full?: boolean } = {}) =>
  world.call("auditSeason", { leaderboard: "board", ...more }, admin);

async function boardOf(key: SeasonKey): Promise<OpenedBoard> {
  boardCacheOf(world.services).forget(key.leaderboard);
  return (await boardCacheOf(world.services).load(key)) as OpenedBoard;
}

/** Does something in a process that dies before it writes a group: nothing of it is committed any more. */
async function dyingBeforeGroups(work: () => Promise<unknown>): Promise<void> {
  let state: "lives" | "is dead" | "has another" = "lives";
  watchCommits(world, (writes, perform) => {
    if (state === "lives" && writes.some(({ path }) => path.includes("/league_groups/"))) state = "is dead";
    return state === "is dead" ? Promise.reject(new Error("the process died")) : perform();
  });
  await work().catch(() => undefined);
  expect(state).toBe("is dead");
  state = "has another";
  world.refreshes.clear();
}

const scoresIn = async (): Promise<Record<string, number | undefined>> => {
  const { seats } = await groupOf(world, await presentWeek(world), "bronze-1");
  return Object.fromEntries(Object.entries(seats).map(([seat, { player = seat, score }]) => [player, score]));
};

test("a process that dies between a score's commit and its group leaves a group that an audit brings up to date", async () => {
  await createLeague(world);
  await play(world, five);
  world.advance(10_000);
  await dyingBeforeGroups(() => world.submit("eve", 60));
  expect(await scoresIn()).toEqual(five);
  await audit();
  expect(await scoresIn()).toEqual({ ...five, eve: 60 });
});

test("a seat that was asked for in vain is asked for again, and given", async () => {
  await createLeague(world);
  await world.submit("ann", 1);
  world.refreshes.clear();
  world.advance(10_000);
  await audit();
  await doRefreshes(world);
  expect(await seated(world, await presentWeek(world))).toEqual({ "bronze-1": ["ann"] });
});

test("an import is asked for by a full audit, and shows in the group", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  world.advance(10_000);
  await world.db.doc(playerPath(week, "imp")).set(playerFields(7, 0));
  await countPlayers(world.services, week, ["imp"]);
  await audit();
  await doRefreshes(world);
  expect(Object.values(await seated(world, week)).flat()).not.toContain("imp");
  await audit({ full: true });
  await doRefreshes(world);
  expect(await seated(world, week)).toEqual({ "bronze-1": Object.keys(five), "bronze-2": ["imp"] });
});

describe("what a server writes by itself", () => {
  test("shows in the group after an audit: scores, bans, and replaced and deleted documents", async () => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, five);
    const ref = (player: string) => world.db.doc(playerPath(week, player));
    await ref("ann").update({ score: 5 });
    await ref("bob").update({ status: "banned" });
    await ref("cyd").set(playerFields(70, 0));
    await ref("dan").delete();
    for (const player of Object.keys(five)) await countPlayers(world.services, week, [player]);
    await audit();
    await doRefreshes(world);
    expect(await scoresIn()).toEqual({ ann: 5, s2: undefined, cyd: 70, s4: undefined, eve: 10 });
    // The document of the one who was replaced names the seat again.
    expect((await ref("cyd").get()).get("league_seat")).toEqual({ group: "bronze-1", seat: "s3" });
  });

  test("also after the time for first scores, and a copied seat is nothing", async () => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, five);
    await toEndOf(world, week, -3_600_000);
    const ref = (player: string) => world.db.doc(playerPath(week, player));
    await ref("cyd").set(playerFields(70, 0));
    await ref("copy").set((await ref("ann").get()).data() ?? {});
    await countPlayers(world.services, week, ["cyd", "copy"]);
    await audit({ full: true });
    await doRefreshes(world);
    expect(await scoresIn()).toEqual({ ...five, cyd: 70 });
    expect((await ref("cyd").get()).get("league_seat")).toEqual({ group: "bronze-1", seat: "s3" });
    await endWeek(world, week);
    expect(await tiersOf(world, "cyd", "copy")).toEqual(["silver", undefined]);
  });
});

test("20 an audit of groups that are in line writes nothing, and after anything a second one does not either", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ...five, fay: 60 });
  const versions = async () =>
    (await world.db.collection(groupsPath(week)).get()).docs.map(({ updateTime }) => updateTime.toMillis());
  const before = await versions();
  await audit({ full: true });
  expect(await versions()).toEqual(before);
  await world.call("setProfile", { leaderboard: "board", league: false }, user("ann"));
  await dyingBeforeGroups(() =>
    world.call("setPlayerStatus", { leaderboard: "board", player: "bob", status: "hidden" }, admin),
  );
  await world.db.doc(playerPath(week, "eve")).update({ score: 99 });
  await countPlayers(world.services, week, ["eve"]);
  await audit({ full: true });
  await doRefreshes(world);
  expect(await scoresIn()).toEqual({ s1: 50, s2: undefined, cyd: 30, dan: 20, eve: 99 });
  const [after, groups] = [await versions(), await groupsOf(world, week)];
  await audit({ full: true });
  expect(await versions()).toEqual(after);
  // What a refresh makes of the documents is the same.
  for (const id of groups.keys()) await renewGroup(world.services, await boardOf(week), id);
  const shownIn = ({ seats, readers, owners }: Group) => {
    const all = Object.entries(seats).map(([name, { version: _, ...seat }]) => [name, seat]);
    return { seats: new Map(all as [string, unknown][]), readers, owners };
  };
  for (const [id, group] of await groupsOf(world, week))
    expect(shownIn(group)).toEqual(shownIn(groups.get(id) ?? group));
});

test("an audit costs 2 reads a group and 1 a member, is bounded, and is free for boards without a league", async () => {
  await createBoard(world, "plain", { spans: ["weekly"], aggregation: "latest" });
  await createLeague(world);
  const submissions = Array.from({ length: 60 }, (_, i) => ({ player: `p${i}`, score: i }));
  for (const leaderboard of ["plain", "board"])
    await world.call("submitScores", { leaderboard, submissions }, admin);
  await doRefreshes(world);
  const week = await presentWeek(world);
  const board = await boardOf(week);
  const costOf = (groups: number) => [{ writes: 0, deletes: 0, reads: 1 + 1 + 2 * groups + 5 * groups }];
  const bill = async (of: OpenedBoard, seatsMax: number) => [
    await world.bill(() => auditGroups(world.services, of, { seatsMax })),
  ];
  // Waiting players, and the part of the groups that has none.
  expect(await bill(board, auditSeatsMax)).toEqual(costOf(12));
  expect(await bill(board, 1)).toEqual(costOf(8));
  const plain = await boardOf({ ...week, leaderboard: "plain" });
  expect(await bill(plain, Infinity)).toEqual([{ reads: 0, writes: 0, deletes: 0 }]);
});
