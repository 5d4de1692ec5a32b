/** The TypeScript of README and docs, run against the emulators as its readers run it. */
import type { FirebaseApp } from "firebase/app";
import { type Functions, getFunctions, httpsCallable } from "firebase/functions";
import * as client from "firerank-client";
import * as admin from "firerank-client/admin";
import * as queueing from "firerank-client/queue";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type ClientApp, createClientApp } from "../../support/client/client-app.ts";
import { useLive, eventually, type LiveBoard } from "../../support/live.ts";
import { codeBlocks } from "../../support/markdown.ts";
import { questions, runSample, samplesOf } from "../../support/samples.ts";

const live = useLive();
let reader: ClientApp;
/** The uid of the reader, who plays and is an admin too. */
let ann: string;
beforeAll(async () => {
  reader = createClientApp();
  ann = live.uid("reader");
  await reader.signIn(ann, { leaderboard_role: "admin" });
});
afterAll(async () => {
  await reader.close();
});

let board: LiveBoard;
let show: ReturnType<typeof vi.fn<(rank: client.WatchedRank | null) => void>>;
let list: ReturnType<typeof vi.fn<(entries: readonly client.Entry[]) => void>>;
let stops: (() => void)[];

beforeEach(async () => {
  board = await live.board();
  show = vi.fn();
  list = vi.fn();
  stops = [];
  return () => {
    for (const stop of stops) stop();
  };
});

/** The scope of a sample: the packages that it imports, and the reader's own app, with this test's board. */
function scope(more: Record<string, unknown> = {}): Record<string, unknown> {
  const stopped = (stop: () => void) => {
    stops.push(stop);
    return stop;
  };
  return {
    ...client,
    ...admin,
    leaderboard: (app: FirebaseApp, _: string, options?: client.LeaderboardOptions) =>
      client.leaderboard(app, board.leaderboard, options),
    watchRank: (...parts: Parameters<typeof client.watchRank>) => stopped(client.watchRank(...parts)),
    watchTop: (...parts: Parameters<typeof client.watchTop>) => stopped(client.watchTop(...parts)),
    watchTeams: (...parts: Parameters<typeof client.watchTeams>) => stopped(client.watchTeams(...parts)),
    watchGroup: (...parts: Parameters<typeof client.watchGroup>) => stopped(client.watchGroup(...parts)),
    watchSeason: (...parts: Parameters<typeof client.watchSeason>) => stopped(client.watchSeason(...parts)),
    getFunctions,
    httpsCallable: (functions: Functions, name: string) => (data: object) =>
      httpsCallable(functions, name)({ ...data, leaderboard: board.leaderboard }),
    app: reader.app,
    board: client.leaderboard(reader.app, board.leaderboard),
    show,
    list,
    wait: vi.fn(),
    ...more,
  };
}

const idsOf = (entries: readonly client.Entry[]) => entries.map(({ player }) => player);

/** Runs the only sample of a page, or the one at this place. */
function run(page: string, place = 0, more: Record<string, unknown> = {}) {
  return runSample(samplesOf(page)[place] ?? expect.fail(`${page} has no sample ${place}`), scope(more));
}

test("README: define, submit, watch, and the six questions", async () => {
  const others = { bob: 900, cyd: 700 };
  const declared = await run("README.md");
  expect(await live.admin.call("getTop", { leaderboard: board.leaderboard })).toMatchObject({ entries: [] });
  await board.submit(others);
  await board.rank();

  const [bob, cyd] = ["bob", "cyd"].map((name) => live.uid(name));
  await eventually(() => {
    expect(show.mock.lastCall?.[0]).toMatchObject({ rank: 2, players: 3, score: 850, exact: true });
    expect(idsOf(list.mock.lastCall?.[0] ?? [])).toEqual([bob, ann, cyd]);
  });

  const lists = list.mock.calls.length;
  const answers: unknown[] = [];
  for (const { where, code } of questions()) {
    const answer = `const answer = ${code};`;
    answers.push((await runSample({ where, code: answer }, scope(declared)))["answer"]);
  }
  const [mine, of900, , around, goal, page] = answers;
  expect(mine).toMatchObject({ rank: 2, players: 3 });
  expect(of900).toMatchObject({ score: 900, rank: 1, players: 3 });
  await eventually(() => expect(list.mock.calls.length).toBeGreaterThan(lists));
  expect(idsOf((around as client.Around).entries)).toEqual([bob, ann, cyd]);
  expect(goal).toMatchObject({ rank: 1, players: 3, exact: true });
  expect(page).toMatchObject({ entries: [], players: 3 });
});

test("the README of firerank-client: submit, watch, what a score would be worth, and errors", async () => {
  await board.submit({ bob: 100 });
  await board.rank();
  const { rank } = await run("client/README.md");
  expect(rank).toBe(1);
  await board.rank();
  await eventually(() => {
    expect(show.mock.lastCall?.[0]).toBe("1 of 2");
    expect(idsOf(list.mock.lastCall?.[0] ?? [])).toEqual([ann, live.uid("bob")]);
  });

  const wait = vi.fn();
  await live.admin.call("saveLeaderboard", {
    leaderboard: board.leaderboard,
    definition: { min_seconds_between: 3_600 },
  });
  await eventually(async () => {
    await run("client/README.md", 3, { wait });
    expect(wait).toHaveBeenCalled();
  }, 150_000);
  expect(wait.mock.lastCall?.[0]).toBeGreaterThan(3_000);
});

test("the README of firerank-client: a private group, made, joined and watched", async () => {
  board = await live.board({ private_groups: true });
  await run("client/README.md", 2);
  await client.submitScore(client.leaderboard(reader.app, board.leaderboard), { score: 850 });
  await eventually(() => {
    expect(show.mock.lastCall?.[0]).toMatchObject([{ player: ann, score: 850, place: 1 }]);
  });
});

test("docs/calls.md: a callable by its name, and what clients read by themselves", async () => {
  await client.submitScore(client.leaderboard(reader.app, board.leaderboard), { score: 850 });
  await board.rank();
  // A plain callable is not retried if a busy machine's emulator drops the connection.
  const { data } = await eventually(() => run("docs/calls.md"));
  expect(data).toMatchObject({ player: ann, score: 850 });
  const { rank } = await run("docs/calls.md", 1);
  expect(rank).toBe(1);
  await eventually(() => {
    expect(show.mock.lastCall?.[0]).toMatchObject({ rank: 1 });
    expect(idsOf(list.mock.lastCall?.[0] ?? [])).toEqual([ann]);
  });
});

test("docs/seasons.md: a score for every span, the season of the week, its countdown and its top", async () => {
  board = await live.board({ spans: ["weekly", "all_time"] });
  const { seasons } = await run("docs/seasons.md");
  expect(seasons).toMatchObject([{ span: "weekly" }, { season: "all_time" }]);
  const [{ season: id } = { season: "" }] = seasons as client.SeasonResult[];
  const shown = vi.fn<(season: { id: string; players: number; msLeft: number }) => void>();
  await run("docs/seasons.md", 4, { show: shown });
  await eventually(async () => {
    await live.admin.call("runRanking", { leaderboard: board.leaderboard, include_open_slot: true });
    const season = shown.mock.lastCall?.[0];
    expect(season?.id).toBe(id);
    expect(season?.msLeft).toBeGreaterThan(0);
    expect(season?.msLeft).toBeLessThanOrEqual(7 * 24 * 3_600_000 + 3_600_000);
    expect(idsOf(list.mock.lastCall?.[0] ?? [])).toEqual([ann]);
  });
});

test("docs/seasons.md: a tournament is opened, a score counts in it alone, and results are asked for", async () => {
  const { opened } = await eventually(() => run("docs/seasons.md", 1));
  expect(opened).toMatchObject({ season: "cup", span: "custom", closes_at: "2126-12-01T21:00:00.000Z" });
  board = await live.board();
  const cup = { leaderboard: board.leaderboard, season: "cup" };
  await live.admin.call("openSeason", cup);
  await run("docs/seasons.md", 2);
  expect(await live.admin.call("listSeasons", { leaderboard: board.leaderboard })).toMatchObject({
    seasons: [{ season: "cup" }],
  });
  const asked = await run("docs/seasons.md", 3);
  expect(asked).toMatchObject({ results: [], next_since: expect.any(String) as string });
});

test("docs/definition.md: its definitions are stored", async () => {
  const stored = async () => (await live.db.doc(`leaderboards/${board.leaderboard}`).get()).data();
  await run("docs/definition.md");
  expect(await stored()).toMatchObject({ order: "ascending", tiers: [{ name: "gold" }, { name: "silver" }] });
  board = await live.board();
  await run("docs/definition.md", 1);
  expect(await stored()).toMatchObject({
    columns: [{ name: "points" }, { name: "goal_difference" }, { name: "goals" }],
  });
});

test("docs/segments.md: segments are defined, and said and asked for by a player", async () => {
  const { leaderboard } = board;
  const page = "docs/segments.md";
  await run(page);
  const submissions = [
    { player: ann, score: 700, segments: { guild: "red" } },
    { player: "bob", score: 900, segments: { guild: "red", country: "DE" } },
  ];
  await live.admin.call("submitScores", { leaderboard, submissions });
  await run(page, 2);
  await board.rank();
  const { inAustria, top, entries, mine } = await run(page, 3);
  expect(inAustria).toMatchObject({ segment: { country: "AT" }, score: 900, rank: 1, players: 1 });
  expect(idsOf((top as client.Top).entries)).toEqual([ann]);
  expect(idsOf(entries as client.Entry[])).toEqual(["bob", ann]);
  expect(mine).toMatchObject({ rank: 2, segments: { country: { rank: 1 }, guild: { rank: 2 } } });
  await run(page, 1);
  const stored = await live.db.doc(`leaderboards/${leaderboard}`).get();
  expect(stored.get("segments")).toMatchObject([
    { name: "country", from: "submission" },
    { name: "league", from: "claim", visible: "self" },
    { name: "guild", from: "server" },
  ]);
});

test("docs/teams.md: guilds are ranked, asked for and watched", async () => {
  const { leaderboard } = board;
  const shown = (): unknown[] => show.mock.calls.flat();
  await run("docs/teams.md");
  expect(shown()).toContainEqual([]);
  const submissions = [
    { player: "ann", score: 700, segments: { guild: "red" } },
    { player: "bob", score: 900, segments: { guild: "blue" } },
    { player: "cyd", score: 300, segments: { guild: "red" } },
  ];
  await live.admin.call("submitScores", { leaderboard, submissions });
  await board.rank();
  const guilds = [
    { team: "red", place: 1, rank: 1, score: 1_000, players: 2 },
    { team: "blue", place: 2, rank: 2, score: 900, players: 1 },
  ];
  await eventually(() => expect(shown()).toContainEqual(guilds));
  await run("docs/teams.md");
  expect(shown()).toContainEqual(["1 red: 1000 of 2", "2 blue: 900 of 1"]);
});

test("docs/groups.md: a group is made, joined with its code, and watched", async () => {
  await run("docs/groups.md");
  const shown = (): unknown[] => show.mock.calls.flat();
  expect(shown()).toContainEqual(expect.stringMatching(/code=[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{5}$/));
  await eventually(() =>
    expect(shown()).toContainEqual([expect.objectContaining({ player: ann, place: 1, display_name: "Ann" })]),
  );
});

test("functions/SKILL.md: all of its code, from a definition to a repair", async () => {
  const page = "functions/SKILL.md";
  const stored = new Map<string, string>();
  const storage = {
    getItem: async (key: string) => stored.get(key) ?? null,
    setItem: async (key: string, value: string) => void stored.set(key, value),
  };
  const scoreQueue = (of: client.Leaderboard, options: queueing.QueueOptions) =>
    queueing.scoreQueue(of, { ...options, storage });
  const request = (name: string) =>
    codeBlocks(page).find(({ words }) => words.join(" ") === `request ${name}`)?.code ?? expect.fail(name);

  await run(page, 0);
  const asked = JSON.parse(request("submitScores")) as object;
  await live.admin.call("submitScores", { ...asked, leaderboard: board.leaderboard });
  await run(page, 1);
  expect(show.mock.calls.flat()).toEqual([
    ["all_time", true, "not ranked yet"],
    ["weekly", true, "not ranked yet"],
  ]);
  const { queue } = await run(page, 2, { scoreQueue });
  (queue as queueing.ScoreQueue).stop();

  await board.rank();
  const { mine, inCountry, rank, entries, friends } = await run(page, 3);
  expect(inCountry).toMatchObject({ segment: { country: "AT" }, rank: 1, players: 1 });
  expect(mine).toMatchObject({ player: ann, rank: 2, players: 2, exact: true });
  expect(rank).toBe(1);
  expect(idsOf(entries as client.Entry[])).toEqual(["bob", ann]);
  expect(idsOf((friends as client.Players).entries)).toEqual(["bob"]);
  await run(page, 4);
  await run(page, 5);
  const { repair } = await run(page, 6);
  expect(repair).toBe("none");
  const { entries: left } = await live.admin.call("getTop", { leaderboard: board.leaderboard });
  expect(idsOf(left as client.Entry[])).toEqual([ann]);
});
