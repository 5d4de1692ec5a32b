/** The requests that calls send, how often and as which player; and when calls end. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as specs from "../../functions/src/operations/specs.ts";
import { anotherBoard, lost, refusal, sdk } from "../../test/support/client/stand-in.ts";
import * as admin from "./admin.ts";
import type { CallOptions } from "./call-options.ts";
import * as groups from "./groups.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { mergeGuest } from "./merge-guest.ts";
import { rankOf } from "./rank-of.ts";
import * as reads from "./reads.ts";
import { setProfile } from "./set-profile.ts";
import { submitScore } from "./submit-score.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

const board = anotherBoard();

type Call = (options?: CallOptions, of?: Leaderboard) => Promise<unknown>;
const calls: [name: string, call: Call][] = [
  ["submitScore", (options, of = board) => submitScore(of, { score: 1 }, options)],
  ["setProfile", (options, of = board) => setProfile(of, {}, options)],
  ["mergeGuest", (options, of = board) => mergeGuest(of, "token", options)],
  ["listSeasons", (options, of = board) => reads.listSeasons(of, {}, options)],
  ["getRank", (options, of = board) => reads.getRank(of, {}, options)],
  ["rankOf", (options, of = board) => rankOf(of, 1, options)],
  ["getTop", (options, of = board) => reads.getTop(of, {}, options)],
  ["getAround", (options, of = board) => reads.getAround(of, {}, options)],
  ["getHistory", (options, of = board) => reads.getHistory(of, {}, options)],
  ["getThreshold", (options, of = board) => reads.getThreshold(of, { rank: 1 }, options)],
  ["getHistogram", (options, of = board) => reads.getHistogram(of, {}, options)],
  ["getTeams", (options, of = board) => reads.getTeams(of, { segment: "guild" }, options)],
  ["getPage", (options, of = board) => reads.getPage(of, {}, options)],
  ["pages", (options, of = board) => reads.pages(of, {}, options).next()],
  ["getPlayers", (options, of = board) => reads.getPlayers(of, [], {}, options)],
  ["getResults", (options, of = board) => reads.getResults(of, {}, options)],
  ["getLeague", (options, of = board) => reads.getLeague(of, {}, options)],
  ["createGroup", (options, of = board) => groups.createGroup(of, { name: "Friends" }, options)],
  ["joinGroup", (options, of = board) => groups.joinGroup(of, { code: "7KQ2-M9XD-4TPAW" }, options)],
  ["leaveGroup", (options, of = board) => groups.leaveGroup(of, "g1", options)],
  ["removeMember", (options, of = board) => groups.removeMember(of, "g1", "bob", options)],
  ["renameGroup", (options, of = board) => groups.renameGroup(of, "g1", "Class", options)],
  ["deleteGroup", (options, of = board) => groups.deleteGroup(of, "g1", options)],
  ["getGroup", (options, of = board) => groups.getGroup(of, "g1", {}, options)],
  ["getMyGroups", (options, of = board) => groups.getMyGroups(of, {}, options)],
  ["getMyBoards", (options, of = board) => reads.getMyBoards(of, {}, options)],
  ["getResultsOfAllBoards", (options, of = board) => reads.getResultsOfAllBoards(of, {}, options)],
  ["saveLeaderboard", (options, of = board) => admin.saveLeaderboard(of, {}, options)],
  ["openSeason", (options, of = board) => admin.openSeason(of, "cup", {}, options)],
  ["closeSeason", (options, of = board) => admin.closeSeason(of, "cup", options)],
  ["submitScores", (options, of = board) => admin.submitScores(of, [], options)],
  ["setPlayerStatus", (options, of = board) => admin.setPlayerStatus(of, "ann", "hidden", options)],
  ["removePlayer", (options, of = board) => admin.removePlayer(of, "ann", options)],
  ["mergePlayers", (options, of = board) => admin.mergePlayers(of, "guest", "ann", options)],
  ["deleteLeaderboard", (options, of = board) => admin.deleteLeaderboard(of, options)],
  ["exportPlayer", (options, of = board) => admin.exportPlayer(of, "ann", options)],
  ["auditSeason", (options, of = board) => admin.auditSeason(of, {}, options)],
  ["repairSeason", (options, of = board) => admin.repairSeason(of, options)],
  ["runRanking", (options, of = board) => admin.runRanking(of, {}, options)],
];

/** The functions that may take 540 s, as they are deployed. */
const manifest = readFileSync(join(import.meta.dirname, "../../test/repository/manifest.txt"), "utf8");
const slow = [...manifest.matchAll(/^ *(\w+): callableTrigger,.* timeoutSeconds 540$/gm)].map(
  ([, name]) => name,
);

/** Whether the request of a function has a field. */
const hasField = (name: string, field: string) =>
  field in (Object.entries(specs).find(([of]) => of === name)?.[1].request.shape ?? {});

test("each call that reads what a player has takes another player", async () => {
  const asks: Record<string, (player: string) => Promise<unknown>> = {
    getRank: (player) => reads.getRank(board, { player }),
    getAround: (player) => reads.getAround(board, { player }),
    getHistory: (player) => reads.getHistory(board, { player }),
    getLeague: (player) => reads.getLeague(board, { player }),
    getGroup: (player) => groups.getGroup(board, "g1", { player }),
    getMyGroups: (player) => groups.getMyGroups(board, { player }),
  };
  const names = calls
    .map(([name]) => name)
    .filter((name) => name.startsWith("get") && hasField(name, "player"));
  expect(Object.keys(asks)).toEqual(names);
  sdk.user = { uid: "ann" };
  for (const ask of Object.values(asks)) await ask("bob");
  expect(sdk.calls.map(({ name, player }) => [name, player])).toEqual(names.map((name) => [name, "bob"]));
});

test("each call for admins, each about groups and each that reads is among these", () => {
  expect(calls.map(([name]) => name)).toEqual(
    expect.arrayContaining([...Object.keys(admin), ...Object.keys(groups), ...Object.keys(reads)]),
  );
});

describe("the season or the span that the board names", () => {
  /** Calls of which it is no default: for one `span` is a filter, and the others get their season as an argument. */
  const others = ["listSeasons", "openSeason", "closeSeason"];
  const takes = (name: string, field: string) => !others.includes(name) && hasField(name, field);
  const taking = (field: string) => calls.filter(([name]) => takes(name, field));
  const sentFor = async (call: Call, place: object) => {
    sdk.user = { uid: "ann" };
    sdk.answer = async ({ player }) => ({ player, seasons: [], results: [] });
    await call(undefined, anotherBoard(place));
    return sdk.calls.at(-1) ?? expect.fail();
  };

  test.each(taking("season"))("%s is about the season", async (_name, call) => {
    const sent = await sentFor(call, { season: "cup" });
    expect([sent["season"], sent["span"]]).toEqual(["cup", undefined]);
  });

  test.each(taking("span"))("%s is about the span", async (_name, call) => {
    const sent = await sentFor(call, { span: "weekly" });
    expect([sent["season"], sent["span"]]).toEqual([undefined, "weekly"]);
  });

  test("is taken by the same calls, but for scores, which count in all spans", () => {
    const names = (field: string) => taking(field).map(([name]) => name);
    expect(names("season").filter((name) => !names("span").includes(name))).toEqual([
      "submitScore",
      "submitScores",
    ]);
  });

  test("gives way to what the request says, as a whole", async () => {
    const { getGroup } = groups;
    const { getLeague } = reads;
    const [ofSeason, ofSpan] = [anotherBoard({ season: "cup" }), anotherBoard({ span: "weekly" })];
    sdk.answer = async () => ({});
    await getGroup(ofSeason, "g1", { span: "daily" });
    await getGroup(ofSpan, "g1", { season: "weekly-1" });
    await getGroup(ofSpan, "g1", { season: undefined, with_code: true });
    await getLeague(ofSpan, { season: "weekly-1" });
    expect(sdk.calls.map(({ season, span }) => [season, span])).toEqual([
      [undefined, "daily"],
      ["weekly-1", undefined],
      [undefined, "weekly"],
      ["weekly-1", undefined],
    ]);
  });
});

test("an undefined field counts as left out, at any depth; the SDK would send it as null", async () => {
  sdk.answer = async () => ({ seasons: [] });
  const metadata = { from: undefined, medals: [{ gold: 1, won: undefined }] };
  await submitScore(board, { score: 20, columns: undefined, display_name: undefined, metadata });
  const { submission_id: _, ...sent } = sdk.calls[0] ?? expect.fail();
  const named = { name: "submitScore", leaderboard: board.id, player: undefined, min_generations: {} };
  expect(sent).toStrictEqual({ ...named, score: 20, metadata: { medals: [{ gold: 1 }] } });
});

test("a ban takes its reason along, and how long it may take stays here", async () => {
  await admin.setPlayerStatus(board, "ann", "banned", { reason: "a bot", timeoutMs: 1_000 });
  expect(sdk.calls[0]).toMatchObject({ status: "banned", reason: "a bot" });
  expect(sdk.calls[0]).not.toHaveProperty("timeoutMs");
});

test("each call that reads a ranking asks for the newest generation that was seen of the season", async () => {
  const newest = { season: "all_time", generation: 7, entries: [] };
  sdk.answer = async () => newest;
  const seen = anotherBoard();
  const {
    getAround,
    getHistogram,
    getHistory,
    getPage,
    getPlayers,
    getRank,
    getTeams,
    getThreshold,
    getTop,
  } = reads;
  for (const ask of [getRank, getTop, getAround, getHistogram, getHistory, getPage]) await ask(seen);
  await getThreshold(seen, { rank: 1 });
  await getTeams(seen, { segment: "guild" });
  await getPlayers(seen, ["ann"]);
  expect(sdk.calls.map((sent) => sent["min_generation"])).toEqual([undefined, 7, 7, 7, 7, 7, 7, 7, 7]);
});

describe("where nothing answers", () => {
  const never = () => new Promise<never>(() => undefined);
  const begin = () => {
    vi.useFakeTimers();
    Object.assign(sdk, { ready: never, answer: never, held: [] });
  };
  afterEach(() => void vi.useRealTimers());

  test.each(calls.filter(([name]) => name !== "rankOf"))(
    "%s has a total time of its own",
    async (_name, call) => {
      begin();
      const late = expect(call()).rejects.toMatchObject({ code: "deadline_exceeded" });
      await vi.advanceTimersByTimeAsync(540_000);
      await late;
    },
  );

  test.each(calls.filter(([name]) => slow.includes(name) && name in admin))(
    "%s, for which no player waits, takes as long as its function may",
    async (_name, call) => {
      begin();
      let hasEnded = false;
      const ended = call().catch(() => (hasEnded = true));
      await vi.advanceTimersByTimeAsync(539_000);
      expect(hasEnded).toBe(false);
      await vi.advanceTimersByTimeAsync(1_000);
      await ended;
    },
  );

  test.each(calls)("%s ends with the app's signal, and at the app's time", async (_name, call) => {
    begin();
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
});

describe("pages", () => {
  const { pages } = reads;
  const daily = anotherBoard({ span: "daily" });
  const begin = (size = 5) => {
    sdk.answer = async ({ cursor, offset = Number(cursor ?? 0), limit = 25 }) => {
      const [from, end] = [Number(offset), Math.min(Number(offset) + Number(limit), size)];
      const entries = Array.from({ length: end - from }, (_, i) => ({ player: `p${from + i + 1}` }));
      return {
        season: "daily-1",
        generation: 1,
        entries,
        ...(end < size ? { next_cursor: String(end) } : {}),
      };
    };
  };
  const playersOf = async (list: AsyncIterable<{ player: string }>) => {
    const players: string[] = [];
    for await (const { player } of list) players.push(player);
    return players;
  };

  test("list all players; those behind the first are asked for by cursor and in the same season", async () => {
    begin();
    expect(await playersOf(pages(daily, { limit: 2, offset: 1 }))).toEqual(["p2", "p3", "p4", "p5"]);
    expect(sdk.calls).toMatchObject([
      { span: "daily", offset: 1, limit: 2 },
      { season: "daily-1", cursor: "3", limit: 2 },
    ]);
    expect(sdk.calls[0]).not.toHaveProperty("cursor");
    for (const name of ["offset", "span", "segment"]) expect(sdk.calls[1]).not.toHaveProperty(name);
  });

  test("are all of the segment that the first is of, also after `mine` has become another", async () => {
    begin();
    const { answer } = sdk;
    sdk.answer = async (asked) => ({ ...(await answer(asked)), segment: { country: "AT" } });
    const found = await playersOf(pages(daily, { segment: { country: "mine" }, limit: 4 }));
    expect(found).toHaveLength(5);
    expect(sdk.calls.map(({ segment }) => segment)).toEqual([{ country: "mine" }, { country: "AT" }]);
  });

  test("are not asked for where they are not reached", async () => {
    begin();
    const list = pages(daily, { limit: 2 });
    expect(sdk.calls).toEqual([]);
    for await (const { player } of list) if (player === "p2") break;
    expect(sdk.calls).toHaveLength(1);
  });

  test("go on behind a cursor, and an empty board has no players", async () => {
    begin();
    expect(await playersOf(pages(daily, { cursor: "4" }))).toEqual(["p5"]);
    begin(0);
    expect(await playersOf(pages(daily))).toEqual([]);
  });
});

describe("a profile", () => {
  /** The codes of errors that the next calls get. Calls after them are answered. */
  const begin = (...fates: string[]) => {
    sdk.user = { uid: "ann" };
    sdk.answer = async ({ player }) => {
      const code = fates.shift();
      if (code === "left") sdk.user = { uid: "bob" };
      if (code !== undefined) throw refusal(code === "left" ? "contention" : code);
      return { player, seasons: [] };
    };
  };

  test("is sent as it is given, and null as null", async () => {
    begin();
    await setProfile(board, { display_name: "Ann", metadata: null });
    await setProfile(board, { metadata: { avatar: "cat" } });
    const about = { name: "setProfile", player: "ann", leaderboard: board.id };
    expect(sdk.calls).toEqual([
      { ...about, display_name: "Ann", metadata: null },
      { ...about, metadata: { avatar: "cat" } },
    ]);
  });

  test("is sent again after a busy database, and after the last one was too recent", async () => {
    begin("contention", "too_frequent");
    expect(await setProfile(board, { display_name: "Ann" })).toMatchObject({ player: "ann" });
    expect(sdk.calls).toHaveLength(3);
  });

  test("is not sent again for a ban, nor as another user, as is a score", async () => {
    begin("player_banned", "left");
    for (const message of ["player_banned", /not signed in any more/])
      await expect(setProfile(board, { display_name: "Ann" })).rejects.toThrow(message);
    begin("left");
    const again = { code: "unauthenticated", submissionId: "anns" };
    await expect(submitScore(board, { score: 3, submission_id: "anns" })).rejects.toMatchObject(again);
    expect(sdk.calls).toHaveLength(3);
  });
});

describe("a private group", () => {
  /** What becomes of the next calls: an error's code, or no answer. Calls after them are answered. */
  const begin = (...fates: string[]) => {
    vi.useFakeTimers();
    sdk.user = { uid: "ann" };
    sdk.answer = async ({ name: _, player: _player, ...asked }) => {
      const fate = fates.shift();
      if (fate === "lost") throw lost();
      if (fate !== undefined) throw refusal(fate);
      return { ...asked, code: "NEW" };
    };
  };
  afterEach(() => void vi.useRealTimers());
  const settled = async <Answer>(call: Promise<Answer>) => {
    const ended = call.catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    return ended;
  };

  test("is made in the span or the tournament of the board, and with all that is asked", async () => {
    begin();
    const made = { size: 5, ends_at: "2026-12-06T00:00:00Z", display_name: "Ann" };
    for (const place of [{}, { span: "weekly" }, { season: "cup" }, { season: "all_time" }])
      await settled(groups.createGroup(anotherBoard(place), { name: "Friends", ...made }));
    expect(sdk.calls).toMatchObject([
      made,
      { ...made, span: "weekly" },
      { season: "cup" },
      { span: "all_time" },
    ]);
    expect(sdk.calls.map((sent) => "season" in sent)).toEqual([false, false, true, false]);
  });

  test("is changed again after an answer that was lost, and not after a refusal", async () => {
    const { joinGroup, leaveGroup, renameGroup } = groups;
    begin("lost", "contention");
    expect(await settled(joinGroup(board, { code: "7" }))).toMatchObject({ code: "NEW" });
    expect(sdk.calls).toHaveLength(3);
    for (const ask of [
      () => joinGroup(board, { code: "7" }),
      () => leaveGroup(board, "g1"),
      () => renameGroup(board, "g1", "Class"),
    ]) {
      begin("group_not_found");
      expect(await settled(ask())).toMatchObject({ code: "group_not_found" });
    }
    expect(sdk.calls).toHaveLength(6);
  });

  test("that was gone when the call was sent again is left or deleted; for others it is not found", async () => {
    const { deleteGroup, leaveGroup, renameGroup } = groups;
    for (const ask of [deleteGroup, leaveGroup]) {
      begin("lost", "group_not_found");
      expect(await settled(ask(board, "g1"))).toEqual({ group: "g1" });
    }
    begin("lost", "group_not_found");
    expect(await settled(renameGroup(board, "g1", "Class"))).toMatchObject({ code: "group_not_found" });
  });

  test("loses a member, however often the call is sent", async () => {
    begin("lost");
    await settled(groups.removeMember(board, "g1", "bob"));
    expect(sdk.calls.map(({ name, group }) => [name, group])).toEqual(Array(2).fill(["removeMember", "g1"]));
  });
});
