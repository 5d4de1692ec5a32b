/**
 * What `watchGroup` does where no emulator can bring it about: failures, refusals, clocks. A stand-in takes the place of
 * Firebase.
 */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  anotherBoard,
  type Call,
  found,
  lost,
  refusal,
  sdk,
  signIn,
  time,
} from "../../test/support/client/stand-in.ts";
import type { FirerankError } from "./firerank-error.ts";
import type { Group, WatchedGroup } from "./group-answers.ts";
import { joinGroup } from "./groups.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { watchGroup } from "./watch-group.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

const hour = 3_600_000;
/** The end of the weeks that the server knows. */
const [endMs, nextEndMs] = [Date.parse("2026-11-30T00:00:00Z"), Date.parse("2026-12-07T00:00:00Z")];
const [week, nextWeek] = ["weekly-2026-11-23", "weekly-2026-11-30"];
const iso = (ms: number) => new Date(ms).toISOString();

/** What `getGroup` answers, or throws. */
let answer: (call: Call) => Promise<object>;
/** How far the server's clock is ahead of the device's. */
let aheadMs: number;

beforeEach(() => {
  vi.useFakeTimers({ now: endMs - hour });
  answer = () => Promise.resolve(answered());
  aheadMs = 0;
  sdk.answer = (call) => (call.name === "getGroup" ? answer(call) : Promise.resolve(seasons()));
  signIn("ann");
});
afterEach(() => void vi.useRealTimers());

/** What `listSeasons` answers. */
function seasons() {
  const times = { opens_at: iso(endMs - 168 * hour), closes_at: iso(endMs) };
  const next = { season: nextWeek, opens_at: iso(endMs), closes_at: iso(nextEndMs) };
  return { as_of: iso(Date.now() + aheadMs), running: [{ span: "weekly", season: week, ...times, next }] };
}

const answered = (more: Partial<Group> = {}): Group => ({
  leaderboard: "board",
  season: week,
  group: "g1",
  name: "Friends",
  owner: "ann",
  state: "open",
  place: 1,
  entries: [{ place: 1, rank: 1, player: "ann", score: 50 }],
  players: 1,
  size: 100,
  ends_at: null,
  as_of: iso(0),
  ...more,
});

/** The group's document, with the scores of its members; null for none. */
const group = (scores: Record<string, number | null>, more: object = {}) => ({
  name: "Friends",
  owner: "ann",
  size: 100,
  season: week,
  seats: Object.fromEntries(
    Object.entries(scores).map(([player, score], i) => [
      `s${i + 1}`,
      {
        of: player,
        player,
        ...(score !== null && { score, achieved_at: { seconds: i, nanoseconds: 0 } }),
      },
    ]),
  ),
  readers: Object.keys(scores),
  ends_at: null,
  pace: { written_at: time(0) },
  ...more,
});

const denied = () => Object.assign(new Error("Missing permissions"), { code: "permission-denied" });

/** Watches a group, and keeps what is reported. */
function watching(board = anotherBoard()) {
  const told: (WatchedGroup | null)[] = [];
  const errors: FirerankError[] = [];
  const stop = watchGroup(
    board,
    "g1",
    (shown) => told.push(shown),
    (error) => errors.push(error),
  );
  onTestFinished(stop);
  const definition = `leaderboards/${board.id}`;
  return { told, errors, last: () => told.at(-1), definition, path: `${definition}/private_groups/g1` };
}

/** Watches a group whose document has come. */
async function watchingStored(stored: object) {
  const watched = watching();
  sdk.documents.set(watched.path, stored).set(watched.definition, {});
  await pass(100);
  return watched;
}

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const listeningTo = () => sdk.listening.map(({ path }) => path).toSorted();
const questions = () => sdk.calls.filter(({ name }) => name === "getGroup").length;

async function tell(path: string, data: object | undefined, fromCache = false): Promise<void> {
  const heard = sdk.listening.filter((one) => one.path === path);
  expect(heard, path).not.toEqual([]);
  for (const { next } of heard) next(found(data, fromCache));
  await pass();
}

async function refuse(path: string): Promise<void> {
  sdk.listening.find((one) => one.path === path)?.error(denied());
  await pass();
}

test("the answer comes first, then each change of the document, by the board's order, and unscored members last", async () => {
  const { told, last, errors, definition, path } = watching();
  await pass();
  expect(told).toEqual([{ ...answered(), from_cache: false }]);
  expect(listeningTo()).toEqual([definition, path]);
  await tell(definition, { order: "ascending" });
  await tell(path, group({ ann: 50, bob: null, cyd: 40 }));
  expect(last()).toMatchObject({
    place: 2,
    players: 3,
    from_cache: false,
    entries: [{ player: "cyd", rank: 1 }, { player: "ann", score: 50 }, { player: "bob" }],
  });
  // What is not shown changes nothing.
  const times = told.length;
  await tell(path, group({ ann: 50, bob: null, cyd: 40 }, { owners: ["x"] }));
  expect([told.length, questions(), errors]).toEqual([times, 1, []]);
});

test("what a device has kept of the group is not shown instead of the answer; offline it stays, marked", async () => {
  const { told, last, definition, path } = watching();
  await pass();
  await tell(definition, {});
  await tell(path, group({ ann: 1 }), true);
  expect(told).toHaveLength(1);
  await tell(path, group({ ann: 60 }));
  await tell(path, group({ ann: 60 }), true);
  expect(last()).toMatchObject({ entries: [{ score: 60 }], from_cache: true });
});

test("a call that fails for a while is made again, after pauses; a permanent error ends the watching", async () => {
  answer = () => Promise.reject(lost());
  const { told, errors } = watching();
  await pass(60_000);
  expect([told, errors]).toEqual([[], []]);
  expect(questions()).toBeGreaterThan(3);
  expect(questions()).toBeLessThan(8);
  answer = () => Promise.reject(refusal("invalid_request"));
  await pass(90_000);
  expect(errors.map(({ code }) => code)).toEqual(["invalid_request"]);
  const asked = questions();
  await pass(600_000);
  expect([questions(), sdk.listening]).toEqual([asked, []]);
});

test.each([
  ["whom the document shows no more", (path: string) => tell(path, group({ bob: 60 }))],
  ["whom the rules refuse", refuse],
  ["whose group is deleted", (path: string) => tell(path, undefined)],
])("a member %s hears that there is no such group", async (_who, end) => {
  const { errors, path } = await watchingStored(group({ ann: 50 }));
  answer = () => Promise.reject(refusal("group_not_found"));
  await end(path);
  expect([errors, listeningTo()]).toEqual([[], []]);
  await pass(2_000);
  expect(errors.map(({ code }) => code)).toEqual(["group_not_found"]);
  await pass(600_000);
  expect([questions(), sdk.listening]).toEqual([2, []]);
});

test("a member whom the rules refuse again and again, though the group shows the member, gets the error", async () => {
  const { errors, path } = await watchingStored(group({ ann: 50 }));
  sdk.documents.clear();
  await refuse(path);
  await pass(10_000);
  expect(listeningTo()).toContain(path);
  await refuse(path);
  await pass(600_000);
  expect([errors.map(({ code }) => code), questions(), listeningTo()]).toEqual([
    ["permission_denied"],
    2,
    [],
  ]);
});

describe("who joins in this app", () => {
  /** The player is in no group until the server has taken a joinGroup. */
  let isIn: boolean;
  beforeEach(() => {
    isIn = false;
    sdk.answer = async ({ name }) => {
      if (name === "joinGroup") {
        isIn = true;
        return { group: "g1", name: "Friends" };
      }
      if (name !== "getGroup") return seasons();
      if (isIn) return answered();
      throw refusal("group_not_found");
    };
  });
  const join = async (board: Leaderboard) => {
    const joined = joinGroup({ ...board, season: "cup" }, { code: "7KQ2-M9XD-4TPAW" });
    await pass();
    expect(await joined).toMatchObject({ group: "g1" });
  };

  test("sees the group where a watcher had none, and again after a removal", async () => {
    const board = anotherBoard();
    const { told, errors, last, path, definition } = watching(board);
    await pass();
    expect(errors.map(({ code }) => code)).toEqual(["group_not_found"]);
    await join(board);
    expect([told, listeningTo()]).toEqual([[{ ...answered(), from_cache: false }], [definition, path]]);
    await tell(definition, {});
    await tell(path, group({ ann: 50, bob: 60 }));
    expect(last()?.players).toBe(2);
    isIn = false;
    await refuse(path);
    await pass(2_000);
    expect([errors.map(({ code }) => code), listeningTo()]).toEqual([
      ["group_not_found", "group_not_found"],
      [],
    ]);
    await join(board);
    expect([last()?.players, listeningTo(), errors.length]).toEqual([1, [path], 2]);
  });

  test("sees it as well if a question from before is answered later, and hears no error", async () => {
    const board = anotherBoard();
    const { answer: answers } = sdk;
    let refuseFirst: () => void = () => expect.fail("not asked");
    sdk.answer = async (call) => {
      if (call.name !== "getGroup" || isIn) return answers(call);
      return new Promise((_, reject) => (refuseFirst = () => reject(refusal("group_not_found"))));
    };
    const { told, errors } = watching(board);
    await pass();
    await join(board);
    refuseFirst();
    await pass();
    expect([told.length, errors]).toEqual([1, []]);
  });

  test("is not asked about for other groups, other boards, and watchers that were stopped", async () => {
    const board = anotherBoard();
    const quiet = (of: Leaderboard, id: string) =>
      watchGroup(of, id, vi.fn<() => void>(), vi.fn<() => void>());
    for (const stop of [quiet(board, "g2"), quiet(anotherBoard(), "g1")]) onTestFinished(stop);
    const stopLate = quiet(board, "g1");
    await pass();
    stopLate();
    const asked = questions();
    await join(board);
    expect([asked, questions()]).toEqual([3, 3]);
  });
});

test("a hidden member gets the answer again each minute, and listens again when it shows the member", async () => {
  answer = () => Promise.resolve(answered({ place: null, entries: [], players: 0 }));
  const { last, errors, path } = watching();
  await pass();
  await refuse(path);
  await pass(600_000);
  expect(questions()).toBeGreaterThan(5);
  expect(questions()).toBeLessThan(12);
  expect([last()?.place, listeningTo()]).toEqual([null, []]);
  answer = () => Promise.resolve(answered());
  await pass(90_000);
  const asked = questions();
  expect([last()?.place, errors]).toEqual([1, []]);
  expect(listeningTo()).toContain(path);
  await pass(600_000);
  expect(questions()).toBe(asked);
});

test("a moderator, who is no member, listens as well", async () => {
  answer = () => Promise.resolve(answered({ place: null }));
  const { last, errors } = await watchingStored(group({ bob: 60 }));
  await pass(600_000);
  expect([last()?.entries, last()?.place, questions(), errors]).toMatchObject([
    [{ player: "bob" }],
    null,
    1,
    [],
  ]);
});

test("the next season is asked for when it begins by the server's clock, and then no more", async () => {
  aheadMs = 60_000;
  const { last, path } = await watchingStored(group({ ann: 50 }));
  answer = () => Promise.resolve(answered({ season: nextWeek, entries: [{ place: 1, player: "ann" }] }));
  sdk.documents.set(path, group({ ann: null }, { season: nextWeek }));
  await pass(hour - 62_000);
  expect([questions(), last()?.season]).toEqual([1, week]);
  await pass(10_000);
  expect([questions(), last()?.season]).toEqual([2, nextWeek]);
  await pass(3 * hour);
  expect(questions()).toBe(2);
});

test("where the server goes on in the old season, it is asked a few times, with longer and longer pauses", async () => {
  const { last, path } = await watchingStored(group({ ann: 50 }));
  await pass(hour + 10_000);
  expect(questions()).toBeGreaterThan(2);
  await pass(12 * hour);
  expect([questions(), last()?.season]).toEqual([7, week]);
  // The first score of the new season makes the group anew, whoever asks.
  await tell(path, group({ ann: 1 }, { season: nextWeek }));
  await pass(hour);
  expect([questions(), last()?.season, last()?.entries[0]?.score]).toEqual([7, nextWeek, 1]);
});

test("a group ends at its time, stays in its season, and is asked for once its last scores are in", async () => {
  const ends = { ends_at: time(endMs - 60_000), end_due_at: time(endMs + 300_000) };
  const { last, path } = await watchingStored(group({ ann: 50 }, ends));
  expect(last()?.state).toBe("open");
  await pass(hour - 60_000);
  expect([last()?.state, questions()]).toEqual(["ending", 1]);
  await pass(350_000);
  expect(questions()).toBe(1);
  const settled = group({ ann: 50 }, { ends_at: ends.ends_at, settled_at: time(endMs + 300_000) });
  answer = () => Promise.resolve(answered({ state: "ended", ends_at: iso(endMs - 60_000) }));
  sdk.documents.set(path, settled);
  await pass(30_000);
  expect([last()?.state, questions()]).toEqual(["ended", 2]);
  await pass(300 * hour);
  expect(questions()).toBe(2);
});

test("the end of a tournament is the one that the answer knows", async () => {
  answer = () => Promise.resolve(answered({ season: "cup", ends_at: iso(endMs - 1_800_000) }));
  const { last } = await watchingStored(group({ ann: 50 }, { season: "cup", ends_at: time(endMs) }));
  expect(last()).toMatchObject({ ends_at: iso(endMs - 1_800_000), state: "open", players: 1 });
  await pass(1_800_000);
  expect([last()?.state, questions()]).toEqual(["ending", 1]);
});

test("an order without scores may change, so another watcher does not rely on it", async () => {
  const board = anotherBoard();
  answer = () => Promise.resolve(answered({ entries: [{ place: 1, player: "ann" }] }));
  const first = watching(board);
  await pass();
  await tell(first.definition, { order: "descending" });
  const second = watching(board);
  await pass();
  await tell(first.definition, { order: "ascending" });
  answer = () => Promise.resolve(answered());
  await tell(first.path, group({ ann: 50, bob: 40 }));
  for (const { last } of [first, second])
    expect(last()?.entries).toMatchObject([{ player: "bob" }, { player: "ann" }]);
});

test("another player who signs in is asked about anew, and nobody's group is null", async () => {
  const { told, last } = watching();
  await pass();
  signIn("bob");
  await pass();
  const asked = sdk.calls.filter(({ name }) => name === "getGroup");
  expect(asked.map(({ player }) => player)).toEqual(["ann", "bob"]);
  expect(told[1]).toBeNull();
  signIn(null);
  await pass();
  expect([last(), sdk.listening]).toEqual([null, []]);
});
