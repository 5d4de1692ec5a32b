/** Options that the package does not understand are refused: they are not dropped, nor taken for something else. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { anotherBoard, sdk, signIn } from "../../test/support/client/stand-in.ts";
import * as admin from "./admin.ts";
import { checkOptions } from "./known-options.ts";
import { leaderboard, type LeaderboardOptions } from "./leaderboard.ts";
import { type QueueOptions, scoreQueue } from "./score-queue.ts";
import { setProfile } from "./set-profile.ts";
import { submitScore } from "./submit-score.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

const board = anotherBoard();
const storage = { getItem: () => null, setItem: () => undefined };

/** Options as an app without types gives them. */
const untyped = (options: unknown) => options as never;

test("an option that is undefined counts as left out, whatever its name", () => {
  expect(() => checkOptions({ a: undefined, b: undefined }, { a: ["must be 1", () => false] })).not.toThrow();
  expect(() => checkOptions({ toString: 1 }, {})).toThrow("toString: is not an option here");
});

describe("a leaderboard", () => {
  const app = board.app;

  test.each<[options: unknown, field: string]>([
    [{ Region: "europe-west1" }, "Region"],
    [{ databaseId: "games" }, "databaseId"],
    [{ region: "europe-west1", regions: "europe-west1" }, "regions"],
    [{ app }, "app"],
    ["us-central1", "0"],
  ])("with %o is not made: calls would go elsewhere", (options, field) => {
    const fields = [{ path: field, message: "is not an option" }];
    const refused = expect.objectContaining({ code: "invalid_request", fields }) as Error;
    expect(() => leaderboard(app, "arena", untyped(options))).toThrow(refused);
  });

  test.each([undefined, null, 7, {}])("with the id %o is not made: it is no text", (id) => {
    const fields = [{ path: "leaderboard", message: "must be a text" }];
    const refused = expect.objectContaining({ code: "invalid_request", fields }) as Error;
    expect(() => leaderboard(app, id as never)).toThrow(refused);
  });

  test("takes each of its options, also one that is undefined", () => {
    // The compiler demands each, and takes undefined for each.
    const options: Required<LeaderboardOptions> = {
      region: process.env["NO_REGION"],
      prefix: "games",
      season: "cup",
      span: undefined,
      functions: undefined,
      database: "games",
      firestore: undefined,
    };
    expect(leaderboard(app, "arena", options)).toEqual({ app, id: "arena", ...options });
  });
});

describe("a queue", () => {
  test.each<[options: unknown, field: string, right: string]>([
    [{ best: "descending" }, "best", 'must be "highest" or "lowest", not "descending"'],
    [{ best: "Highest" }, "best", 'must be "highest" or "lowest", not "Highest"'],
    [{ best: true }, "best", 'must be "highest" or "lowest", not true'],
    [{ best: null }, "best", 'must be "highest" or "lowest", not null'],
    [{ max: 0 }, "max", "must be at least 1, not 0"],
    [{ max: -1 }, "max", "must be at least 1, not -1"],
    [{ max: NaN }, "max", "must be at least 1, not NaN"],
    [{ max: "100" }, "max", 'must be at least 1, not "100"'],
    [{ maxAgeMs: "1d" }, "maxAgeMs", 'must be a number of milliseconds above 0, not "1d"'],
    [{ maxAgeMs: -1 }, "maxAgeMs", "must be a number of milliseconds above 0, not -1"],
    [{ storage: {} }, "storage", "must have getItem and setItem"],
    [{ storage: null }, "storage", "must have getItem and setItem"],
    [{ formerDatabases: "games" }, "formerDatabases", 'must be a list of ids of databases, not "games"'],
    [{ stillCounts: false }, "stillCounts", "must be a function, not false"],
    [{ onDropped: "log" }, "onDropped", 'must be a function, not "log"'],
    [
      { Storage: storage },
      "Storage",
      "is not an option here; these are: storage, formerDatabases, max, best",
    ],
    [{ onError: () => undefined }, "onError", "is not an option here"],
    [storage, "getItem", "is not an option here"],
    ["highest", "options", "must be an object with storage,"],
  ])("with %o is not made: it says what is right", (wrong, field, right) => {
    const options = typeof wrong === "object" && wrong !== storage ? { storage, ...wrong } : wrong;
    const refused = vi.fn<(error: unknown) => void>();
    try {
      scoreQueue(board, untyped(options)).stop();
    } catch (error) {
      refused(error);
    }
    const message = expect.stringContaining(right) as string;
    expect(refused.mock.lastCall?.[0]).toMatchObject({
      name: "FirerankError",
      code: "invalid_request",
      fields: [{ path: field, message }],
    });
  });

  test.each<QueueOptions>([
    { best: "highest" },
    { best: "lowest", max: 1, maxAgeMs: 1 },
    { best: undefined, max: Infinity, maxAgeMs: Infinity, formerDatabases: ["(default)"] },
    { stillCounts: () => true, onSent: () => undefined, onDropped: undefined, onWaiting: () => undefined },
  ])("with %o is made", (options) => {
    onTestFinished(scoreQueue(board, { storage, ...options }).stop);
  });
});

describe("a field of a player's request", () => {
  beforeEach(() => {
    signIn("ann");
    sdk.answer = async ({ player }) => ({ player, seasons: [] });
  });

  test("that setProfile does not have is sent, so that the function refuses it", async () => {
    await setProfile(board, untyped({ displayName: "Ann", metadata: { level: 1 } }));
    expect(sdk.calls[0]).toMatchObject({ displayName: "Ann", metadata: { level: 1 } });
  });

  test("that makes setProfile change another player's profile is refused, as the answer would be of another player", async () => {
    const another = untyped({ player: "bob", display_name: "Bob" });
    await expect(setProfile(board, another)).rejects.toMatchObject({ fields: [{ path: "player" }] });
    expect(sdk.calls).toEqual([]);
  });

  test("says in which season a score counts, as in every request", async () => {
    await submitScore(board, untyped({ score: 9, season: "cup" }));
    expect(sdk.calls[0]).toMatchObject({ score: 9, season: "cup" });
  });
});

describe("a call for admins", () => {
  test.each<[what: string, call: () => Promise<unknown>, field: string]>([
    ["a deletion", () => admin.deleteLeaderboard(board, untyped({ dryRun: true })), "dryRun"],
    ["an end", () => admin.closeSeason(board, "cup", untyped({ closes_at: "2026-12-01" })), "closes_at"],
    ["a removal", () => admin.removePlayer(board, "ann", untyped({ reason: "x" })), "reason"],
    ["a merge", () => admin.mergePlayers(board, "a", "b", untyped({ dryRun: true })), "dryRun"],
    ["a repair", () => admin.repairSeason(board, untyped({ season: "cup" })), "season"],
    ["an audit", () => admin.auditSeason(board, {}, untyped({ full: true })), "full"],
    ["a run", () => admin.runRanking(board, {}, untyped({ include_open_slot: true })), "include_open_slot"],
    ["a list of scores", () => admin.submitScores(board, [], untyped({ season: "cup" })), "season"],
    ["a definition", () => admin.saveLeaderboard(board, {}, untyped({ max_score: 9 })), "max_score"],
    ["a season", () => admin.openSeason(board, "cup", {}, untyped({ closes_at: "x" })), "closes_at"],
    ["an export", () => admin.exportPlayer(board, "ann", untyped({ season: "cup" })), "season"],
    ["a time", () => admin.exportPlayer(board, "ann", untyped({ timeoutMs: "1s" })), "timeoutMs"],
    ["a status", () => admin.setPlayerStatus(board, "ann", "hidden", untyped({ Reason: "x" })), "Reason"],
    ["a reason", () => admin.setPlayerStatus(board, "ann", "hidden", untyped("cheats")), "options"],
    ["a reason", () => admin.setPlayerStatus(board, "ann", "hidden", untyped({ reason: 7 })), "reason"],
  ])("about %s sends nothing with an option that it does not have", async (_what, call, field) => {
    await expect(call()).rejects.toMatchObject({ code: "invalid_request", fields: [{ path: field }] });
    expect(sdk.calls).toEqual([]);
  });

  test("passes all times of a season on, also one that the function refuses", async () => {
    await admin.openSeason(board, "cup", untyped({ closesAt: "2026-12-01T00:00:00Z" }));
    expect(sdk.calls[0]).toMatchObject({ season: "cup", closesAt: "2026-12-01T00:00:00Z" });
  });
});
