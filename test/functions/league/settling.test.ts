/** What becomes of a week's groups at its end: once, in order, and for nobody else than the members. */
import { describe, expect, test } from "vitest";
import { groupPath, groupsPath, playerPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { renewGroup } from "../../../functions/src/league/keep-group.ts";
import { settleLeague } from "../../../functions/src/league/settle.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import type { OpenedBoard } from "../../../functions/src/seasons/read-board.ts";
import { closed, endSeason, seasonOf } from "../../support/closing.ts";
import { watchCommits } from "../../support/commits.ts";
import {
  createLeague,
  doRefreshes,
  endWeek,
  five,
  getLeague,
  groupOf,
  play,
  presentWeek,
  seated,
  settledEvents,
  smallLeague,
  standingOf,
  tiersOf,
  toEndOf,
} from "../../support/league.ts";
import { admin, callOn, createWorld, eachWorld, user, type World } from "../../support/world.ts";

const world = eachWorld();

async function boardOf(
  { services }: World,
  key: Awaited<ReturnType<typeof presentWeek>>,
): Promise<OpenedBoard> {
  boardCacheOf(services).forget("board");
  return (await boardCacheOf(services).load(key)) as OpenedBoard;
}

const setStatus = (player: string, status: "active" | "hidden" | "banned") =>
  world.call("setPlayerStatus", { leaderboard: "board", player, status }, admin);

test("4 a score from before the end that is stored after it is settled with", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  await toEndOf(world, week, -1_000);
  const sentMs = world.services.now();
  const remembers = await world.coldInstance(week);
  world.advance(1_100);
  await stepEnd(world.services, { ...week, step: 0 });
  expect((await seasonOf(world, week)).status).toBe("closing");
  const late = { ...remembers, now: () => sentMs };
  await callOn(late, "submitScore", { leaderboard: "board", score: 99 }, user("eve"));
  await endWeek(world, week);
  expect(await standingOf(world, "eve")).toMatchObject({
    tier: "silver",
    outcomes: { [week.season]: { place: 1 } },
  });
  expect(await tiersOf(world, "ann")).toEqual(["bronze"]);
});

test("5 settling twice, by two instances at once, makes one outcome and one event", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ...five, fay: 60, gus: 70 });
  await toEndOf(world, week, 400_000);
  const board = await boardOf(world, week);
  const other = world.anotherInstance();
  await Promise.all([world.services, other].map((services) => settleLeague(services, board, () => false)));
  const before = [await standingOf(world, "ann"), await groupOf(world, week, "bronze-1")];
  await settleLeague(world.services, await boardOf(world, week), () => false);
  await settleLeague(world.services, board, () => false);
  expect([await standingOf(world, "ann"), await groupOf(world, week, "bronze-1")]).toEqual(before);
  expect(
    (await settledEvents(world)).map(({ group, up, stayed, down }) => [group, up, stayed, down]),
  ).toEqual([
    ["bronze-1", ["ann"], ["bob", "cyd", "dan", "eve"], []],
    ["bronze-2", [], ["gus", "fay"], []],
  ]);
  expect((await seasonOf(world, week)).league).toBe("settled");
});

test("5 settling that is cut off before or after any commit goes on to the same end", async () => {
  const outcomes: unknown[] = [];
  let isCut = true;
  for (let n = 0; isCut; n++)
    for (const isAfter of [false, true]) {
      const own = createWorld();
      await createLeague(own);
      const week = await presentWeek(own);
      await play(own, { ...five, fay: 60 });
      // Nobody has given this one a seat yet.
      await own.submit("gus", 70);
      own.refreshes.clear();
      await toEndOf(own, week, 400_000);
      const board = await boardOf(own, week);
      let left = n;
      isCut = false;
      watchCommits(own, async (_, perform) => {
        if (left-- !== 0) return perform();
        isCut = true;
        if (isAfter) await perform();
        throw new Error("the process died");
      });
      await settleLeague(own.services, board, () => false).catch(() => undefined);
      await settleLeague(own.services, await boardOf(own, week), () => false);
      const players = [...Object.keys(five), "fay", "gus"];
      const standings = await Promise.all(players.map((player) => standingOf(own, player)));
      const events = (await settledEvents(own)).map(({ group, up, stayed }) => [group, up, stayed]);
      outcomes.push(JSON.stringify([standings, events, (await seasonOf(own, week)).league]));
    }
  expect(outcomes.length).toBeGreaterThan(6);
  expect(new Set(outcomes).size).toBe(1);
});

describe("6 weeks in which nothing ran are settled in their order,", () => {
  const season = async () => (await presentWeek(world)).season;

  test("whichever is tried first", async () => {
    await createLeague(world);
    const weeks = [];
    for (let i = 0; i < 3; i++) {
      const week = await presentWeek(world);
      weeks.push(week);
      await play(world, five);
      await toEndOf(world, week, 3_600_000);
    }
    const [first, second, third] = weeks.map((key) => key);
    if (first === undefined || second === undefined || third === undefined)
      expect.fail("three weeks were played");
    expect(await seated(world, second)).toEqual({});
    // The final table does not wait for an earlier week.
    await endSeason(world, third, { until: closed });
    expect((await seasonOf(world, third)).league).toBe("open");
    expect((await seasonOf(world, third)).status).toBe("closed");
    for (const key of [first, second]) await endSeason(world, key, { until: closed });
    await endSeason(world, third);
    for (const key of weeks) expect((await seasonOf(world, key)).league).toBe("settled");
    const { outcomes = {} } = await standingOf(world, "ann");
    expect(Object.values(outcomes).map(({ from, to }) => [from, to])).toEqual([
      ["bronze", "silver"],
      ["silver", "silver"],
      ["silver", "silver"],
    ]);
    const { outcomes: ofBob = {} } = await standingOf(world, "bob");
    // Four are left below: too few for somebody to go up.
    expect(Object.values(ofBob).map(({ from, to }) => [from, to])).toEqual(
      Array(3).fill(["bronze", "bronze"]),
    );
    expect(await season()).not.toBe(third.season);
  });

  test("also one in which nobody has got a seat when the next begins", async () => {
    await createLeague(world);
    const week = await presentWeek(world);
    for (const [player, score] of Object.entries(five)) await world.submit(player, score);
    world.refreshes.clear();
    await toEndOf(world, week, 1_000);
    await play(world, five);
    const next = await presentWeek(world);
    expect(await seated(world, next)).toEqual({});
    await endWeek(world, week);
    expect(await seated(world, next)).toEqual({
      "bronze-1": ["bob", "cyd", "dan", "eve"],
      "silver-1": ["ann"],
    });
  });

  test("of 167 and 169 hours, and in a new time zone", async () => {
    await createLeague(world, { inactive: { weeks: 1, then: "demote" } }, { time_zone: "Europe/Vienna" });
    const hours = new Set<number>();
    for (let i = 0; i < 44; i++) {
      const week = await presentWeek(world);
      if (i === 20) {
        const definition = { time_zone: "America/New_York" };
        await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
        world.advance(61_000);
      }
      await play(world, five);
      const { opens_at: opens, closes_at: closes } = await seasonOf(world, week);
      hours.add(((closes?.toMillis() ?? 0) - opens.toMillis()) / 3_600_000);
      await endWeek(world, week);
      world.advance(3_600_000);
    }
    expect([...hours]).toEqual(expect.arrayContaining([167, 168, 169]));
    // Nobody was away: a week of another length is one week.
    expect(await standingOf(world, "ann")).toMatchObject({ tier: "silver" });
    expect(Object.keys((await standingOf(world, "ann")).outcomes ?? {})).toHaveLength(10);
  }, 120_000);
});

test("8 the zone that is drawn at the end is the one that is settled, and nothing is decided before", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ...five, fay: 35 });
  await toEndOf(world, week, 1_000);
  await stepEnd(world.services, { ...week, step: 0 });
  const drawn = await Promise.all(
    Object.keys(five).map((player) => getLeague(world, player, { season: week.season })),
  );
  expect(drawn.map(({ league }) => [league?.state, league?.zone])).toEqual([
    ["ending", "up"],
    ...Array<[string, null]>(4).fill(["ending", null]),
  ]);
  expect(await tiersOf(world, ...Object.keys(five))).toEqual(Array(5).fill(undefined));
  await endWeek(world, week);
  for (const player of Object.keys(five)) {
    const before = drawn[Object.keys(five).indexOf(player)]?.league;
    const { league } = await getLeague(world, player, { season: week.season });
    const own = league?.entries.find((entry) => entry.player === player);
    expect([league?.state, own?.place, own?.move]).toEqual([
      "settled",
      before?.place,
      before?.zone ?? "stayed",
    ]);
  }
});

test("9 a tie on the edge of a zone goes by time, and the zone does not grow", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  for (const player of ["eve", "ann", "bob", "cyd", "dan"]) {
    world.advance(1_000);
    await world.submit(player, 7);
  }
  await doRefreshes(world);
  await endWeek(world, week);
  expect(await tiersOf(world, "eve", "ann", "bob", "cyd", "dan")).toEqual([
    "silver",
    ...Array<string>(4).fill("bronze"),
  ]);
});

test("10 a member whose score does not count any more is last, and makes no zone", async () => {
  await createLeague(world, {
    tiers: [
      { id: "low", name: "Low" },
      { id: "mid", name: "Mid", demote: 1 },
    ],
  });
  const week = await presentWeek(world);
  await play(world, five);
  for (const player of ["ann", "bob"]) await setStatus(player, "hidden");
  await endWeek(world, week);
  const { seats } = await groupOf(world, week, "low-1");
  expect(Object.values(seats).map(({ player, place, move }) => [player, place, move])).toEqual([
    [undefined, undefined, undefined],
    [undefined, undefined, undefined],
    ["cyd", 1, "stayed"],
    ["dan", 2, "stayed"],
    ["eve", 3, "stayed"],
  ]);
});

test("18 outcomes outlive the week, its groups and the seasons that are kept", async () => {
  await createLeague(world, {}, { keep_seasons: 1 });
  const first = await presentWeek(world);
  await play(world, five);
  await endWeek(world, first);
  const second = await presentWeek(world);
  await play(world, five);
  await toEndOf(world, second, 1_000);
  await endSeason(world, second);
  await endSeason(world, first);
  expect((await world.db.doc(seasonPath(first)).get()).exists).toBe(false);
  expect((await world.db.collection(groupsPath(first)).get()).empty).toBe(true);
  const { outcomes } = await standingOf(world, "ann");
  expect(Object.keys(outcomes ?? {})).toEqual([first.season, second.season]);
});

test("a failure of settling does not hold up the final table, and is made up for before the week is cleared", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  let isBroken = true;
  watchCommits(world, (writes, perform) => {
    const isSettling = writes.some(({ path }) => path.includes("/player_statuses/"));
    return isSettling && isBroken ? Promise.reject(new Error("broken")) : perform();
  });
  await endSeason(world, week, { until: closed });
  expect(await seasonOf(world, week)).toMatchObject({ status: "closed", league: "open" });
  expect(world.logged.map(({ message }) => message)).toContain(
    "the groups of a season could not be settled; it is tried again in minutes",
  );
  await endSeason(world, week, {
    until: ({ end_failures: failures = 0 }) => failures > 0,
    step: (services) => stepEnd(services, { ...week, step: 0 }).catch(() => undefined),
  });
  isBroken = false;
  await endSeason(world, week);
  expect(await seasonOf(world, week)).toMatchObject({
    league: "settled",
    cleared_at: expect.anything() as unknown,
  });
  expect(await tiersOf(world, "ann")).toEqual(["silver"]);
});

test("a damaged group is named, holds up no final table, and its week is settled once it is mended", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  const ref = world.db.doc(groupPath(week, "bronze-1"));
  const { readers } = await groupOf(world, week, "bronze-1");
  await ref.update({ readers: "everybody" });
  await endSeason(world, week, { until: closed });
  expect(await seasonOf(world, week)).toMatchObject({ status: "closed", league: "open" });
  expect(JSON.stringify(world.logged)).toContain(`${ref.path} is damaged`);
  await ref.update({ readers });
  await endSeason(world, week);
  expect((await seasonOf(world, week)).league).toBe("settled");
  expect(await tiersOf(world, "ann")).toEqual(["silver"]);
}, 20_000);

test("a settled group says when it was written last", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  await endWeek(world, week);
  const { settled_at: settledAt, pace } = await groupOf(world, week, "bronze-1");
  expect(pace.written_at).toEqual(settledAt);
});

test("20 a group that is made anew from its members is the one that their scores have made", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  world.advance(10_000);
  await play(world, { ann: 5, eve: 80 });
  world.advance(10_000);
  await play(world, { bob: 6 });
  const shown = async () =>
    Object.entries((await groupOf(world, week, "bronze-1")).seats)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { player, score }]) => [player, score]);
  const kept = await shown();
  const scores = await Promise.all(
    Object.keys(five).map(async (player) => [
      player,
      (await world.db.doc(playerPath(week, player)).get()).get("score") as unknown,
    ]),
  );
  expect(kept).toEqual(scores);
  await renewGroup(world.services, await boardOf(world, week), "bronze-1");
  expect(await shown()).toEqual(kept);
  expect(smallLeague.size).toBe(kept.length);
});

test("a settled group keeps the places of its end, whatever the board's ties are later", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ...five, ann: 50 });
  world.advance(10_000);
  await play(world, { bob: 50 });
  await endWeek(world, week);
  const shown = async () =>
    ((await getLeague(world, "ann", { season: week.season })).league?.entries ?? []).map(
      ({ player, place, zone }) => [player, place, zone],
    );
  const before = await shown();
  expect(before[0]).toEqual(["ann", 1, "up"]);
  await world.call("saveLeaderboard", { leaderboard: "board", definition: { ties: "last" } }, admin);
  world.advance(61_000);
  // Came out: bob is the first, and ann, who went up, the second.
  expect(await shown()).toEqual(before);
});
