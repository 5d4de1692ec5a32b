/** What a watcher reports of a board, a season or a segment that cannot be: an error, and not an empty list. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { WatchedTeams } from "./answers.ts";
import { FirerankError } from "./firerank-error.ts";
import { anotherBoard, found, sdk, signIn } from "../../test/support/client/stand-in.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { rankOf } from "./rank-of.ts";
import { watchRank } from "./watch-rank.ts";
import { watchSeason } from "./watch-season.ts";
import { watchTeams } from "./watch-teams.ts";
import { watchTop } from "./watch-top.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

type Watch = (board: Leaderboard, fail: (error: unknown) => void) => () => void;
const nothing = () => undefined;
const watchers: [name: string, watch: Watch][] = [
  ["watchTop", (board, fail) => watchTop(board, nothing, fail)],
  ["watchTeams", (board, fail) => watchTeams(board, "guild", nothing, fail)],
  ["watchRank", (board, fail) => watchRank(board, nothing, fail)],
  ["watchSeason", (board, fail) => watchSeason(board, {}, nothing, fail)],
  ["rankOf", (board, fail) => (rankOf(board, 1).catch(fail), nothing)],
];

/** Watches until the test ends, and keeps the errors. */
function watching(watch: Watch, board: Leaderboard): unknown[] {
  const errors: unknown[] = [];
  onTestFinished(watch(board, (error) => errors.push(error)));
  return errors;
}

const refused = (field: string) => [
  { name: "FirerankError", code: "invalid_request", fields: [{ path: field }] },
];

// The function that watchSeason asks refuses such an id itself.
describe.each(watchers.filter(([name]) => name !== "watchSeason"))(
  "%s of a board with the id",
  (_name, watch) => {
    test.each<unknown>(["a/b", "a/b/c", "", undefined, null, 7, ".."])(
      "%o reports what is wrong with it",
      async (id) => {
        signIn("ann");
        for (const place of [{}, { season: "cup" }]) {
          const errors = watching(watch, { ...anotherBoard(place), id } as Leaderboard);
          await vi.waitFor(() => expect(errors).toMatchObject(refused("leaderboard")));
          expect(errors[0]).toBeInstanceOf(FirerankError);
        }
        expect([sdk.listening, sdk.read]).toEqual([[], []]);
      },
    );
  },
);

test.each(watchers)(
  "%s of a board with a season and a span reports that it takes one of them",
  async (_name, watch) => {
    signIn("ann");
    const board = anotherBoard({ season: "cup", span: "weekly" });
    sdk.documents.set(`leaderboards/${board.id}`, {});
    const errors = watching(watch, board);
    await vi.waitFor(() => expect(errors).toMatchObject(refused("span")));
    expect(sdk.listening).toEqual([]);
  },
);

describe("watchTeams, while there are none,", () => {
  const segments = [{ name: "guild", teams: { by: "sum" } }, { name: "country" }];
  /** Watches the teams of a segment that has no document. */
  async function without(segment: string, place: { season: string }, documents: Record<string, object>) {
    const board = anotherBoard(place);
    for (const [path, data] of Object.entries(documents))
      sdk.documents.set(`leaderboards/${board.id}${path}`, data);
    const told: WatchedTeams[] = [];
    const errors = watching(
      (of, fail) => watchTeams(of, segment, (teams) => void told.push(teams), fail),
      board,
    );
    for (let time = 0; time < 2; time++) sdk.listening[0]?.next(found(undefined));
    await vi.waitFor(() => expect(sdk.read).not.toEqual([]));
    await new Promise((resolve) => setTimeout(resolve));
    return { told, errors, read: sdk.read.map((path) => path.replace(`leaderboards/${board.id}`, "")) };
  }

  test.each(["Guild", "country"])(
    "says of %s that it has no teams, and which segment has",
    async (segment) => {
      const { errors } = await without(segment, { season: "all_time" }, { "": { segments } });
      expect(errors).toMatchObject(refused("segment"));
      expect(String(errors[0])).toContain(`"${segment}" has no teams; this leaderboard has guild`);
      expect(sdk.listening).toEqual([]);
    },
  );

  test("says so in a season that closed before the segment had teams, as getTeams does", async () => {
    const closed = {
      ended_with: { segments: [{ name: "guild" }, { name: "country", teams: { by: "sum" } }] },
    };
    const documents = { "": { segments }, "/seasons/daily-2026-11-30": closed };
    const { errors } = await without("guild", { season: "daily-2026-11-30" }, documents);
    expect(errors).toMatchObject(refused("segment"));
    expect(String(errors[0])).toContain('"guild" has no teams; this season has country');
    const { told, errors: none } = await without("country", { season: "daily-2026-11-30" }, documents);
    expect([told.length, none]).toEqual([2, []]);
  });

  test("says so of a season or a board that does not exist", async () => {
    const noSeason = await without("guild", { season: "Cup" }, { "": { segments } });
    expect(noSeason.errors).toMatchObject([{ code: "season_not_found" }]);
    const noBoard = await without("guild", { season: "Cup" }, {});
    expect(noBoard.errors).toMatchObject([{ code: "leaderboard_not_found" }]);
  });

  test.each([
    ["cup", ["", "/seasons/cup"]],
    ["daily-2026-11-30", ["", "/seasons/daily-2026-11-30"]],
    ["all_time", [""]],
  ])("goes on in %s, for 1 read, and 1 more where a season ends", async (season, reads) => {
    const documents = { "": { segments }, "/seasons/cup": {} };
    const { told, errors, read } = await without("guild", { season }, documents);
    expect([told.length, errors, read]).toEqual([2, [], reads]);
    expect(sdk.listening).not.toEqual([]);
  });
});

describe("rankOf, while nothing is published,", () => {
  const none = ["season_not_found", 1] as const;
  const early = ["player_not_ranked", 0] as const;

  test.each([
    [{ season: "all_time" }, early],
    [{ season: "cup" }, none],
    [{ season: "played" }, ["player_not_ranked", 1]],
    // A day has a document only from its first score on, and getRank says the same of the present one.
    [{ season: "daily-2026-11-30" }, early],
    [{ span: "daily" }, early],
  ] as const)(
    "says of %o that nobody is ranked, unless there is no such season",
    async (place, [code, reads]) => {
      const board = anotherBoard(place);
      sdk.documents.set(`leaderboards/${board.id}`, { order: "descending" });
      sdk.documents.set(`leaderboards/${board.id}/seasons/played`, {});
      const running = [
        {
          span: "daily",
          season: "daily-2026-11-30",
          opens_at: "2026-11-30T00:00:00Z",
          closes_at: "9999-01-01T00:00:00Z",
          next: null,
        },
      ];
      sdk.answer = () => Promise.resolve({ running, as_of: new Date().toISOString() });
      await expect(rankOf(board, 1)).rejects.toMatchObject({ name: "FirerankError", code });
      expect(sdk.read.filter((path) => /\/seasons\/[^/]+$/.test(path))).toHaveLength(reads);
    },
  );
});
