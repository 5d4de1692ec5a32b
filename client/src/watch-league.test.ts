/**
 * What `watchLeague` does where no emulator can bring it about: failures, refusals, waits. A stand-in takes the place of
 * Firebase.
 */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
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
import type { League, WatchedLeague } from "./league-answer.ts";
import { watchLeague } from "./watch-league.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

const endMs = Date.parse("2026-11-30T00:00:00Z");
const season = "weekly-2026-11-23";
/** What `getLeague` answers, or throws. */
let answer: (call: Call) => Promise<object>;

beforeEach(() => {
  vi.useFakeTimers({ now: endMs - 3_600_000 });
  answer = () => Promise.resolve(inGroup());
  sdk.answer = (call) =>
    call.name === "getLeague"
      ? answer(call)
      : Promise.resolve({ as_of: new Date().toISOString(), running: [] });
  signIn("ann");
});
afterEach(() => void vi.useRealTimers());

const noGroup = (why: League["why"]): League => ({
  leaderboard: "board",
  season,
  league: null,
  why,
  last: null,
});
const inGroup = (): League => ({
  leaderboard: "board",
  season,
  last: null,
  league: {
    tier: "bronze",
    group: "bronze-1",
    state: "open",
    place: 1,
    zone: null,
    next_place: null,
    next_score: null,
    entries: [{ place: 1, rank: 1, player: "ann", score: 50 }],
    players: 1,
    ends_at: new Date(endMs).toISOString(),
    as_of: new Date(0).toISOString(),
  },
});

/** The document of Ann's group, with the scores of its members. */
const group = (scores: Record<string, number>, more: object = {}) => ({
  seats: Object.fromEntries(
    Object.entries(scores).map(([player, score], i) => [
      `s${i + 1}`,
      { of: player, player, score, achieved_at: { seconds: i, nanoseconds: 0 } },
    ]),
  ),
  readers: Object.keys(scores),
  ends_at: time(endMs),
  pace: { written_at: time(0) },
  league: { tier: "bronze", ladder: ["bronze", "silver"], size: 5, min_size: 2, promote: 1, demote: 0 },
  ...more,
});

const denied = () => Object.assign(new Error("Missing permissions"), { code: "permission-denied" });

/** Watches a week, and keeps what is reported. */
function watching(board = anotherBoard({ season })) {
  const told: (WatchedLeague | null)[] = [];
  const errors: FirerankError[] = [];
  const stop = watchLeague(
    board,
    (league) => told.push(league),
    (error) => errors.push(error),
  );
  onTestFinished(stop);
  const at = `leaderboards/${board.id}/seasons/${season}`;
  return {
    told,
    errors,
    stop,
    last: () => told.at(-1),
    definition: `leaderboards/${board.id}`,
    group: `${at}/league_groups/bronze-1`,
    player: `${at}/players/ann`,
  };
}

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const listeningTo = () => sdk.listening.map(({ path }) => path).toSorted();
const questions = () => sdk.calls.filter(({ name }) => name === "getLeague").length;

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

test("the answer comes first, then each change of the group by the board's order, and who came last first among equals", async () => {
  const { told, last, definition, group: path, errors } = watching();
  await pass();
  expect(told).toEqual([{ ...inGroup(), from_cache: false }]);
  expect(listeningTo()).toEqual([definition, path]);
  await tell(definition, { order: "ascending", ties: "last" });
  expect(listeningTo()).toEqual([definition, path]);
  await tell(path, group({ ann: 50, bob: 50, cyd: 60, dan: 70, eve: 80 }));
  expect(last()?.league).toMatchObject({
    place: 2,
    zone: null,
    next_place: 1,
    next_score: 50,
    entries: [{ player: "bob", zone: "up" }, { player: "ann" }, {}, {}, {}],
  });
  // What is not shown changes nothing.
  const times = told.length;
  await tell(path, group({ ann: 50, bob: 50, cyd: 60, dan: 70, eve: 80 }, { unsettled: true }));
  expect([told.length, questions(), errors]).toEqual([times, 1, []]);
});

test("what a device has kept of the group is not shown instead of the answer; offline it stays, marked", async () => {
  const { told, last, definition, group: path } = watching();
  await pass();
  await tell(definition, {});
  await tell(path, group({ ann: 1 }), true);
  expect(told).toHaveLength(1);
  await tell(path, group({ ann: 60 }));
  await tell(path, group({ ann: 60 }), true);
  expect(last()).toMatchObject({ league: { entries: [{ score: 60 }] }, from_cache: true });
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

test("of a board without weeks the error is what getLeague says of it, unless that is another one, and none after a stop", async () => {
  const running = [{ span: "all_time", season: "all_time", opens_at: null, closes_at: null, next: null }];
  let refuse: (code: string) => void = () => expect.fail("not asked");
  sdk.answer = ({ name }) =>
    name === "getLeague"
      ? new Promise((_, reject) => (refuse = (code) => reject(refusal(code))))
      : Promise.resolve({ as_of: new Date().toISOString(), running });
  for (const [place, said, told] of [
    [{}, "invalid_request", ["invalid_request"]],
    [{ span: "monthly" }, "contention", ["season_not_found"]],
    [{}, "stop", []],
  ] as const) {
    const { errors, stop } = watching(anotherBoard(place));
    await pass(100);
    if (said === "stop") stop();
    refuse(said);
    await pass(100);
    expect([errors.map(({ code }) => code), sdk.listening]).toEqual([told, []]);
  }
  expect(sdk.calls.filter(({ name }) => name === "getLeague")).toMatchObject([
    { player: "ann" },
    { span: "monthly" },
    {},
  ]);
});

test("whom the group ceases to show is asked about once; who is refused though in the group gets the error", async () => {
  const { last, errors, group: path, definition, player } = watching();
  await pass();
  await tell(definition, {});
  await tell(path, group({ ann: 50 }));
  answer = () => Promise.resolve(noGroup("left"));
  await refuse(path);
  expect(listeningTo()).toEqual([]);
  await pass(2_000);
  expect([last()?.why, listeningTo()]).toEqual(["left", [player]]);
  answer = () => Promise.resolve(inGroup());
  await tell(player, { score: 50, league_seat: { has_left: true } });
  await tell(player, { score: 51, league_seat: { group: "bronze-1", seat: "s1" } });
  expect(listeningTo()).toEqual([path]);
  await tell(path, group({ ann: 51 }));
  await tell(path, group({ bob: 51 }));
  await pass(2_000);
  expect([questions(), listeningTo(), errors]).toEqual([4, [path], []]);
  await refuse(path);
  await pass(10_000);
  await refuse(path);
  expect(errors.map(({ code }) => code)).toEqual(["permission_denied"]);
  expect(listeningTo()).toEqual([]);
});

test("a seat that is awaited is asked for after ten seconds, and less and less often", async () => {
  answer = () => Promise.resolve(noGroup("seating"));
  const { last, player } = watching();
  await pass(9_000);
  expect([questions(), last()?.why]).toEqual([1, "seating"]);
  await pass(10_000);
  expect(questions()).toBe(2);
  await pass(600_000);
  expect(questions()).toBeGreaterThan(8);
  expect(questions()).toBeLessThan(14);
  const asked = questions();
  answer = () => Promise.resolve(inGroup());
  await tell(player, { score: 1, league_seat: { waits: true } });
  expect(questions()).toBe(asked);
  await tell(player, { score: 1, league_seat: { group: "bronze-1", seat: "s1" } });
  expect(last()?.league).toMatchObject({ place: 1 });
});

test("a seat that no group confirms is asked about once, and scores that bring no seat are not", async () => {
  answer = () => Promise.resolve(noGroup("too_late"));
  const { last, player } = watching();
  await pass();
  for (const score of [1, 2, 3]) await tell(player, { score });
  expect(questions()).toBe(1);
  await tell(player, { score: 3, league_seat: { group: "bronze-9", seat: "s1" } });
  expect(questions()).toBe(2);
  await tell(player, { score: 4, league_seat: { group: "bronze-9", seat: "s1" } });
  await pass(600_000);
  expect([questions(), last()?.why, listeningTo()]).toEqual([2, "too_late", [player]]);
});

test("a hidden player's group stays as it was, and is listened to again once the player is back", async () => {
  const { league, ...rest } = inGroup();
  const hidden = { ...rest, league: league && { ...league, place: null } };
  answer = () => Promise.resolve(hidden);
  const { last, player, group: path } = watching();
  await pass();
  await tell(player, { score: 5, status: "hidden", league_seat: { group: "bronze-1", seat: "s1" } });
  expect([questions(), last()?.league?.place, listeningTo()]).toEqual([1, null, [player]]);
  answer = () => Promise.resolve(inGroup());
  await tell(player, { score: 5, status: "active", league_seat: { group: "bronze-1", seat: "s1" } });
  expect(listeningTo()).toContain(path);
});

test("a first score that came between answer and listener is noticed, and one that came too late asks once", async () => {
  answer = () => Promise.resolve(noGroup("no_score"));
  const { last, player } = watching();
  await pass();
  answer = () => Promise.resolve(noGroup("too_late"));
  await tell(player, { score: 3 });
  expect([questions(), last()?.why]).toEqual([2, "too_late"]);
  await tell(player, { score: 3 });
  await tell(player, { score: 4 });
  expect(questions()).toBe(2);
});

test("the group is ending from the server's moment on, and settled when its document says so", async () => {
  const { last, definition, group: path } = watching();
  await pass();
  await tell(definition, {});
  await tell(path, group({ ann: 50 }));
  expect(last()?.league?.state).toBe("open");
  await pass(3_600_000);
  expect(last()?.league?.state).toBe("ending");
  await tell(path, group({ ann: 50 }, { settled_at: time(endMs + 400_000) }));
  expect(last()?.league?.state).toBe("settled");
});

test("another player who signs in is asked about anew, and nobody's group is null", async () => {
  const { told, last } = watching();
  await pass();
  signIn("bob");
  await pass();
  expect(sdk.calls.filter(({ name }) => name === "getLeague").map(({ player }) => player)).toEqual([
    "ann",
    "bob",
  ]);
  expect(told[1]).toBeNull();
  signIn(null);
  await pass();
  expect([last(), sdk.listening]).toEqual([null, []]);
});
