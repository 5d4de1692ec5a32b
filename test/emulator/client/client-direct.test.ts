/** `rankOf` and `watchTop` under the security rules: what they answer, and what they read. */
import { disableNetwork } from "firebase/firestore";
import { rankOf, type WatchedTop, watchTop } from "firerank-client";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { topPath } from "../../../functions/src/documents/paths.ts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { listen } from "../../support/client-listening.ts";
import { user } from "../../support/world.ts";
import { createStage, ladder, type Stage } from "../../support/client/client-stage.ts";

let stage: Stage;

async function begin(definition?: Parameters<typeof createStage>[0]): Promise<void> {
  stage = await createStage(definition);
}

describe("rankOf", () => {
  test("costs a read, and once the definition, and nothing while the page is in memory", async () => {
    await begin();
    await stage.publish(ladder(1_199, 1_100));
    const board = stage.boardOf("ann");
    expect(await rankOf(board, 999)).toMatchObject({
      rank: 101,
      players: 1_100,
      exact: true,
      from_cache: false,
    });
    expect(stage.reads()).toBe(2);
    for (const score of [1_300, 1_199, 1_198, 998, 700]) {
      expect((await rankOf(board, score)).rank).toBe(stage.rankOf(score));
    }
    expect(stage.reads()).toBe(0);
    expect(await rankOf(board, 10)).toMatchObject({ rank: stage.rankOf(10) });
    expect(stage.reads()).toBe(1);
  });

  test("reads the page again when its next publication is due, and the definition after an hour", async () => {
    const startMs = Date.now();
    const passSeconds = (seconds: number) => vi.setSystemTime(startMs + 1_000 * seconds);
    passSeconds(0);
    await begin({ tiers: [{ name: "old", top_percent: 100 }] });
    await stage.publish([10, 20]);
    const board = stage.boardOf("ann");
    expect(await rankOf(board, 5)).toMatchObject({ rank: 3, generation: 1, tier: "old" });
    await stage.publish([10, 20, 40]);
    await stage.redefine({ tiers: [{ name: "new", top_percent: 100 }] });
    stage.reads();
    for (const [seconds, tier] of [
      [301, "old"],
      [3_599, "old"],
      [3_601, "new"],
    ] as const) {
      passSeconds(seconds);
      expect(await rankOf(board, 5)).toMatchObject({ rank: 4, generation: 2, tier });
      expect(stage.reads()).toBe(1);
    }
  });

  test("never uses a page from memory that is older than a top that was watched", async () => {
    await begin();
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
    await tops.match({ generation: 2 });
    stop();
    expect(await rankOf(board, 5)).toMatchObject({ rank: 4, generation: 2 });
  });

  test("answers on an ascending board, with percentile and tier", async () => {
    await begin({ order: "ascending", tiers: [{ name: "gold", top_percent: 50 }] });
    await stage.publish([10, 20, 20, 30, 40]);
    const board = stage.boardOf("ann");
    expect(await rankOf(board, 20)).toMatchObject({ rank: 2, dense_rank: 2, percentile: 75, tier: "gold" });
    expect(await rankOf(board, 40)).toMatchObject({ rank: 5, percentile: 0 });
    expect(await rankOf(board, 40)).not.toHaveProperty("tier");
  });

  test("rounds a score as the board does", async () => {
    await begin({ decimals: 2 });
    await stage.publish([0.31, 0.3, 0.3, 0.2]);
    const board = stage.boardOf("ann");
    for (const score of [0.299, 0.1 + 0.2]) {
      const answer = await rankOf(board, score);
      expect(answer).toMatchObject({ score: 0.3, rank: 2, dense_rank: 2 });
      const asked = { leaderboard: "board", score };
      // The functions round it to the same score.
      expect((await stage.world.call("getRank", asked, user("ann"))).score).toBe(answer.score);
    }
    expect(await rankOf(board, -0.305)).toMatchObject({ score: -0.31, rank: 5 });
  });

  test("takes columns by their names, and says what they were", async () => {
    const columns = [
      { name: "points", min: 0, max: 300, order: "descending" as const },
      { name: "seconds", min: 0, max: 3_600, order: "ascending" as const },
    ];
    await begin({ columns });
    const packed = (points: number, seconds: number) => points * 3_601 + 3_600 - seconds;
    await stage.publish([packed(30, 100), packed(30, 90), packed(20, 10)]);
    const board = stage.boardOf("ann");
    expect(await rankOf(board, { points: 30, seconds: 95 })).toMatchObject({
      rank: 2,
      score: packed(30, 95),
      columns: { points: 30, seconds: 95 },
    });
    await expect(rankOf(board, { points: 301, seconds: 0 })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("points is 301, not an integer from 0 to 300") as string,
    });
    await expect(rankOf(board, { points: 1 })).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("before the first publication says that nothing is ranked yet, and right after it the real rank", async () => {
    await begin();
    const board = stage.boardOf("ann");
    const tooEarly = {
      code: "player_not_ranked",
      message: expect.stringMatching(
        /Nothing is ranked yet.* its pages are gone, and repairSeason/,
      ) as string,
    };
    await expect(rankOf(board, 5)).rejects.toMatchObject(tooEarly);
    await stage.redefine({ order: "ascending" });
    await stage.publish([1, 9]);
    expect(await rankOf(board, 5)).toMatchObject({ rank: 2, players: 2, generation: 1 });
  });

  test.each([
    ["no number", NaN, "score"],
    ["an infinite one", Infinity, "score"],
    ["one beyond 2^53 - 1", 2 ** 53, "score"],
    ["columns on a board without", { points: 3 }, "columns"],
  ])("refuses %s, naming the field", async (_, score, path) => {
    await begin();
    await expect(rankOf(stage.boardOf("ann"), score)).rejects.toMatchObject({
      name: "FirerankError",
      code: "invalid_request",
      fields: [{ path }],
    });
  });

  test("offline answers from memory, and says `unavailable` for a page that was never read", async () => {
    await begin();
    await stage.publish(ladder(1_199, 1_100));
    const board = stage.boardOf("ann");
    await rankOf(board, 999);
    await disableNetwork(board.firestore);
    expect(await rankOf(board, 1_100)).toMatchObject({ rank: stage.rankOf(1_100) });
    await expect(rankOf(board, 3)).rejects.toMatchObject({ code: "unavailable" });
  });

  test.each([
    [{ id: "nowhere" }, "leaderboard_not_found", '"nowhere"'],
    [{ span: "weekly" }, "season_not_found", '"weekly"'],
    [{ season: "2026-W40" }, "season_not_found", '"2026-W40"'],
  ])("says of %o that there is none", async (named, code, name) => {
    await begin();
    await stage.publish([10, 20]);
    const board = { ...stage.boardOf("ann"), ...named };
    const message = expect.stringContaining(name) as string;
    await expect(rankOf(board, 1)).rejects.toMatchObject({ name: "FirerankError", code, message });
    const all = { ...stage.boardOf("ann"), season: "all_time" };
    expect(await rankOf(all, 1)).toMatchObject({ season: "all_time", rank: 3 });
  });
});

describe("watchTop", () => {
  async function play(player: string, score: number): Promise<void> {
    await stage.world.call(
      "submitScore",
      { leaderboard: "board", score, display_name: player },
      user(player),
    );
    await stage.world.deliver(stage.key, player);
    await stage.world.publish(stage.key);
  }

  test("reports an empty top, then each change for one read, in getTop's form", async () => {
    await begin();
    const heard = listen<WatchedTop>();
    const stop = watchTop(stage.boardOf("ann"), heard.hear, (error) => expect.unreachable(error.message));
    await heard.match({
      entries: [],
      players: 0,
      generation: 0,
      lowest_score: null,
      from_cache: false,
    });
    expect(stage.reads()).toBe(1 + 1); // with the board's definition
    await play("ann", 10);
    await play("bob", 20);
    const top = await heard.until(({ entries }) => {
      expect(entries.map(({ player, rank }) => [player, rank])).toEqual([
        ["bob", 1],
        ["ann", 2],
      ]);
    });
    expect(top).toEqual({
      ...(await stage.world.call("getTop", { leaderboard: "board" }, user("ann"))),
      from_cache: false,
    });
    expect(stage.reads()).toBe(2);

    stop();
    const others = listen<WatchedTop>();
    await play("cyd", 30);
    onTestFinished(watchTop(stage.boardOf("bob"), others.hear));
    await others.until(({ entries }) => expect(entries).toHaveLength(3));
    expect(stage.reads()).toBe(1 + 1);
    expect(heard.all.at(-1)?.entries).toHaveLength(2);
  });

  test("offline keeps the last top, marked as from the cache", async () => {
    await begin();
    await play("ann", 10);
    const board = stage.boardOf("ann");
    const heard = listen<WatchedTop>();
    onTestFinished(watchTop(board, heard.hear));
    await heard.match({ entries: [{ player: "ann" }], from_cache: false });
    await disableNetwork(board.firestore);
    await heard.match({ entries: [{ player: "ann" }], from_cache: true });
  });
});
