/**
 * `watchSeason`, and other watchers that follow the seasons of a span, under the security rules: what they report,
 * when, and what they read. The server's clock is the world's, in the year 2100, so every device here is decades slow.
 */
import { patienceMs } from "../../support/patience.ts";
import { setTimeout as pause } from "node:timers/promises";
import { disableNetwork, enableNetwork } from "firebase/firestore";
import {
  type FirerankError,
  rankOf,
  remaining,
  type SeasonWanted,
  type WatchedRank,
  type WatchedSeason,
  type WatchedTop,
  watchRank,
  watchSeason,
  watchTop,
} from "firerank-client";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { revisionsGatherMs } from "../../../functions/src/model/limits.ts";
import { seasonPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { type Heard, listen } from "../../support/client-listening.ts";
import { closeNow, hidePlayers } from "../../support/closing.ts";
import { admin, user } from "../../support/world.ts";
import { createStage, type Stage } from "../../support/client/client-stage.ts";

const hour = 3_600_000;
const [today, tomorrow] = ["daily-2100-01-02", "daily-2100-01-03"];
let stage: Stage;
let errors: FirerankError[];

beforeEach(async () => {
  stage = await createStage({ spans: ["daily", "all_time"] });
  errors = [];
});

const ofBoard = (season: string): SeasonKey => ({ leaderboard: "board", season });

/** Moves the server's clock to that long before the end of the day. */
function untilMidnight(ms: number): void {
  const { now } = stage.world.services;
  stage.world.advance(Date.parse("2100-01-03T00:00:00Z") - now() - ms);
}

async function play(player: string, score: number, season?: string): Promise<void> {
  const asked = { leaderboard: "board", score, ...(season === undefined ? {} : { season }) };
  const { seasons } = await stage.world.call("submitScore", asked, user(player));
  for (const { season: id } of seasons) {
    await stage.world.deliver(ofBoard(id), player);
    await stage.world.publish(ofBoard(id));
  }
}

function watch(wanted: SeasonWanted, board = stage.boardOf("ann")): Heard<WatchedSeason> {
  const heard = listen<WatchedSeason>();
  onTestFinished(watchSeason(board, wanted, heard.hear, (error) => errors.push(error)));
  return heard;
}

describe("watchSeason of a span", () => {
  test("reports the season, counts down, and moves on to the next one at the moment it begins", async () => {
    await play("ann", 5);
    untilMidnight(8_000);
    const heard = watch({ span: "daily" });
    const first = await heard.match({
      leaderboard: "board",
      season: today,
      span: "daily",
      status: "open",
      opens_at: "2100-01-02T00:00:00.000Z",
      closes_at: "2100-01-03T00:00:00.000Z",
      players: 1,
      generation: 1,
      from_cache: false,
    });
    expect(stage.reads()).toBe(1);
    expect(stage.functions.calls.length).toBeLessThanOrEqual(2);
    const left = remaining(first) ?? NaN;
    expect(left).toBeLessThan(8_000);
    expect(left).toBeGreaterThan(0);

    await pause(Math.max(0, left - 500));
    expect(heard.all.at(-1)?.season).toBe(today);
    expect(remaining(first)).toBeGreaterThan(0);
    const next = await heard.match({ season: tomorrow, status: "open", players: 0, generation: 0 });
    expect(remaining(first)).toBe(0);
    expect(next.closes_at).toBe("2100-01-04T00:00:00.000Z");
    expect(remaining(next) ?? NaN).toBeGreaterThan(23 * hour);
    expect(stage.reads()).toBe(1);
    expect(heard.all.every(({ status }) => status === "open")).toBe(true);

    stage.world.advance(9_000);
    await play("bob", 3);
    await heard.match({ season: tomorrow, players: 1, generation: 1 });
    // Its opening, and the publication.
    expect(stage.reads()).toBe(2);
    expect(errors).toEqual([]);
  });

  test("continues offline, even into the next season, and is right again afterwards", async () => {
    await play("ann", 5);
    untilMidnight(8_000);
    const board = stage.boardOf("ann");
    const heard = watch({ span: "daily" }, board);
    await heard.until(({ season, players }) => expect([season, players]).toEqual([today, 1]));
    await disableNetwork(board.firestore);
    stage.functions.fail(true);
    await heard.match({ season: today, players: 1, from_cache: true });
    await heard.match({ season: tomorrow, players: 0, from_cache: true });
    stage.world.advance(9_000);
    await play("bob", 3);
    stage.functions.fail(false);
    await enableNetwork(board.firestore);
    await heard.match({ season: tomorrow, players: 1, from_cache: false });
    expect(errors).toEqual([]);
  });
});

describe("watchSeason of a tournament", () => {
  const cup = ofBoard("cup");
  const inMs = (ms: number) => new Date(stage.world.services.now() + ms).toISOString();

  test("reports that it is to come, open, closing at the moment of its end, and closed", async () => {
    const times = { opens_at: inMs(5_000), closes_at: inMs(10_000) };
    await stage.world.call("openSeason", { ...cup, ...times }, admin);
    const heard = watch({ season: "cup" });
    const first = await heard.match({ season: "cup", span: "custom", status: "to_come", ...times });
    expect(remaining(first)).toBeLessThanOrEqual(5_000);
    stage.world.advance(5_000);
    await play("ann", 5, "cup");
    await heard.until(({ status, players }) => expect([status, players]).toEqual(["open", 1]));
    await heard.until((season) => {
      expect(season.status).toBe("closing");
      expect(remaining(season)).toBe(0);
    });
    const closed = { status: "closed", closed_at: Timestamp.fromMillis(Date.parse(times.closes_at)) };
    await stage.world.db.doc(seasonPath(cup)).update(closed);
    await heard.match({ status: "closed", closed_at: times.closes_at, players: 1 });
    const statuses = heard.all.map(({ status }) => status);
    expect(statuses.filter((status, i) => status !== statuses[i - 1])).toEqual([
      "to_come",
      "open",
      "closing",
      "closed",
    ]);
  });

  test("ends with an error if there is none, and when it is deleted", async () => {
    watch({ season: "none" });
    await vi.waitFor(() => expect(errors).toMatchObject([{ code: "season_not_found" }]), {
      timeout: patienceMs(),
    });
    await stage.world.call("openSeason", cup, admin);
    const heard = watch({ season: "cup" });
    await heard.until(({ status, closes_at }) => expect([status, closes_at]).toEqual(["open", null]));
    await stage.world.db.doc(seasonPath(cup)).update({ status: "deleting" });
    await vi.waitFor(() => expect(errors).toHaveLength(2), { timeout: patienceMs() });
  });
});

describe("what follows a span", () => {
  const daily = () => ({ ...stage.boardOf("ann"), span: "daily" });

  test("shows the top and the rank of the next season when that begins, for the reads of its beginning", async () => {
    await play("bob", 9);
    await play("ann", 5);
    untilMidnight(8_000);
    const board = daily();
    const tops = listen<WatchedTop>();
    const ranks = listen<WatchedRank | null>();
    const fail = (error: FirerankError) => errors.push(error);
    onTestFinished(watchTop(board, tops.hear, fail));
    onTestFinished(watchRank(board, ranks.hear, fail, "ann"));
    await tops.match({ season: today, entries: [{ player: "bob" }, { player: "ann" }] });
    await ranks.match({ season: today, rank: 2, players: 2 });
    expect(stage.functions.calls.length).toBeLessThanOrEqual(2);
    // The top; the player, the definition and the page; and the season's document for each of the two.
    expect(stage.reads()).toBeLessThanOrEqual(1 + 3 + 2);

    await tops.match({ season: tomorrow, entries: [], players: 0 });
    await ranks.match(null);
    stage.world.advance(9_000);
    await play("ann", 1);
    await tops.match({ season: tomorrow, entries: [{ player: "ann", score: 1 }] });
    await ranks.match({ season: tomorrow, score: 1, rank: 1, players: 1, generation: 1 });
    expect(errors).toEqual([]);
  });
});

describe("a closed season", () => {
  /** Closes the day that bob has won before ann. */
  async function closeToday() {
    await play("bob", 9);
    await play("ann", 5);
    untilMidnight(0);
    await closeNow(stage.world, ofBoard(today));
    // What follows is published by itself, at once.
    stage.world.advance(revisionsGatherMs);
    // The season ended with none.
    const definition = { tiers: [{ name: "gold", top_percent: 100 }] };
    await stage.world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  }

  test("costs nothing while nothing changes: its pages are final", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: stage.world.services.now() });
    await closeToday();
    vi.setSystemTime(Date.now() + 24 * hour);
    const board = { ...stage.boardOf("ann"), season: today };
    const first = await rankOf(board, 7);
    expect(first).toMatchObject({ rank: 2, players: 2 });
    expect(first).not.toHaveProperty("tier");
    // Definition and page.
    expect(stage.reads()).toBe(2);
    for (const minutes of [1, 5, 30]) {
      vi.setSystemTime(Date.now() + minutes * 60_000);
      expect(await rankOf(board, 7)).toMatchObject({ rank: 2, players: 2 });
    }
    expect(stage.reads()).toBe(0);

    await hidePlayers(stage.world, ofBoard(today), "bob");
    stage.world.advance(61_000);
    expect(
      await stage.world.call("getPage", { leaderboard: "board", season: today }, user("ann")),
    ).toMatchObject({ players: 1 });
    vi.setSystemTime(Date.now() + 25 * 60_000);
    expect(await rankOf(board, 7)).toMatchObject({ rank: 1, players: 1 });
    expect(stage.reads()).toBeLessThanOrEqual(2);
  });

  test("is also watched for free, and the watcher sees when a player is removed", async () => {
    await closeToday();
    const board = { ...stage.boardOf("ann"), season: today };
    const ranks = listen<WatchedRank | null>();
    onTestFinished(watchRank(board, ranks.hear, (error) => errors.push(error), "ann"));
    await ranks.match({ rank: 2, players: 2 });
    stage.reads();
    await pause(1_000);
    expect(stage.reads()).toBe(0);
    await hidePlayers(stage.world, ofBoard(today), "bob");
    await ranks.match({ rank: 1, players: 1 });
    expect(stage.reads()).toBe(1);
    for (const told of ranks.all) expect(told).not.toHaveProperty("tier");
  });
});
