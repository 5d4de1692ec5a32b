/** The rank of a score, or of a player, worked out on the device. A stand-in takes the place of Firebase. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Leaderboard } from "./leaderboard.ts";
import { anotherBoard, found, onlyPage, sdk, time } from "../../test/support/client/stand-in.ts";
import { rankOf } from "./rank-of.ts";
import { watchRank } from "./watch-rank.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

/** What `watchRank` tells of ann. */
function watchAnn(board: Leaderboard) {
  const told: unknown[] = [];
  const stop = watchRank(
    board,
    (rank) => told.push(rank),
    (error) => expect.fail(error.message),
    "ann",
  );
  return { told, stop };
}

/** A board with one decimal, on which two players are ranked. */
function decimalBoard() {
  const board = anotherBoard({ season: "all_time" });
  const season = `leaderboards/${board.id}/seasons/all_time`;
  sdk.documents.set(`leaderboards/${board.id}`, { decimals: 1 });
  sdk.documents.set(`${season}/scores_ranking`, onlyPage([0.8, 0.5]));
  return { board, season };
}

const noisy = 0.1 + 0.7;

test("a score counts as the nearest step of the board, as for the functions", async () => {
  const { board } = decimalBoard();
  expect(noisy).toBeLessThan(0.8);
  expect(await rankOf(board, noisy)).toMatchObject({ score: 0.8, rank: 1, exact: true });
});

test("so does a score that a server has written, before its event comes", async () => {
  const { board, season } = decimalBoard();
  sdk.documents.set(`${season}/players/ann`, { score: noisy });
  const { told, stop } = watchAnn(board);
  await vi.waitFor(() => expect(told).toMatchObject([{ score: 0.8, rank: 1, exact: true }]));
  stop();
});

/** A board that was counted with descending scores. Somebody has changed the stored order to ascending. */
function changedBoard() {
  const board = anotherBoard({ season: "all_time" });
  // The second of two pages. The query for the page of the score 4 finds it by either order.
  const page = {
    ...onlyPage([3, 2, 1]),
    page: 1,
    pages: 2,
    players: 5,
    rows_above: 2,
    players_until: 5,
    from_score: 3,
    players_above: [2, 3, 4],
  };
  const season = `leaderboards/${board.id}/seasons/all_time`;
  sdk.documents.set(`leaderboards/${board.id}`, { order: "ascending" });
  sdk.documents.set(season, { ordering: { order: "descending", aggregation: "best" } });
  sdk.documents.set(`${season}/scores_ranking`, page);
  return { board, season };
}

test("no exact rank is told that is not the season's own", async () => {
  const { board } = changedBoard();
  const told = await rankOf(board, 4).catch(() => undefined);
  // By the season's order 4 is better than these three players.
  expect(told?.exact === true ? told.rank : 1).toBeLessThanOrEqual(3);
});

test("rankOf says what to look at, and tells ranks again once the order is put back", async () => {
  const { board } = changedBoard();
  await expect(rankOf(board, 2)).rejects.toThrow(/`order` was changed by hand/);
  sdk.documents.set(`leaderboards/${board.id}`, { order: "descending" });
  expect(await rankOf(board, 2)).toMatchObject({ rank: 4, exact: true });
});

test("a page in memory, read before the change, is not taken for the other order", async () => {
  const { board } = changedBoard();
  sdk.documents.set(`leaderboards/${board.id}`, { order: "descending" });
  expect(await rankOf(board, 2)).toMatchObject({ rank: 4, exact: true });
  sdk.documents.set(`leaderboards/${board.id}`, { order: "ascending" });
  const after61Minutes = Date.now() + 61 * 60_000;
  const clock = vi.spyOn(Date, "now").mockReturnValue(after61Minutes);
  await expect(rankOf(board, 4)).rejects.toMatchObject({ code: "player_not_ranked" });
  clock.mockRestore();
});

test("watchRank tells no rank, and the right one as soon as the order is put back", async () => {
  const { board, season } = changedBoard();
  sdk.documents.set(`${season}/players/ann`, { score: 2 });
  const { told, stop } = watchAnn(board);
  await vi.waitFor(() => expect(told).toEqual([null]));
  const rules = sdk.listening.find(({ path }) => path === `leaderboards/${board.id}`);
  rules?.next(found({ order: "descending" }));
  await vi.waitFor(() => expect(told.slice(1)).toMatchObject([{ rank: 4, exact: true }]));
  stop();
});

const tiersOf = (name: string) => [{ name, top_percent: 100 }];

/** A board that has other tiers now than a season of it had at its end. @param due when the next publication is due */
function closedBoard(final: { tiers?: object[] }, due: number) {
  const board = anotherBoard({ season: "cup" });
  const season = `leaderboards/${board.id}/seasons/cup`;
  sdk.documents.set(`leaderboards/${board.id}`, { tiers: tiersOf("new") });
  const page = { ...onlyPage([3, 2, 1]), final, next_publish_at: time(due) };
  sdk.documents.set(`${season}/scores_ranking`, page);
  sdk.documents.set(`${season}/players/ann`, { score: 3, status: "active" });
  return { board, page: `${season}/scores_ranking` };
}

test.each([
  ["once a publication would have been due", 0],
  ["in the minutes before", Date.now() + 60_000],
])(
  "the tier in a closed season is by the tiers of its end, whatever the board has by now: %s",
  async (_, due) => {
    const { board } = closedBoard({ tiers: tiersOf("old") }, due);
    expect(await rankOf(board, 3)).toMatchObject({ rank: 1, tier: "old" });
    const ended = closedBoard({}, due);
    expect(await rankOf(ended.board, 3)).not.toHaveProperty("tier");
  },
);

test("so is the tier that watchRank tells, at no more reads", async () => {
  const { board } = closedBoard({ tiers: tiersOf("old") }, 0);
  const { told, stop } = watchAnn(board);
  await vi.waitFor(() => expect(told).toMatchObject([{ rank: 1, tier: "old" }]));
  expect([sdk.begun, sdk.read]).toEqual([3, []]);
  stop();
});

test("a page of a closed season is read once an hour", async () => {
  const { board, page } = closedBoard({}, 0);
  const clock = vi.spyOn(Date, "now");
  const startMs = Date.now();
  for (const [minutes, reads] of [
    [0, 1],
    [1, 1],
    [59, 1],
    [61, 2],
    [120, 2],
    [122, 3],
  ] as const) {
    clock.mockReturnValue(startMs + minutes * 60_000);
    await rankOf(board, 3);
    expect([minutes, sdk.read.filter((path) => path === page).length]).toEqual([minutes, reads]);
  }
  clock.mockRestore();
});

describe("what the app has in memory is read again, whatever the device's date says,", () => {
  const [minute, hour] = [60_000, 3_600_000];
  const startMs = Date.UTC(2026, 10, 18);
  const setDate = (byMs: number) => vi.setSystemTime(startMs + byMs);
  beforeEach(() => void vi.useFakeTimers({ now: startMs }));
  afterEach(() => void vi.useRealTimers());

  /** A board, and what publishes a generation at a given minute; five minutes later the next one is due. */
  function publishing() {
    const board = anotherBoard({ season: "all_time" });
    sdk.documents.set(`leaderboards/${board.id}`, { tiers: tiersOf("old") });
    const path = `leaderboards/${board.id}/seasons/all_time/scores_ranking`;
    function publish(generation: number, minutes: number, scores: number[], more: object = {}) {
      const asOfMs = startMs + minutes * minute;
      const times = { as_of: time(asOfMs), next_publish_at: time(asOfMs + 5 * minute) };
      sdk.documents.set(path, { ...onlyPage(scores), generation, ...times, ...more });
    }
    const reads = () => sdk.read.filter((one) => one === path).length;
    return { board, publish, reads };
  }

  test.each([
    ["hours ahead, and is put right", 3 * hour, 0],
    ["hours ahead, and stays so", 3 * hour, 3 * hour],
    ["hours behind, and stays so", -3 * hour, -3 * hour],
    ["right, and is set hours back", 0, -3 * hour],
  ])("a page whose successor is due, by a date that is %s", async (_, firstMs, thenMs) => {
    const { board, publish } = publishing();
    publish(1, 0, [5]);
    setDate(firstMs);
    expect(await rankOf(board, 5)).toMatchObject({ rank: 1, generation: 1 });
    vi.advanceTimersByTime(6 * minute);
    setDate(thenMs + 6 * minute);
    publish(2, 5, [9, 8, 7, 5]);
    expect(await rankOf(board, 5)).toMatchObject({ rank: 4, generation: 2 });
  });

  test("a page whose successor is due at once, after ten seconds", async () => {
    const { board, publish, reads } = publishing();
    publish(1, 0, [5], { next_publish_at: time(startMs) });
    for (const count of [1, 1, 2]) {
      await rankOf(board, 5);
      expect(reads()).toBe(count);
      vi.advanceTimersByTime(6_000);
    }
  });

  test("a page of a closed season, and the tiers, an hour after a date that was hours ahead", async () => {
    const { board, publish, reads } = publishing();
    publish(1, 0, [5], { final: { tiers: tiersOf("end") } });
    setDate(3 * hour);
    expect(await rankOf(board, 5)).toMatchObject({ tier: "end" });
    vi.advanceTimersByTime(59 * minute);
    setDate(59 * minute);
    await rankOf(board, 5);
    expect(reads()).toBe(1);
    vi.advanceTimersByTime(2 * minute);
    sdk.documents.set(`leaderboards/${board.id}`, { tiers: tiersOf("new") });
    publish(1, 0, [5]);
    expect(await rankOf(board, 5)).toMatchObject({ tier: "new" });
    expect(reads()).toBe(2);
  });

  test("and a ranking that was restarted is kept in memory, after a date that was hours ahead", async () => {
    const { board, publish, reads } = publishing();
    publish(712, 0, [5]);
    setDate(3 * hour);
    await rankOf(board, 5);
    vi.advanceTimersByTime(6 * minute);
    setDate(6 * minute);
    publish(1, 6, [9, 5]);
    for (const _ of "12") expect(await rankOf(board, 5)).toMatchObject({ rank: 2, generation: 1 });
    expect(reads()).toBe(2);
  });
});
