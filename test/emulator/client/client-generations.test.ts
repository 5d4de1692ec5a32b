/** An app never goes back to an older ranking: the package remembers generations, and never asks for older ones. */
import {
  getAround,
  getPage,
  getPlayers,
  getRank,
  getTop,
  type Leaderboard,
  leaderboard,
  rankOf,
  submitScore,
  type WatchedTop,
  watchTop,
} from "firerank-client";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { topPath } from "../../../functions/src/documents/paths.ts";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { clientApp } from "../../support/client/client-app.ts";
import { listen } from "../../support/client-listening.ts";
import { createStage, type Stage } from "../../support/client/client-stage.ts";
import { useLive } from "../../support/live.ts";

describe("an app that calls functions", () => {
  const live = useLive();

  /** A board with a ranking that the functions have in memory, and a newer one. */
  async function overtaken() {
    const onServer = await live.board({ ranking_interval_minutes: 60 });
    const app = clientApp();
    await app.signIn(live.uid("ann"));
    const board = leaderboard(app.app, onServer.leaderboard);
    await submitScore(board, { score: 30 });
    await onServer.submit({ bob: 50, cyd: 40, dan: 10 });
    await onServer.rank();
    await Promise.all(Object.values(asked).map((ask) => ask(board)));
    await onServer.submit({ eve: 60 });
    return { board, onServer };
  }

  const asked: Record<string, (board: Leaderboard) => Promise<number | undefined>> = {
    getRank: async (board) => (await getRank(board)).generation,
    getTop: async (board) => (await getTop(board)).generation,
    getAround: async (board) => (await getAround(board)).generation,
    getPage: async (board) => (await getPage(board)).generation,
    getPlayers: async (board) => (await getPlayers(board, [live.uid("bob")])).generation,
    submitScore: async (board) => (await submitScore(board, { score: 30 })).seasons[0]?.rank?.generation,
    rankOf: async (board) => (await rankOf(board, 20)).generation,
  };

  test("gets the new ranking from every call once it has seen the top of it", async () => {
    const { board, onServer } = await overtaken();
    await onServer.rank();
    const tops = listen<WatchedTop>();
    onTestFinished(watchTop(board, tops.hear));
    await tops.until(({ generation }) => expect(generation).toBe(2));
    for (const [name, ask] of Object.entries(asked)) expect([name, await ask(board)]).toEqual([name, 2]);
  });
});

describe("an app that reads by itself", () => {
  let stage: Stage;
  afterEach(() => stage.end());

  test("never uses a page from memory that is older than a top it has watched", async () => {
    stage = await createStage();
    await stage.publish([10, 20]);
    const board = stage.boardOf("ann");
    expect(await rankOf(board, 5)).toMatchObject({ rank: 3, generation: 1 });
    await stage.publish([10, 20, 30]);
    expect(await rankOf(board, 5)).toMatchObject({ rank: 3, generation: 1 });
    const at = Timestamp.now();
    const top = { generation: 2, as_of: at, players: 3, lowest_score: null, lowest_at: null, entries: [] };
    await stage.world.db.doc(topPath(stage.key)).set(top);
    const tops = listen<WatchedTop>();
    const stop = watchTop(board, tops.hear);
    await tops.until(({ generation }) => expect(generation).toBe(2));
    stop();
    expect(await rankOf(board, 5)).toMatchObject({ rank: 4, generation: 2 });
  });
});
