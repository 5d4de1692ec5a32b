/** The client package in Node, against the emulators: every call, and what listeners hear. */
import {
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
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ClientApp, createClientApp } from "./client-app.ts";
import { listen } from "./client-listening.ts";
import { createLive, type Live } from "./live.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let live: Live;
const apps: ClientApp[] = [];
beforeAll(async () => {
  live = await createLive();
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await live.end();
});

async function appOf(uid: string): Promise<ClientApp> {
  const app = createClientApp();
  apps.push(app);
  await app.signIn(live.uid(uid));
  return app;
}

test("a player submits, asks for the rank and the top, and sees both change", async () => {
  const onServer = await live.board();
  const { app } = await appOf("ann");
  const board = leaderboard(app, onServer.leaderboard);
  const ranks = listen<WatchedRank | null>();
  const tops = listen<WatchedTop>();
  const stop = [watchRank(board, ranks.hear), watchTop(board, tops.hear)];
  await vi.waitFor(() => {
    expect(ranks.all).toEqual([null]);
  });
  await tops.until((top) => {
    expect(top).toMatchObject({ entries: [], generation: 0, players: 0 });
  });

  const submitted = await submitScore(board, { score: 30, display_name: "Ann" });
  expect(submitted).toMatchObject({
    leaderboard: board.id,
    player: live.uid("ann"),
    seasons: [{ season: "all_time", score: 30, improved: true, attempts: 1, rank: null }],
  });
  await ranks.until((rank) => {
    expect(rank).toMatchObject({ score: 30, rank: 1, generation: 0 });
  });
  await onServer.submit({ bob: 50, cyd: 40, dan: 10 });
  await onServer.rank();

  const watched = await ranks.until((rank) => {
    expect(rank).toMatchObject({ score: 30, rank: 3, players: 4, generation: 1 });
  });
  const asked = await getRank(board);
  expect(watched).toEqual({ ...asked, from_cache: false });
  const top = await tops.until(({ generation }) => {
    expect(generation).toBe(1);
  });
  expect(top).toEqual({ ...(await getTop(board)), from_cache: false });
  expect(await rankOf(board, 45)).toMatchObject({ score: 45, rank: 2, exact: true, generation: 1 });
  for (const end of stop) end();
});
