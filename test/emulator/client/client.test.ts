/** The client package in Node, against the emulators: what a player and an admin ask for, refusals, and listeners. */
import { signOut, getAuth } from "firebase/auth";
import {
  type FirerankError,
  getRank,
  getTop,
  leaderboard,
  rankOf,
  submitScore,
  type WatchedRank,
  type WatchedTop,
  watchRank,
  watchTop,
} from "firerank-client";
import {
  exportPlayer,
  mergePlayers,
  removePlayer,
  saveLeaderboard,
  setPlayerStatus,
  submitScores,
} from "firerank-client/admin";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../support/client-listening.ts";
import { useLive, eventually } from "../../support/live.ts";
import { type ClientApp, clientApp } from "../../support/client/client-app.ts";

const live = useLive();

/** An app in which this user is signed in. */
async function appOf(uid: string | undefined): Promise<ClientApp> {
  const app = clientApp();
  if (uid !== undefined) await app.signIn(live.uid(uid));
  return app;
}

test("a player submits, asks for the rank and the top, and sees both change", async () => {
  const onServer = await live.board();
  const { app } = await appOf("ann");
  const board = leaderboard(app, onServer.leaderboard);
  const ranks = listen<WatchedRank | null>();
  const tops = listen<WatchedTop>();
  onTestFinished(watchRank(board, ranks.hear));
  onTestFinished(watchTop(board, tops.hear));
  await eventually(() => expect(ranks.all).toEqual([null]));
  await tops.match({ entries: [], generation: 0, players: 0 });

  const submitted = await submitScore(board, { score: 30, display_name: "Ann" });
  expect(submitted).toMatchObject({
    leaderboard: board.id,
    player: live.uid("ann"),
    seasons: [{ season: "all_time", score: 30, improved: true, attempts: 1, rank: null }],
  });
  await ranks.match(null);
  await expect(getRank(board)).rejects.toMatchObject({ code: "player_not_ranked" });
  await onServer.submit({ bob: 50, cyd: 40, dan: 10 });
  await onServer.rank();

  const watched = await ranks.match({ score: 30, rank: 3, players: 4, generation: 1 });
  const asked = await getRank(board);
  expect(watched).toEqual({ ...asked, from_cache: false });
  // A refresh may come in between; it is reported as well.
  await eventually(async () => {
    const { from_cache: isFromCache, ...top } = tops.all.at(-1) ?? {};
    expect({ top, isFromCache }).toMatchObject({ top: { generation: 1 }, isFromCache: false });
    expect(top).toEqual(await getTop(board));
  });
  expect(await rankOf(board, 45)).toMatchObject({ score: 45, rank: 2, exact: true, generation: 1 });
});

test("a server that renders a page asks as the player whose ID token it has", async () => {
  const onServer = await live.board();
  const { app } = await appOf("eve");
  await submitScore(leaderboard(app, onServer.leaderboard), { score: 30 });
  await onServer.rank();
  const authIdToken = await getAuth(app).currentUser?.getIdToken();
  if (authIdToken === undefined) throw new Error("nobody is signed in");
  const board = leaderboard(clientApp({ authIdToken }).app, onServer.leaderboard);
  expect(await getRank(board)).toMatchObject({ player: live.uid("eve"), score: 30, rank: 1 });
  expect(await getTop(board)).toMatchObject({ entries: [{ player: live.uid("eve") }] });
  expect(await submitScore(board, { score: 40 })).toMatchObject({ player: live.uid("eve") });
  expect(await rankOf(board, 35)).toMatchObject({ rank: 1 });
});

test("refusals are errors with a code, the fields, and when to retry", async () => {
  const onServer = await live.board({ max_score: 100, min_seconds_between: 3_600 });
  const { app } = await appOf("jim");
  const board = leaderboard(app, onServer.leaderboard);
  const refused = (score: number, error: object, of = board) =>
    expect(submitScore(of, { score })).rejects.toMatchObject({ name: "FirerankError", ...error });
  await refused(101, { code: "score_out_of_range", fields: [{ path: "score" }] });
  await refused(NaN, { code: "invalid_request", message: expect.stringContaining("NaN") as string });
  await submitScore(board, { score: 1 });
  const soon = expect.toSatisfy((seconds: number) => seconds > 3_000) as number;
  await refused(2, { code: "too_frequent", retryAfterSeconds: soon });
  await expect(getRank(board, { player: "nobody" })).rejects.toMatchObject({ code: "player_not_ranked" });
  const { app: nobodys } = await appOf(undefined);
  await refused(1, { code: "unauthenticated" }, leaderboard(nobodys, board.id));
});

test("watchTop waits for a user, continues for another, and after a sign-out for the next one", async () => {
  const onServer = await live.board();
  await onServer.submit({ tim: 20, uma: 10 });
  await onServer.rank();
  const client = await appOf(undefined);
  const board = leaderboard(client.app, onServer.leaderboard);
  const tops = listen<WatchedTop>();
  const errors: FirerankError[] = [];
  onTestFinished(watchTop(board, tops.hear, (error) => errors.push(error)));
  const untilTold = (best: number) =>
    tops.match({ entries: [{ score: best }, { score: 10 }], from_cache: false });
  await client.signInAgain(live.uid("tim"));
  await untilTold(20);
  await client.signInAgain(live.uid("uma"));
  await onServer.submit({ tim: 30 });
  await onServer.rank();
  await untilTold(30);
  await signOut(getAuth(client.app));
  await onServer.submit({ tim: 40 });
  await onServer.rank();
  await client.signInAgain(live.uid("uma"));
  await untilTold(40);
  expect(errors).toEqual([]);
});

test("an admin changes a board, submits for players, hides one and removes one; others may not", async () => {
  const client = clientApp();
  await client.signInAgain(live.uid("admin"));
  const board = leaderboard(client.app, (await live.board()).leaderboard);
  const saved = await saveLeaderboard(board, {
    order: "ascending",
    ranking_interval_minutes: 0.02,
    max_score: undefined,
    tiers: undefined,
  });
  expect(saved).toMatchObject({ order: "ascending", aggregation: "best", top_size: 100 });
  const columns = [{ name: "goals", min: 0, max: 9, order: undefined }];
  const ofColumns = leaderboard(client.app, (await live.board()).leaderboard);
  expect(await saveLeaderboard(ofColumns, { columns, ranking_interval_minutes: 0.02 })).toMatchObject({
    columns: [{ name: "goals", min: 0, max: 9, order: "descending" }],
  });
  const results = await submitScores(board, [
    { player: "pia", score: 3, submission_id: "one", columns: undefined },
    { player: "quy", score: 2 ** 60 },
    { player: "ron", score: 5 },
  ]);
  expect(results).toMatchObject([
    { player: "pia", seasons: [{ score: 3 }] },
    { error: { code: "invalid_request", details: { fields: [{ path: "submissions.1.score" }] } } },
    { player: "ron", seasons: [{ score: 5 }] },
  ]);
  expect(await setPlayerStatus(board, "pia", "hidden")).toMatchObject({
    player: "pia",
    seasons: [{ season: "all_time", status: "hidden", score: 3 }],
  });
  expect(await exportPlayer(board, "ron")).toMatchObject({
    player: "ron",
    leaderboard: board.id,
    seasons: [{ season: "all_time", player: { score: 5 } }],
  });
  expect(await mergePlayers(board, "pia", "ron")).toMatchObject({
    from: "pia",
    to: "ron",
    seasons: [{ season: "all_time", status: "hidden", score: 3, merged: true }],
  });
  expect(await removePlayer(board, "ron")).toMatchObject({ player: "ron" });
  expect(await exportPlayer(board, "ron")).toMatchObject({ seasons: [], events: [] });
  await expect(getRank(board, { player: "ron" })).rejects.toMatchObject({ code: "player_not_ranked" });

  const { app } = await appOf("sam");
  await expect(saveLeaderboard(leaderboard(app, board.id))).rejects.toMatchObject({ code: "not_allowed" });
});
