/** What groups show: the end of the week, who left, ties, and what was settled. */
import { expect, test } from "vitest";
import { countPlayers } from "../../../functions/src/counting/count-players.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { seatWaiting } from "../../../functions/src/league/seat-waiting.ts";
import { seasonOf } from "../../support/closing.ts";
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
} from "../../support/league.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const leave = (player: string) =>
  world.call("setProfile", { leaderboard: "board", league: false }, user(player));
const setStatus = (player: string, status: "active" | "hidden" | "banned") =>
  world.call("setPlayerStatus", { leaderboard: "board", player, status }, admin);

// seasons.md: "the current season continues to the first boundary of the new calendar after its end"
test("a group ends when its week does, also where the calendar was changed", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  const definition = { week_starts_on: "thursday" as const };
  await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  world.advance(61_000);
  const { closes_at: closes } = await seasonOf(world, week);
  expect((await getLeague(world, "ann")).league?.ends_at).toBe(closes?.toDate().toISOString());
  world.advance(7 * 86_400_000);
  // A day before the end, while scores still count.
  expect((await getLeague(world, "ann")).league?.state).toBe("open");
});

// SECURITY.md: a hidden player is in no answer; league.md: "Hidden, banned and erased players are out of the group."
test("a player who is hidden while the first seats of a week are given is out of the group", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await world.submit("ann", 50);
  await world.submit("bob", 40);
  let isDone = false;
  watchCommits(world, async (writes, perform) => {
    // The call has listed the seasons, of which none has groups yet.
    if (!isDone && writes.some(({ path }) => path.endsWith("/player_statuses/ann"))) {
      isDone = true;
      await seatWaiting(world.anotherInstance(), week);
    }
    return perform();
  });
  await setStatus("ann", "hidden");
  expect(await seated(world, week)).toEqual({ "bronze-1": [undefined, "bob"] });
});

// league.md: "Places go by score, then time, then id, as everywhere on the board."
test("equal scores are in the order of the final table, also one that a server wrote without a time", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  world.advance(10_000);
  for (const [name, at] of [
    ["ann", Timestamp.fromMillis(1_000)],
    ["bob", undefined],
  ] as const) {
    const { achieved_at: _, ...kept } = (await world.db.doc(playerPath(week, name)).get()).data() ?? {};
    await world.writeDirectly(week, name, { ...kept, score: 50, ...(at && { achieved_at: at }) });
  }
  await endWeek(world, week);
  const { entries } = await world.call("getPage", { leaderboard: "board", season: week.season }, user("x"));
  const { league } = await getLeague(world, "ann", { season: week.season });
  expect(league?.entries.map(({ player }) => player)).toEqual(entries.map(({ player }) => player));
});

test("equal scores and times keep their order when one of them leaves", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { zoe: 1 });
  const at = Timestamp.fromMillis(world.services.now());
  for (const id of ["AAA", "AAB"])
    await world.db
      .doc(playerPath(week, id))
      .set({ score: 7, status: "active", attempts: 1, achieved_at: at });
  await countPlayers(world.services, week, ["AAA", "AAB"]);
  for (const id of ["AAA", "AAB"]) await getLeague(world, id);
  await doRefreshes(world);
  expect((await getLeague(world, "AAB")).league?.place).toBe(2);
  await leave("AAA");
  expect((await getLeague(world, "AAB")).league?.place).toBe(2);
});

// league.md: "The seat stays, with the score of that moment"
test("who leaves while a refresh is to come leaves with the score of that moment", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  await world.submit("ann", 1);
  await leave("ann");
  await doRefreshes(world);
  expect((await groupOf(world, week, "bronze-1")).seats["s1"]?.score).toBe(1);
});

test("a group that members read from Firestore names nobody who has left", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 12_345, bob: 1 });
  await leave("ann");
  const group = await groupOf(world, week, "bronze-1");
  expect(group.readers).toEqual(["bob"]);
  expect(JSON.stringify(group)).not.toContain('"ann"');
});

// league.md: "The seat stays, with the score of that moment, for the places of the others."
test("a seat of one who has left stays, also after a hiding that was undone", async () => {
  await createLeague(world);
  await play(world, five);
  await leave("eve");
  await setStatus("eve", "hidden");
  await setStatus("eve", "active");
  expect((await getLeague(world, "ann")).league?.players).toBe(5);
});

// league.md: "after the end, everybody else stays where they went"
test("the zones of a settled group are its moves, also after a member was banned", async () => {
  const tiers = [
    { id: "low", name: "Low", promote: 2 },
    { id: "high", name: "High" },
  ];
  await createLeague(world, { size: 10, tiers });
  const week = await presentWeek(world);
  await play(world, { ...five, fay: 5, gus: 4, hal: 3, ian: 2, joe: 1 });
  await endWeek(world, week);
  await setStatus("joe", "banned");
  const { entries = [] } = (await getLeague(world, "bob", { season: week.season })).league ?? {};
  expect(entries.map(({ zone = "stayed" }) => zone)).toEqual(entries.map(({ move }) => move));
});

// "Say which group of a league is damaged": settling does; seating tries `create` for ever, for all tiers.
test("a damaged group keeps nobody in other tiers from a seat, and is named", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 1 });
  await world.db.doc(`leaderboards/board/player_statuses/bob`).set({
    league: { tier: "gold", step: 2, until: (await seasonOf(world, week)).opens_at },
  });
  await world.db
    .doc(`leaderboards/board/seasons/${week.season}/league_groups/bronze-1`)
    .update({ readers: "all" });
  let error = "";
  await play(world, { cyd: 2, bob: 3 }).catch((thrown: unknown) => (error = String(thrown)));
  const gold = await world.db.doc(`leaderboards/board/seasons/${week.season}/league_groups/gold-1`).get();
  expect([gold.exists, error]).toEqual([true, expect.stringContaining("damaged")]);
});
