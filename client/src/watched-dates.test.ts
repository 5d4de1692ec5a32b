/**
 * Which season watchers are in, on a device whose date is set, or whose clock differs from the functions'. A stand-in takes the
 * place of Firebase.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { anotherBoard, type Call, found, lost, refusal, sdk } from "../../test/support/client/stand-in.ts";
import { runningWeeks, watching } from "../../test/support/client/watching.ts";
import type { Running, WatchedRank, WatchedSeason, WatchedTop } from "./answers.ts";
import { presentIn } from "./follow-span.ts";
import { watchLeague } from "./watch-league.ts";
import { watchRank } from "./watch-rank.ts";
import { watchSeason } from "./watch-season.ts";
import { watchTop } from "./watch-top.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

let running: Running[];
beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 18) });
  running = runningWeeks(6e8);
  sdk.user = { uid: "ann" };
  sdk.answer = answer;
});
afterEach(() => void vi.useRealTimers());

/** What the functions say; `getLeague` does not know the next week yet. */
async function answer({ name, season }: Call): Promise<object> {
  if (name !== "getLeague") return { as_of: new Date().toISOString(), running };
  if (season === "weekly-2") throw refusal("season_not_found");
  return { season, player: "ann", league: null, why: "no_score", tier: "bronze" };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const setDate = (byMs: number) => vi.setSystemTime(Date.now() + byMs);
const weekMs = 7 * 86_400_000;
const questions = () => sdk.calls.filter(({ name }) => name === "getLeague");

/** The seasons that are listened to, without the board's definition. */
const seasonsHeard = () => [...new Set(sdk.listening.map(({ path }) => path.split("/")[3]))].filter(Boolean);

/** The server says that the documents of all seasons are missing, as nobody has played yet. */
function tellAll(): void {
  for (const { path, next } of sdk.listening) if (path.includes("/seasons/")) next(found(undefined));
}

test.each([
  ["once the server says so", true],
  ["offline too once the date is right again", false],
])(
  "watchers are back in the running week after a date that was a week ahead offline, %s",
  async (_, isServer) => {
    const board = anotherBoard({ span: "weekly" });
    const tops = watching<WatchedTop>(watchTop, board);
    const ranks = watching<WatchedRank | null>(watchRank, board);
    const seasons = watching<WatchedSeason>((of, tell, fail) => watchSeason(of, {}, tell, fail), board);
    await pass(5_000);
    expect(seasonsHeard()).toEqual(["weekly-1"]);
    sdk.answer = () => Promise.reject(lost());
    setDate(weekMs);
    await pass(60_000);
    // Offline the date is all there is to go by.
    expect(seasonsHeard()).toEqual(["weekly-2"]);
    if (isServer) {
      sdk.answer = (call) => answer(call).then((said) => ({ ...said, as_of: new Date(Date.now() - weekMs) }));
    } else {
      setDate(-weekMs);
    }
    await pass(120_000);
    expect(seasonsHeard()).toEqual(["weekly-1"]);
    tellAll();
    for (const { told } of [tops, seasons]) expect(told.at(-1)).toMatchObject({ season: "weekly-1" });
    expect([tops, ranks, seasons].flatMap(({ errors }) => errors)).toEqual([]);
  },
);

test("a clock that was slightly fast leads nobody back from the next week; a date that was days ahead does", () => {
  const board = anotherBoard({ span: "weekly" });
  const endMs = Date.now() + 6e8;
  const known = { running, clock: { date_ms: 0, steady_ms: 0, server_ms: 0, error_ms: 0 } };
  const [present, next] = [presentIn(board, known, 0), presentIn(board, known, endMs)];
  for (const [leftMs, before, season] of [
    [2_000, next, "weekly-2"],
    [2_000, undefined, "weekly-1"],
    [2_000, present, "weekly-1"],
    [20_000, next, "weekly-1"],
    [5e8, next, "weekly-1"],
    [0, present, "weekly-2"],
  ] as const)
    expect([leftMs, presentIn(board, known, endMs - leftMs, before)?.season]).toEqual([leftMs, season]);
});

test("watchLeague does not ask on and on for a week that has not begun, after such a date", async () => {
  const { errors } = watching<unknown>(watchLeague, anotherBoard());
  await pass(5_000);
  expect(questions()).toMatchObject([{ season: "weekly-1" }]);
  sdk.answer = () => Promise.reject(lost());
  setDate(weekMs);
  await pass(60_000);
  expect(questions().at(-1)).toMatchObject({ season: "weekly-2" });
  sdk.answer = answer;
  setDate(-weekMs);
  await pass(60_000);
  expect(questions().at(-1)).toMatchObject({ season: "weekly-1" });
  sdk.calls = [];
  await pass(3_600_000);
  expect([questions(), errors]).toEqual([[], []]);
});

test("watchLeague ends with the error, once getLeague does not know a week for minutes that has begun", async () => {
  running = runningWeeks(30_000);
  const { errors } = watching<unknown>(watchLeague, anotherBoard());
  await pass(60_000);
  expect([questions().at(-1), errors]).toMatchObject([{ season: "weekly-2" }, []]);
  await pass(180_000);
  expect(errors).toMatchObject([{ code: "season_not_found" }]);
  sdk.calls = [];
  await pass(3_600_000);
  expect(sdk.calls).toEqual([]);
});
