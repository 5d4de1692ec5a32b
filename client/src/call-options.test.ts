/** Each call ends with the app's signal, and at the app's time. Firebase is the test's, and never answers. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import * as admin from "./admin.ts";
import type { CallOptions } from "./call-options.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { listSeasons } from "./list-seasons.ts";
import { mergeGuest } from "./merge-guest.ts";
import { pages } from "./pages.ts";
import { rankOf } from "./rank-of.ts";
import * as reads from "./reads.ts";
import { setProfile } from "./set-profile.ts";
import { submitScore } from "./submit-score.ts";

// The worker may have loaded the modules for a file with another Firebase.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});

const never = vi.hoisted(() => () => new Promise<never>(() => undefined));
vi.mock("firebase/functions", () => ({
  getFunctions: () => ({ region: "us-central1", app: { options: {} } }),
  httpsCallable: () => never,
}));
vi.mock("firebase/auth", () => ({ getAuth: () => ({ currentUser: null, authStateReady: never }) }));
vi.mock("firebase/firestore", () => ({ doc: () => ({}), getDoc: never }));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const board = { app: { options: {} }, id: "arena", firestore: {} } as unknown as Leaderboard;

type Call = (options?: CallOptions) => Promise<unknown>;
const calls: [name: string, call: Call][] = [
  ["submitScore", (options) => submitScore(board, { score: 1 }, options)],
  ["setProfile", (options) => setProfile(board, {}, options)],
  ["mergeGuest", (options) => mergeGuest(board, "token", options)],
  ["listSeasons", (options) => listSeasons(board, {}, options)],
  ["getRank", (options) => reads.getRank(board, {}, options)],
  ["rankOf", (options) => rankOf(board, 1, options)],
  ["getTop", (options) => reads.getTop(board, {}, options)],
  ["getAround", (options) => reads.getAround(board, {}, options)],
  ["getPage", (options) => reads.getPage(board, {}, options)],
  ["pages", (options) => pages(board, {}, options).next()],
  ["getPlayers", (options) => reads.getPlayers(board, [], {}, options)],
  ["getResults", (options) => reads.getResults(board, {}, options)],
  ["getResultsOfAllBoards", (options) => reads.getResultsOfAllBoards(board, {}, options)],
  ["saveLeaderboard", (options) => admin.saveLeaderboard(board, {}, options)],
  ["openSeason", (options) => admin.openSeason(board, "cup", {}, options)],
  ["closeSeason", (options) => admin.closeSeason(board, "cup", options)],
  ["submitScores", (options) => admin.submitScores(board, [], options)],
  ["setPlayerStatus", (options) => admin.setPlayerStatus(board, "ann", "hidden", options)],
  ["removePlayer", (options) => admin.removePlayer(board, "ann", options)],
  ["deleteLeaderboard", (options) => admin.deleteLeaderboard(board, options)],
  ["exportPlayer", (options) => admin.exportPlayer(board, "ann", {}, options)],
  ["exportPlayerOfAllBoards", (options) => admin.exportPlayerOfAllBoards(board, "ann", {}, options)],
  ["auditSeason", (options) => admin.auditSeason(board, {}, options)],
  ["repairSeason", (options) => admin.repairSeason(board, options)],
  ["runRanking", (options) => admin.runRanking(board, {}, options)],
];

test("each call for admins and each that reads is among these", () => {
  expect(calls.map(([name]) => name)).toEqual(
    expect.arrayContaining([...Object.keys(admin), ...Object.keys(reads)]),
  );
});

test.each(calls.filter(([name]) => name !== "rankOf"))(
  "%s has a total time of its own, also where no token comes",
  async (_name, call) => {
    const late = expect(call()).rejects.toMatchObject({ code: "deadline_exceeded" });
    await vi.advanceTimersByTimeAsync(540_000);
    await late;
  },
);

test.each(calls)("%s ends with the app's signal, and at the app's time", async (_name, call) => {
  const controller = new AbortController();
  const cancelled = expect(call({ signal: controller.signal })).rejects.toMatchObject({
    code: "cancelled",
  });
  controller.abort();
  await cancelled;
  const late = expect(call({ timeoutMs: 1_000 })).rejects.toMatchObject({ code: "deadline_exceeded" });
  await vi.advanceTimersByTimeAsync(1_000);
  await late;
});
