/** `watchLeague` under the security rules: what it reports, and what it reads. The server's clock is the world's. */
import { type FirerankError, watchLeague, type WatchedLeague } from "firerank-client";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type Heard, listen } from "../../support/client-listening.ts";
import { createStage, type Stage } from "../../support/client/client-stage.ts";
import {
  createLeague,
  doRefreshes,
  endWeek,
  five,
  getLeague,
  play,
  presentWeek,
  toEndOf,
} from "../../support/league.ts";
import { admin, user } from "../../support/world.ts";

let stage: Stage;
let errors: FirerankError[];
beforeEach(async () => {
  stage = await createStage();
  errors = [];
  await createLeague(stage.world);
});

function watch(board = stage.boardOf("ann")): Heard<WatchedLeague | null> {
  const heard = listen<WatchedLeague | null>();
  const stop = watchLeague(board, heard.hear, (error) => errors.push(error), "ann");
  onTestFinished(() => {
    stop();
    expect(errors).toEqual([]);
  });
  return heard;
}

/** How often the watcher has asked for the group. */
const questions = () => stage.functions.calls.filter(({ name }) => name === "getLeague").length;

/** Waits for what `getLeague` answers now. */
async function expectAnswer(heard: Heard<WatchedLeague | null>): Promise<void> {
  const answer = await getLeague(stage.world, "ann");
  await heard.until((league) => expect(league).toEqual({ ...answer, from_cache: false }));
}

/** Reads so far, once there are as many. */
async function expectReads(count: number): Promise<void> {
  let reads = 0;
  await expect.poll(() => (reads += stage.reads()), { timeout: 10_000 }).toBe(count);
}

const { ann: _, ...four } = five;

test("a group costs one call and one read, the definition once, and then one read a change, as getLeague shows it", async () => {
  await play(stage.world, five);
  const heard = watch();
  await heard.match({ league: { place: 1, zone: "up", players: 5, state: "open" } });
  const [season, group, definition] = [1, 1, 1];
  await expectReads(season + group + definition);
  stage.world.advance(15_000);
  await stage.world.submit("bob", 60);
  await heard.match({ league: { place: 2, zone: null, next_place: 1, next_score: 60 } });
  await expectAnswer(heard);
  stage.world.advance(15_000);
  await stage.world.submit("ann", 5);
  await heard.match({
    league: { place: 5, zone: null, entries: [{ player: "bob" }, {}, {}, {}, { score: 5 }] },
  });
  await expectAnswer(heard);
  await expectReads(2);
  expect(questions()).toBe(1);
});

test("a player without a score gets the group with the first score, for two reads and one call more", async () => {
  await play(stage.world, four);
  const heard = watch();
  await heard.match({ league: null, why: "no_score", last: null });
  const [season, player] = [1, 1];
  await expectReads(season + player);
  await stage.world.submit("ann", 50);
  await heard.match({ league: null, why: "seating" });
  expect(questions()).toBe(1);
  await doRefreshes(stage.world);
  await heard.match({ league: { place: 1, players: 5 } });
  await expectAnswer(heard);
  const [waiting, seated, group, definition] = [1, 1, 1, 1];
  await expectReads(waiting + seated + group + definition);
  expect(questions()).toBe(2);
});

test("who leaves is told so, and has the group again after taking part again; so with who is hidden", async () => {
  await play(stage.world, five);
  const heard = watch();
  await heard.match({ league: { place: 1 } });
  const takePart = (league: boolean) =>
    stage.world.call("setProfile", { leaderboard: "board", league }, user("ann"));
  await takePart(false);
  await heard.match({ league: null, why: "left" });
  stage.world.advance(15_000);
  await takePart(true);
  await stage.world.submit("ann", 51);
  await heard.match({ league: { place: 1 } });
  const setStatus = (status: "hidden" | "active") =>
    stage.world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status }, admin);
  await setStatus("hidden");
  await heard.match({ league: { place: null, players: 4 } });
  await setStatus("active");
  await heard.match({ league: { place: 1 } });
});

test("the next week follows when it begins: without a score, and later with the group of the tier reached", async () => {
  await play(stage.world, five);
  const week = await presentWeek(stage.world);
  await toEndOf(stage.world, week, -4_000);
  const heard = watch();
  const named = watch({ ...stage.boardOf("ann"), season: week.season });
  await heard.match({ season: week.season, league: { place: 1, tier: "bronze" } });
  await named.match({ season: week.season, league: { state: "open" } });
  // The week that is named goes on, and says when its scores come in for the last time.
  await named.match({ season: week.season, league: { state: "ending", place: 1 } });
  // The world's clock stands still, so the device was the first in the next week.
  stage.world.advance(5_000);
  await heard.match({ league: null, why: "no_score", last: null });
  expect(heard.all.at(-1)?.season).not.toBe(week.season);
  await endWeek(stage.world, week);
  await named.match({
    season: week.season,
    league: { state: "settled", entries: [{ move: "up" }, {}, {}, {}, {}] },
  });
  await play(stage.world, { ann: 1 });
  await heard.match({
    league: { tier: "silver", place: 1, players: 1 },
    last: { from: "bronze", to: "silver" },
  });
});
