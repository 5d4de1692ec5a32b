/**
 * Which season watchers and calls mean, and what watchers report when the season ends or the user changes. A stand-in takes the
 * place of Firebase.
 */
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { WatchedRank, WatchedSeason, WatchedTop } from "./answers.ts";
import {
  anotherBoard,
  found,
  lost,
  onlyPage,
  refusal,
  sdk,
  signIn,
  time,
} from "../../test/support/client/stand-in.ts";
import { runningWeeks, watching } from "../../test/support/client/watching.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { rankOf } from "./rank-of.ts";
import { getTop } from "./reads.ts";
import { watchRank } from "./watch-rank.ts";
import { watchSeason } from "./watch-season.ts";
import { watchTop } from "./watch-top.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

let running: object[];
/** Whether the functions refuse callers who are not signed in. */
let isFunctionClosed: boolean;
beforeEach(() => {
  running = [];
  isFunctionClosed = false;
  sdk.answer = async ({ player }) => {
    if (isFunctionClosed && player === undefined) throw refusal("unauthenticated");
    return { as_of: new Date().toISOString(), running, season: "weekly-1", generation: 1 };
  };
});

const watchingTop = (board: Leaderboard) => watching<WatchedTop>(watchTop, board);
const watchingRank = (board: Leaderboard) => watching<WatchedRank | null>(watchRank, board);

const until = (check: () => void) => vi.waitFor(check, 10_000);
const listeningTo = () => sdk.listening.map(({ path }) => path);
const denied = () => Object.assign(new Error("Missing permissions"), { code: "permission-denied" });

const top = {
  entries: [{ player: "ann", rank: 1, position: 1, score: 9, achieved_at: time(1) }],
  players: 1,
  generation: 3,
  lowest_score: null,
  as_of: time(1),
};

test("a board that names no season means its first span, in calls, watchers and rankOf alike", async () => {
  const board = anotherBoard();
  sdk.user = { uid: "ann" };
  running = runningWeeks(6e8);
  sdk.documents.set(`leaderboards/${board.id}`, { spans: ["weekly", "all_time"] });
  watchingTop(board);
  watchingRank(board);
  await until(() => {
    expect(listeningTo()).toContain(`leaderboards/${board.id}/seasons/weekly-1/top/current`);
    expect(listeningTo()).toContain(`leaderboards/${board.id}/seasons/weekly-1/players/ann`);
  });
  expect(listeningTo().filter((path) => path.includes("all_time"))).toEqual([]);
  await rankOf(board, 5).catch(() => undefined);
  expect(sdk.read).toContain(`leaderboards/${board.id}/seasons/weekly-1/scores_ranking`);
  await getTop(board);
  expect(sdk.calls.at(-1)).toMatchObject({ name: "getTop" });
  expect(sdk.calls.at(-1)).not.toHaveProperty("span");
});

test("a device with other rules of time zones follows the server's days, and asks nobody about zones", async () => {
  const board = anotherBoard({ span: "daily" });
  const iso = (ms: number) => new Date(ms).toISOString();
  // A day of 22 hours, whose end is no midnight anywhere.
  const [opensMs, endMs] = [Date.now() + 700 - 22 * 3_600_000, Date.now() + 700];
  const next = { season: "daily-2", opens_at: iso(endMs), closes_at: iso(endMs + 26 * 3_600_000) };
  running = [{ span: "daily", season: "daily-1", opens_at: iso(opensMs), closes_at: iso(endMs), next }];
  const ofDevice = vi.spyOn(Intl, "DateTimeFormat");
  const ownHours = vi.spyOn(Date.prototype, "getTimezoneOffset");
  onTestFinished(() => void vi.restoreAllMocks());
  watchingTop(board);
  const topOf = (season: string) => `leaderboards/${board.id}/seasons/${season}/top/current`;
  await until(() => expect(listeningTo()).toContain(topOf("daily-1")));
  expect(listeningTo()).not.toContain(topOf("daily-2"));
  await until(() => expect(listeningTo()).toContain(topOf("daily-2")));
  expect([ofDevice, ownHours].map(({ mock }) => mock.calls)).toEqual([[], []]);
});

test("a board with all_time first is watched without a function call, and a named one without its definition", async () => {
  const board = anotherBoard();
  sdk.documents.set(`leaderboards/${board.id}`, {});
  watchingTop(board);
  await until(() => expect(listeningTo()).toEqual([`leaderboards/${board.id}/seasons/all_time/top/current`]));
  watchingTop(board);
  expect(listeningTo()).toEqual(Array(2).fill(`leaderboards/${board.id}/seasons/all_time/top/current`));
  const named = anotherBoard({ span: "all_time" });
  watchingTop(named);
  expect(listeningTo().slice(2)).toEqual([`leaderboards/${named.id}/seasons/all_time/top/current`]);
  expect(sdk.calls).toEqual([]);
});

test("a board with tournaments only has no season to watch", async () => {
  const board = anotherBoard();
  sdk.documents.set(`leaderboards/${board.id}`, { spans: [] });
  const { errors } = watchingTop(board);
  await until(() => expect(errors).toMatchObject([{ code: "season_not_found" }]));
  await expect(rankOf(board, 1)).rejects.toMatchObject({ code: "season_not_found" });
});

test("a watcher that is stopped while it reads the definition listens to nothing", async () => {
  const board = anotherBoard();
  const stop = watchTop(board, () => undefined);
  expect(listeningTo()).toEqual([`leaderboards/${board.id}`]);
  stop();
  expect(listeningTo()).toEqual([]);
});

test("offline at the end of a season, the old top and the old rank make room for the next season", async () => {
  const board = anotherBoard({ span: "weekly" });
  sdk.user = { uid: "ann" };
  running = runningWeeks(1_500);
  const { told: tops } = watchingTop(board);
  const { told: ranks } = watchingRank(board);
  await until(() => expect(listeningTo().filter((path) => path.includes("weekly-1"))).toHaveLength(2));
  for (const one of sdk.listening) if (one.path.endsWith("top/current")) one.next(found(top));
  expect(tops.map(({ season, entries }) => [season, entries.length])).toEqual([["weekly-1", 1]]);
  await until(() => expect(listeningTo().filter((path) => path.includes("weekly-2"))).toHaveLength(2));
  const before = listeningTo();
  for (const one of sdk.listening) if (one.path.includes("weekly-2")) one.next(found(undefined, true));
  expect(tops.slice(1)).toMatchObject([{ season: "weekly-2", entries: [], players: 0, from_cache: true }]);
  // Although nobody is ranked, the definition is not read: the board was there when its season was asked for.
  expect(listeningTo()).toEqual(before);
  expect(ranks.at(-1)).toBeNull();
  expect(ranks).not.toEqual([]);
});

test("what is not in the cache at the start of an app offline is not told as empty", async () => {
  const { told: tops } = watchingTop(anotherBoard({ span: "all_time" }));
  sdk.listening[0]?.next(found(undefined, true));
  expect(tops).toEqual([]);
});

test("watchTop tells a refusal that a signed-in user gets, once, and goes on with another user", async () => {
  sdk.user = { uid: "eve" };
  const { errors } = watchingTop(anotherBoard({ span: "all_time" }));
  // The first request may have been sent before the sign-in.
  sdk.listening.splice(0)[0]?.error(denied());
  await until(() => expect(listeningTo()).toHaveLength(1));
  sdk.listening.splice(0)[0]?.error(denied());
  await until(() => expect(errors).toMatchObject([{ code: "permission_denied" }]));
  signIn("ann");
  expect(listeningTo()).toHaveLength(1);
});

test("watchTop of a span waits for a user too, if the function refuses to say which season runs", async () => {
  isFunctionClosed = true;
  running = runningWeeks(6e8);
  const board = anotherBoard({ span: "weekly" });
  const { errors } = watchingTop(board);
  await until(() => expect(sdk.users.size).toBe(1));
  signIn("ann");
  await until(() => expect(listeningTo()).toEqual([`leaderboards/${board.id}/seasons/weekly-1/top/current`]));
  expect(errors).toEqual([]);
});

test("watchRank of a span asks nothing before a user has signed in", async () => {
  isFunctionClosed = true;
  running = runningWeeks(6e8);
  const board = anotherBoard({ span: "weekly" });
  const { told: ranks, errors } = watchingRank(board);
  await until(() => expect(ranks).toEqual([null]));
  expect(sdk.calls).toEqual([]);
  signIn("ann");
  const playerOf = (uid: string) => `leaderboards/${board.id}/seasons/weekly-1/players/${uid}`;
  await until(() => expect(listeningTo()).toContain(playerOf("ann")));
  signIn("bob");
  // The null comes at once, as the last rank was another player's.
  expect(ranks).toEqual([null, null]);
  await until(() => expect(listeningTo()).toContain(playerOf("bob")));
  expect(listeningTo()).not.toContain(playerOf("ann"));
  signIn(null);
  expect(listeningTo()).toEqual([]);
  expect([ranks, errors]).toEqual([[null, null, null], []]);
});

test("watchTop of a board that is not there says so, although nobody being ranked is no error", async () => {
  const board = anotherBoard({ span: "all_time" });
  const { errors } = watchingTop(board);
  sdk.listening[0]?.next(found(undefined));
  expect(listeningTo()).toEqual([expect.stringContaining("top/current"), `leaderboards/${board.id}`]);
  const rules = sdk.listening[1];
  rules?.next(found(undefined, true));
  expect(errors).toEqual([]);
  rules?.next(found(undefined));
  expect(errors).toMatchObject([{ code: "leaderboard_not_found" }]);
  expect(listeningTo()).toEqual([]);
});

test("watchTop of a board where nobody is ranked reads its definition once", async () => {
  const board = anotherBoard({ span: "all_time" });
  sdk.documents.set(`leaderboards/${board.id}`, {});
  const stop = watchTop(board, () => undefined);
  await vi.waitFor(() => expect(sdk.listening).toHaveLength(1));
  const [top] = sdk.listening;
  top?.next(found(undefined));
  expect(sdk.listening).toHaveLength(2);
  await vi.waitFor(() => expect(sdk.listening).toHaveLength(1));
  top?.next(found(undefined));
  expect(sdk.listening).toEqual([top]);
  stop();
  expect(sdk.listening).toEqual([]);
});

test("watchTop that its own first callback stops listens to nothing", async () => {
  const stop = watchTop(anotherBoard({ span: "all_time" }), () => stop());
  await until(() => expect(sdk.listening).toHaveLength(1));
  sdk.listening[0]?.next(found(undefined));
  expect(listeningTo()).toEqual([]);
});

test("watchTop that is stopped while it waits for a user stays stopped", async () => {
  const stop = watchTop(anotherBoard({ span: "all_time" }), () => undefined);
  sdk.listening.splice(0)[0]?.error(denied());
  await until(() => expect(sdk.users.size).toBe(1));
  stop();
  expect(sdk.users.size).toBe(0);
  signIn("ann");
  expect(listeningTo()).toEqual([]);
});

test("watchRank takes the definition from memory; from the cache, until the server's comes", async () => {
  const board = anotherBoard({ span: "all_time" });
  const season = `leaderboards/${board.id}/seasons/all_time`;
  sdk.user = { uid: "ann" };
  sdk.documents.set(`${season}/players/ann`, { score: 5 });
  sdk.documents.set(`${season}/scores_ranking`, { ...onlyPage([9, 5]), next_publish_at: time(0) });
  const { told, stop } = watchingRank(board);
  const rules = () => sdk.listening.find(({ path }) => path === `leaderboards/${board.id}`);
  const tier = (name: string) => ({ tiers: [{ name, top_percent: 100 }] });
  await until(() => expect(rules()).toBeDefined());
  rules()?.next(found(tier("cached"), true));
  await until(() => expect(told).toMatchObject([{ rank: 2, tier: "cached", from_cache: true }]));
  rules()?.next(found(tier("newer")));
  rules()?.next(found(tier("cached"), true));
  expect(told.slice(1)).toMatchObject([{ rank: 2, tier: "newer", from_cache: false }]);

  stop();
  const again = watchingRank(board);
  await until(() => expect(again.told).toMatchObject([{ rank: 2, tier: "newer", from_cache: false }]));
  expect(rules()).toBeUndefined();
});

test("an error is told after the watcher has returned, and not where it was stopped before", async () => {
  sdk.user = { uid: "ann" };
  running = runningWeeks(6e8);
  for (const watch of [watchingTop, watchingRank]) {
    const { errors } = watch(anotherBoard({ span: "daily" }));
    expect(errors).toEqual([]);
    await until(() => expect(errors).toMatchObject([{ code: "season_not_found" }]));
    expect(errors[0]?.message).toContain('no span "daily"');
    const stopped = watch(anotherBoard({ span: "daily" }));
    stopped.stop();
    await new Promise((done) => setTimeout(done, 50));
    expect(stopped.errors).toEqual([]);
  }
});

test("watchSeason tells once of a season without players, by default the first span's, opened or not", async () => {
  const board = anotherBoard();
  running = runningWeeks(6e8);
  const { opens_at: opens, closes_at: closes } = running[0] as Record<string, string>;
  const { told } = watching<WatchedSeason>((of, tell, fail) => watchSeason(of, {}, tell, fail), board);
  await until(() => expect(sdk.listening).toHaveLength(1));
  sdk.listening[0]?.next(found(undefined));
  expect(told).toMatchObject([{ season: "weekly-1", status: "open", players: 0, from_cache: false }]);
  const ends = { opens_at: time(Date.parse(opens ?? "")), closes_at: time(Date.parse(closes ?? "")) };
  const ranking = { players: 0, generation: 0 };
  sdk.listening[0]?.next(found({ span: "weekly", status: "open", ...ends, ranking }));
  expect(told).toHaveLength(1);
});

const watchers: [name: string, watch: (board: Leaderboard) => () => void][] = [
  ["watchTop", (board) => watchTop(board, () => undefined)],
  ["watchSeason", (board) => watchSeason(board, {}, () => undefined)],
];

test.each(watchers)(
  "%s listens to the season that it looked up without the functions, unless it was stopped meanwhile",
  async (_name, watch) => {
    sdk.answer = () => Promise.reject(lost());
    for (const isStopped of [false, true]) {
      sdk.held = [];
      const board = anotherBoard({ span: "daily" });
      sdk.documents.set(`leaderboards/${board.id}/seasons`, { opens_at: time(0), closes_at: time(9e15) });
      const stop = watch(board);
      await until(() => expect(sdk.held).toHaveLength(1));
      if (isStopped) stop();
      for (const goOn of sdk.held.splice(0)) goOn();
      if (isStopped) await new Promise((done) => setTimeout(done, 50));
      else await until(() => expect(listeningTo()).not.toEqual([]));
      stop();
      expect(listeningTo()).toEqual([]);
    }
  },
);
