/** The hooks in React's strict mode, in a document of happy-dom. A stand-in takes the place of Firebase. */
import type { FirebaseApp } from "firebase/app";
import { Window } from "happy-dom";
import * as React from "react";
import { act, createElement, StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  found,
  onlyPage,
  refusal,
  sdk,
  signIn as signInUser,
  time,
} from "../../test/support/client/stand-in.ts";
import { runSample, samplesOf } from "../../test/support/samples.ts";
import * as hooks from "./react.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

/** The calls that were sent, each with the function that answers it. */
let calls: { name: string; score: unknown; answer: (data: object) => void; refuse: (code: string) => void }[];

const page = new Window();
let element: InstanceType<typeof page.HTMLElement>;
let root: Root;
let app: FirebaseApp;
beforeEach(() => {
  vi.stubGlobal("window", page);
  vi.stubGlobal("document", page.document);
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  sdk.user = { uid: "ann" };
  calls = [];
  sdk.answer = ({ name, score }) =>
    new Promise((answer, reject) => {
      calls.push({ name, score, answer, refuse: (code) => reject(refusal(code)) });
    });
  app = { options: {} } as FirebaseApp;
  element = page.document.createElement("div");
  root = createRoot(element);
});
afterEach(async () => {
  await act(async () => root.unmount());
  expect([sdk.listening, [...sdk.users]]).toEqual([[], []]);
});
afterAll(() => void vi.unstubAllGlobals());

/** Renders a component a number of times, in strict mode. */
async function show(component: () => React.ReactNode, times = 1): Promise<void> {
  const all = Array.from({ length: times }, (_, key) => createElement(component, { key }));
  await act(async () => root.render(createElement(StrictMode, null, all)));
}

const signIn = (uid: string | null) => act(async () => signInUser(uid));

/** Tells the listeners of a path what is stored there. */
async function tell(path: string, data: object | undefined): Promise<void> {
  const heard = sdk.listening.filter((one) => one.path === path);
  expect(heard, path).not.toEqual([]);
  await act(async () => {
    for (const { next } of heard) next(found(data));
  });
}

const season = "leaderboards/arena/seasons/all_time";
const entry = (id: string, score: number, rank: number) => ({
  player: id,
  score,
  rank,
  position: rank,
  display_name: id.toUpperCase(),
  achieved_at: time(0),
});
const top = {
  generation: 1,
  players: 2,
  lowest_score: null,
  as_of: time(0),
  refreshed_at: time(0),
  entries: [entry("bob", 900, 1), entry("ann", 850, 2)],
};
/** By path, the documents from which the rank of Ann's 850 is worked out. */
const ofAnn: [path: string, data: object][] = [
  ["leaderboards/arena", {}],
  [`${season}/players/ann`, { score: 850, status: "active", achieved_at: time(0) }],
  [`${season}/scores_ranking`, { ...onlyPage([900, 850]), next_publish_at: time(0) }],
];

const seen = new Set<object>();
function useArena() {
  const board = hooks.useLeaderboard(app, "arena", { span: "all_time" });
  seen.add(board);
  return board;
}

/** What a component shows of what a hook knows. */
function shown<Value>(
  { loading, error, value }: hooks.Watched<Value>,
  text: (value: Value) => unknown,
): string {
  if (loading) return "loading;";
  return `${error?.code ?? ""}${value === undefined ? "" : String(text(value))};`;
}

const Top = () => shown(hooks.useTop(useArena()), ({ players }) => `${players} players`);

test("two components of the top share one watcher and one board, and end it when both have gone", async () => {
  await show(Top, 2);
  expect([sdk.begun, sdk.listening.length, seen.size]).toEqual([1, 1, 1]);
  expect(element.textContent).toBe("loading;loading;");
  await tell(`${season}/top/current`, top);
  expect(element.textContent).toBe("2 players;2 players;");
  await show(Top, 1);
  expect(sdk.listening).toHaveLength(1);
  await show(Top, 0);
  expect(sdk.listening).toEqual([]);
});

test("an error is told beside the value so far, and a component that comes later begins again", async () => {
  await show(Top);
  await tell(`${season}/top/current`, top);
  await act(async () => sdk.listening[0]?.error(Object.assign(new Error("gone"), { code: "unavailable" })));
  expect(element.textContent).toBe("unavailable2 players;");
  await show(Top, 0);
  await show(Top);
  expect([element.textContent, sdk.listening.length]).toEqual(["loading;", 1]);
});

test("two components of the rank share one watcher, which follows the user", async () => {
  const Mine = () => shown(hooks.useRank(useArena()), (mine) => mine?.rank ?? "none");
  await show(Mine, 2);
  expect([sdk.users.size, element.textContent]).toEqual([1, "loading;loading;"]);
  for (const [path, data] of ofAnn) await tell(path, data);
  expect([sdk.begun, element.textContent]).toEqual([3, "2;2;"]);
  await signIn(null);
  expect([sdk.listening, element.textContent]).toEqual([[], "none;none;"]);
  await signIn("bob");
  await tell(`${season}/players/bob`, undefined);
  expect(element.textContent).toBe("none;none;");
});

test("two components of the league share one watcher, which follows the user", async () => {
  const Mine = () =>
    shown(
      hooks.useLeague(hooks.useLeaderboard(app, "race", { season: "weekly-2" })),
      (mine) => mine?.why ?? "nobody",
    );
  await show(Mine, 2);
  await act(async () => calls[0]?.answer({ season: "weekly-2", league: null, why: "no_score", last: null }));
  expect(element.textContent).toBe("no_score;no_score;");
  expect(calls).toHaveLength(1);
  await signIn(null);
  expect([sdk.listening, element.textContent]).toEqual([[], "nobody;nobody;"]);
});

test("two components of a private group share one watcher, and show another group with another id", async () => {
  let id = "g1";
  const Friends = () =>
    shown(hooks.useGroup(useArena(), id), (group) => (group === null ? "nobody" : group.name));
  const questions = () => calls.filter(({ name }) => name === "getGroup");
  await show(Friends, 2);
  await act(async () => questions()[0]?.answer({ name: "Friends", place: 1, entries: [] }));
  expect(element.textContent).toBe("Friends;Friends;");
  expect(questions()).toHaveLength(1);
  id = "g2";
  await show(Friends, 2);
  expect(element.textContent).toBe("loading;loading;");
  await act(async () => questions()[1]?.refuse("group_not_found"));
  expect(element.textContent).toBe("group_not_found;group_not_found;");
  await signIn(null);
  expect([sdk.listening, element.textContent]).toEqual([[], "nobody;nobody;"]);
});

test("a component without a group shows nothing and asks nothing, until it gets one", async () => {
  let id: string | null | undefined;
  const Friends = () =>
    shown(hooks.useGroup(useArena(), id), (group) => (group === null ? "none" : group.name));
  const questions = () => calls.filter(({ name }) => name === "getGroup");
  await show(Friends, 2);
  expect([element.textContent, calls, sdk.users.size]).toEqual(["none;none;", [], 0]);
  id = "g1";
  await show(Friends, 2);
  await act(async () => questions()[0]?.answer({ name: "Friends", place: 1, entries: [] }));
  expect([element.textContent, questions().length]).toEqual(["Friends;Friends;", 1]);
  id = null;
  await show(Friends, 2);
  expect([element.textContent, questions().length, sdk.users.size]).toEqual(["none;none;", 1, 0]);
});

test("two components of the neighbours ask once, again on refresh and for another user", async () => {
  let refresh = () => expect.fail("nothing to refresh yet");
  const Around = () => {
    const around = hooks.useAround(useArena(), { above: 1 });
    ({ refresh } = around as never);
    return shown(around, (list) => list?.entries.map(({ player }) => player) ?? "none");
  };
  await show(Around, 2);
  const answer = async (index: number, players: string[]) => {
    await act(async () =>
      calls[index]?.answer({
        season: "all_time",
        generation: 1,
        entries: players.map((player) => ({ player })),
      }),
    );
    return element.textContent;
  };
  expect(await answer(0, ["bob", "ann"])).toBe("bob,ann;bob,ann;");
  await act(async () => refresh());
  await act(async () => refresh());
  expect(await answer(2, ["ann"])).toBe("ann;ann;");
  expect(await answer(1, ["late"])).toBe("ann;ann;");
  await signIn("cyd");
  expect(element.textContent).toBe("none;none;");
  await act(async () => calls[3]?.refuse("player_not_ranked"));
  expect(element.textContent).toBe("none;none;");
  await signIn(null);
  await act(async () => refresh());
  expect(calls).toHaveLength(4);
});

test("neighbours of a player who is named need no user, and an error of the call is told", async () => {
  const Around = () => shown(hooks.useAround(useArena(), { player: "bob" }), () => "never");
  await show(Around);
  expect([sdk.users.size, calls.map(({ name }) => name)]).toEqual([0, ["getAround"]]);
  await act(async () => calls[0]?.refuse("leaderboard_not_found"));
  expect(element.textContent).toBe("leaderboard_not_found;");
});

test("a named player in the segment of whoever asks is asked for again as another user", async () => {
  const request = { player: "bob", segment: { country: "mine" } };
  const Around = () => shown(hooks.useAround(useArena(), request), () => "none");
  await show(Around);
  expect([sdk.users.size, calls]).toEqual([1, [expect.objectContaining({ name: "getAround" })]]);
  await signIn("cyd");
  expect([element.textContent, calls.length]).toEqual(["none;", 2]);
});

test("a page from a score on, the score for a rank and a histogram are asked once by two components, without a user, and again on refresh", async () => {
  let refresh = () => expect.fail("nothing to refresh yet");
  const Goal = () => {
    const threshold = hooks.useThreshold(useArena(), { percentile: 90 });
    ({ refresh } = threshold as never);
    return shown(threshold, (found) => found?.score ?? "any");
  };
  const Chart = () => shown(hooks.useHistogram(useArena()), (found) => found?.bins.length ?? "none");
  const List = () => shown(hooks.usePage(useArena(), { score: 600 }), (found) => found?.players ?? "none");
  const All = () => createElement("div", null, ...[Goal, Chart, List].map((one) => createElement(one)));
  await show(All, 2);
  expect([sdk.users.size, calls.map(({ name }) => name).sort()]).toEqual([
    0,
    ["getHistogram", "getPage", "getThreshold"],
  ]);
  expect(calls.find(({ name }) => name === "getPage")?.score).toBe(600);
  const answers: Record<string, object> = {
    getThreshold: { score: 700 },
    getHistogram: { bins: [1, 2] },
    getPage: { entries: [], players: 9 },
  };
  const ofSeason = { season: "all_time", generation: 1 };
  for (const { name, answer } of calls) await act(async () => answer({ ...ofSeason, ...answers[name] }));
  expect(element.textContent).toBe("700;2;9;700;2;9;");
  await act(async () => refresh());
  await act(async () => calls[3]?.answer({ ...ofSeason, score: null }));
  expect(element.textContent).toBe("any;2;9;any;2;9;");
});

test("a component that sends scores shows the newest one's answer or error, and throws nothing", async () => {
  const submits: ReturnType<typeof hooks.useSubmitScore>["submit"][] = [];
  const Send = () => {
    const sending = hooks.useSubmitScore(useArena());
    submits.push(sending.submit);
    return shown(sending, ({ player }) => player);
  };
  await show(Send);
  expect([element.textContent, calls]).toEqual([";", []]);
  const [submit] = submits;
  const answers: unknown[] = [];
  const send = () => act(async () => void submit?.({ score: 5 }).then((answer) => answers.push(answer)));
  await send();
  expect(element.textContent).toBe("loading;");
  await send();
  const taken = { player: "ann", seasons: [] };
  await act(async () => calls[1]?.answer(taken));
  await act(async () => calls[0]?.refuse("too_frequent"));
  expect([element.textContent, answers]).toEqual(["ann;", [taken, undefined]]);
  await send();
  await act(async () => calls[2]?.refuse("season_closed"));
  expect(element.textContent).toBe("season_closed;");
  expect(new Set(submits).size).toBe(1);
});

test("on a server nothing is watched or asked, and all is loading", () => {
  const All = () => {
    const board = useArena();
    const all = [
      hooks.useTop(board),
      hooks.useRank(board),
      hooks.useLeague(board),
      hooks.useGroup(board, "g1"),
      hooks.useAround(board),
      hooks.useSubmitScore(board),
    ];
    return JSON.stringify(all.map(({ loading }) => loading));
  };
  expect(renderToString(createElement(All))).toBe("[true,true,true,true,true,false]");
  expect([sdk.begun, sdk.users.size, calls]).toEqual([0, 0, []]);
});

test("a board of a template and its neighbour, level:a_- and level-a_-, have watchers of their own", async () => {
  const ids = ["level:a_-", "level-a_-"];
  const topOf = (id: string) => () => {
    const board = hooks.useLeaderboard(app, id, { span: "all_time" });
    return shown(hooks.useTop(board), ({ players }) => players);
  };
  const [Level, Neighbour] = ids.map(topOf);
  await show(() => [createElement(Level ?? Top, { key: 1 }), createElement(Neighbour ?? Top, { key: 2 })]);
  const paths = ids.map((id) => `leaderboards/${id}/seasons/all_time/top/current`);
  expect(sdk.listening.map(({ path }) => path)).toEqual(paths);
  for (const [i, path] of paths.entries()) await tell(path, { ...top, players: 7 + i });
  expect(element.textContent).toBe("7;8;");
  await show(Top, 0);
  expect(sdk.listening).toEqual([]);
});

test("the README's component of top ten and own rank is 15 lines at most, and works", async () => {
  const sample = samplesOf("client/README.md", "tsx")[0] ?? expect.fail("there is no sample");
  const [, component = ""] = /^(function Arena[^]*?^\})/m.exec(sample.code) ?? [];
  expect(component.split("\n").length).toBeLessThanOrEqual(15);
  const { Arena } = await runSample(sample, { ...hooks, React, app });
  await show(Arena as () => React.ReactNode);
  await tell("leaderboards/arena", {});
  await tell(`${season}/top/current`, top);
  for (const [path, data] of ofAnn) await tell(path, data);
  const lines = '<li value="1">BOB: 900</li><li value="2">ANN: 850</li>';
  expect(element.innerHTML).toBe(`<section><h1>You are number 2</h1><ol>${lines}</ol></section>`);
});
