/** What becomes of a member who is hidden, banned, erased, merged, or goes around the rules. */
import { describe, expect, test } from "vitest";
import { playerStatusPath } from "../../../functions/src/documents/paths.ts";
import { seasonOf } from "../../support/closing.ts";
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
  standingOf,
  tiersOf,
  toEndOf,
} from "../../support/league.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

const setStatus = (player: string, status: "active" | "hidden" | "banned") =>
  world.call("setPlayerStatus", { leaderboard: "board", player, status }, admin);

describe("14 hiding, banning, erasing and readmitting a member", () => {
  test("before the end takes the member out of the group, and brings the member back into the same seat", async () => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, five);
    await setStatus("ann", "banned");
    const { seats, readers } = await groupOf(world, week, "bronze-1");
    expect(JSON.stringify([seats, readers])).not.toContain("ann");
    expect((await getLeague(world, "bob")).league).toMatchObject({ place: 1, players: 4, zone: null });
    await setStatus("ann", "active");
    expect((await getLeague(world, "ann")).league).toMatchObject({ place: 1, players: 5, zone: "up" });
    expect(await seated(world, week)).toEqual({ "bronze-1": Object.keys(five) });
    await setStatus("ann", "hidden");
    await endWeek(world, week);
    // The own move only: four are too few for another to go up.
    expect(await tiersOf(world, ...Object.keys(five))).toEqual([
      undefined,
      ...Array<string>(4).fill("bronze"),
    ]);
  });

  test("after the end hides the member, and moves nobody", async () => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, five);
    await endWeek(world, week);
    const before = await tiersOf(world, ...Object.keys(five));
    await setStatus("ann", "banned");
    const { seats } = await groupOf(world, week, "bronze-1");
    expect(seats["s1"]).toMatchObject({ place: 1, move: "up" });
    expect(seats["s1"]).not.toHaveProperty("player");
    expect(await tiersOf(world, ...Object.keys(five))).toEqual(before);
    await setStatus("ann", "active");
    expect((await groupOf(world, week, "bronze-1")).seats["s1"]).toMatchObject({
      player: "ann",
      score: 50,
      move: "up",
    });
    expect(await tiersOf(world, ...Object.keys(five))).toEqual(before);
  });

  test.each(["before", "after"])(
    "erasing one %s the end leaves nothing of the member, and all others as they are",
    async (when) => {
      await createLeague(world);
      const week = await presentWeek(world);
      await play(world, five);
      if (when === "after") await endWeek(world, week);
      await world.call("removePlayer", { leaderboard: "board", player: "cyd" }, admin);
      if (when === "before") await endWeek(world, week);
      const all = [
        await groupOf(world, week, "bronze-1"),
        await standingOf(world, "cyd"),
        await settledEvents(world),
      ];
      expect(JSON.stringify(all)).not.toContain("cyd");
      expect(await tiersOf(world, "ann", "bob", "cyd", "dan", "eve")).toEqual([
        when === "after" ? "silver" : "bronze",
        "bronze",
        undefined,
        "bronze",
        "bronze",
      ]);
    },
  );

  test("a ban and its end leave where a player stands", async () => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, five);
    await endWeek(world, week);
    await setStatus("ann", "banned");
    expect(await tiersOf(world, "ann")).toEqual(["silver"]);
    await setStatus("ann", "active");
    expect(await tiersOf(world, "ann")).toEqual(["silver"]);
    const exported = await world.call("exportPlayer", { leaderboard: "board", player: "ann" }, admin);
    expect(exported.status).toMatchObject({ league: { tier: "silver" } });
    expect(exported.seasons[0]?.league_seats).toMatchObject([{ player: "ann", place: 1, move: "up" }]);
    expect(JSON.stringify(exported)).not.toContain("bob");
  });
});

test("readmitting a player who stands nowhere yet leaves nothing behind", async () => {
  await createLeague(world);
  await world.submit("ann", 50);
  await setStatus("ann", "active");
  expect((await world.db.doc(playerStatusPath("board", "ann")).get()).exists).toBe(false);
  await setStatus("ann", "banned");
  await setStatus("ann", "active");
  expect((await world.db.doc(playerStatusPath("board", "ann")).get()).exists).toBe(false);
});

describe("15 of two accounts that are merged", () => {
  const merge = (from: string, to: string) =>
    world.call("mergePlayers", { leaderboard: "board", from, to }, admin);

  test("in two groups, one seat is left, which has the score", async () => {
    await createLeague(world, {}, { aggregation: "best" });
    const week = await presentWeek(world);
    await play(world, { ...five, fay: 60 });
    await merge("fay", "eve");
    expect(await seated(world, week)).toEqual({ "bronze-1": Object.keys(five), "bronze-2": [undefined] });
    expect((await groupOf(world, week, "bronze-1")).seats["s5"]).toMatchObject({ player: "eve", score: 60 });
    await endWeek(world, week);
    expect(await tiersOf(world, "eve", "ann", "fay")).toEqual(["silver", "bronze", undefined]);
  });

  test("in two tiers, the one that stays keeps its own; without one, it has the other's", async () => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, five);
    await endWeek(world, week);
    await merge("ann", "bob");
    expect(await tiersOf(world, "ann", "bob")).toEqual([undefined, "bronze"]);
    await world.submit("zoe", 1);
    await merge("bob", "zoe");
    expect(await tiersOf(world, "bob", "zoe")).toEqual([undefined, "bronze"]);
  });

  test("one without a seat waits for one, and a settled week stays as it is", async () => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, five);
    await endWeek(world, week);
    const settled = (await settledEvents(world)).length;
    const next = await presentWeek(world);
    await play(world, { ann: 1 });
    expect(await seated(world, next)).toEqual({ "silver-1": ["ann"] });
    await merge("ann", "zoe");
    await doRefreshes(world);
    expect(await seated(world, next)).toEqual({ "silver-1": [undefined, "zoe"] });
    expect(await tiersOf(world, "zoe")).toEqual(["silver"]);
    expect(await settledEvents(world)).toHaveLength(settled);
  });

  test("a guest's score of the week counts for no zone, until the player has a better one", async () => {
    await createLeague(world, {}, { aggregation: "best" });
    const week = await presentWeek(world);
    await play(world, { ...five, guest: 90 });
    const token = world.accounts.addGuest("guest");
    await world.call("mergeGuest", { leaderboard: "board", guest_token: token }, user("eve"));
    const { league } = await getLeague(world, "eve");
    expect(league).toMatchObject({ place: 5, zone: null });
    // The group goes by the own score of 10.
    expect((await getLeague(world, "ann")).league).toMatchObject({ place: 1, zone: "up" });
    world.advance(10_000);
    await play(world, { eve: 95 });
    expect((await getLeague(world, "eve")).league).toMatchObject({ place: 1, zone: "up" });
    await endWeek(world, week);
    expect(await tiersOf(world, "eve")).toEqual(["silver"]);
  });
});

describe("19 the ways around", () => {
  const leave = (player: string, league = false) =>
    world.call("setProfile", { leaderboard: "board", league }, user(player));
  const silver = {
    tiers: [
      { id: "low", name: "Low", promote: 0 },
      { id: "high", name: "High", demote: 1 },
    ],
  };

  /** Five players in the higher tier. */
  async function inHigherTier(): Promise<Awaited<ReturnType<typeof presentWeek>>> {
    await createLeague(world, { ...silver, min_size: 1 });
    for (const player of Object.keys(five))
      await world.db.doc(`leaderboards/board/player_statuses/${player}`).set({
        league: { tier: "high", step: 1, until: (await seasonTimes()).opens },
      });
    await play(world, five);
    return presentWeek(world);
  }
  async function seasonTimes() {
    await world.submit("nobody", 0);
    const { opens_at: opens } = await seasonOf(world, await presentWeek(world));
    return { opens };
  }

  test("leaving is no shield: who leaves from the last place goes down, hidden at once", async () => {
    const week = await inHigherTier();
    await leave("eve");
    const { seats, readers } = await groupOf(world, week, "high-1");
    expect(JSON.stringify([seats, readers])).not.toContain(`"eve"`);
    expect(await getLeague(world, "eve")).toMatchObject({ league: null, why: "left" });
    const { league } = await getLeague(world, "dan");
    expect(league).toMatchObject({ place: 4, zone: null, players: 5 });
    expect(league?.entries.at(-1)).toEqual({ place: 5, zone: "down" });
    await endWeek(world, week);
    expect(await tiersOf(world, "eve", "dan")).toEqual(["low", "high"]);
    expect(JSON.stringify(await settledEvents(world))).not.toContain(`"eve"`);
    world.advance(3_600_000);
    await play(world, { eve: 1 });
    expect(Object.values(await seated(world, await presentWeek(world))).flat()).not.toContain("eve");
    await leave("eve", true);
    await play(world, { eve: 2 });
    expect(await seated(world, await presentWeek(world))).toEqual({ "low-1": ["eve"] });
  });

  test("who leaves from the first place stays, and nobody gets the place", async () => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, five);
    await leave("ann");
    world.advance(10_000);
    // Playing on changes nothing for the others.
    await play(world, { ann: 1 });
    expect((await getLeague(world, "bob")).league).toMatchObject({ place: 2, zone: null });
    await endWeek(world, week);
    expect(await tiersOf(world, "ann", "bob")).toEqual(["bronze", "bronze"]);
  });

  test("who takes part again within the week is shown with the present score", async () => {
    await createLeague(world);
    await play(world, five);
    await leave("ann");
    await leave("ann", true).catch(() => undefined);
    world.advance(10_000);
    await leave("ann", true);
    expect((await getLeague(world, "ann")).league).toMatchObject({ place: 1, zone: "up", players: 5 });
  });

  test("late shopping for a weak group ends with half the week", async () => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, five);
    await toEndOf(world, week, -3_600_000);
    await play(world, { fay: 99 });
    expect(await getLeague(world, "fay")).toMatchObject({ league: null, why: "too_late" });
    await endWeek(world, week);
    expect(await tiersOf(world, "fay", "ann")).toEqual([undefined, "silver"]);
  });

  test("friends who fill a thin group without scores that count raise nobody", async () => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, { ...five, fay: 60, gus: 1, hal: 2, ian: 3, joe: 4 });
    for (const player of ["gus", "hal", "ian", "joe"]) await setStatus(player, "hidden");
    expect((await getLeague(world, "fay")).league).toMatchObject({ place: 1, zone: null, players: 1 });
    await endWeek(world, week);
    expect(await tiersOf(world, "fay")).toEqual(["bronze"]);
  });
});
