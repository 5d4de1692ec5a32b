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
import { runRanking } from "firerank-client/admin";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { topPath } from "../../../functions/src/documents/paths.ts";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createClientApp } from "../../support/client/client-app.ts";
import { listen } from "../../support/client-listening.ts";
import { createStage, type Stage } from "../../support/client/client-stage.ts";
import { createLive, type Live } from "../../support/live.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

describe("an app that calls functions", () => {
  let live: Live;
  const ends: (() => unknown)[] = [];
  beforeAll(async () => {
    live = await createLive();
    return () => live.end();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function boardOf(uid: string, id: string, isThere: boolean): Promise<Leaderboard> {
    const app = createClientApp();
    ends.push(() => app.close());
    await (isThere ? app.signInAgain(live.uid(uid)) : app.signIn(live.uid(uid)));
    return leaderboard(app.app, id);
  }

  /** A board with a ranking that the functions have in memory, and a newer one. */
  async function overtaken(uid: string, isThere = false) {
    const onServer = await live.board({ ranking_interval_minutes: 60 });
    const board = await boardOf(uid, onServer.leaderboard, isThere);
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
    const { board, onServer } = await overtaken("ann");
    await onServer.rank();
    const tops = listen<WatchedTop>();
    ends.push(watchTop(board, tops.hear));
    await tops.until(({ generation }) => expect(generation).toBe(2));
    for (const [name, ask] of Object.entries(asked)) expect([name, await ask(board)]).toEqual([name, 2]);
  });

  test("gets it immediately after it has run the ranking itself", async () => {
    await live.account("boss", { leaderboard_admin: true });
    const { board } = await overtaken("boss", true);
    await vi.waitFor(
      async () => {
        const record = await runRanking(board, { include_open_slot: true });
        expect(record).toMatchObject({ outcome: "published", generation: 2 });
      },
      { timeout: 30_000, interval: 500 },
    );
    for (const [name, ask] of Object.entries(asked)) expect([name, await ask(board)]).toEqual([name, 2]);
  });
});

test("a run of a board that names a span ranks the present season of that span", async () => {
  const live = await createLive();
  const app = createClientApp();
  try {
    await live.account("chief", { leaderboard_admin: true });
    const { leaderboard: id } = await live.board({ spans: ["all_time", "daily"] });
    await app.signInAgain(live.uid("chief"));
    const record = await runRanking(leaderboard(app.app, id, { span: "daily" }));
    expect(record.season).toMatch(/^daily-/);
    expect((await runRanking(leaderboard(app.app, id))).season).toBe("all_time");
  } finally {
    await app.close();
    await live.end();
  }
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
