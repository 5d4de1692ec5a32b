/** `watchRank` under the security rules: what it reports, and what it reads. */
import { disableNetwork, enableNetwork } from "firebase/firestore";
import { type FirerankError, rankOf, type WatchedRank, watchRank } from "firerank-client";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type Heard, listen } from "../../support/client-listening.ts";
import { eventually } from "../../support/live.ts";
import { patienceMs } from "../../support/patience.ts";
import { createStage, ladder, type Stage } from "../../support/client/client-stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await createStage({ aggregation: "latest" });
});

/** Watches a player's rank as that player. */
function watch(uid: string, board = stage.boardOf(uid)): Heard<WatchedRank | null> {
  const heard = listen<WatchedRank | null>();
  onTestFinished(watchRank(board, heard.hear, (error) => expect.unreachable(error.message), uid));
  return heard;
}

/** Waits for the rank of a score, as counted. */
async function expectRank(heard: Heard<WatchedRank | null>, score: number): Promise<WatchedRank | null> {
  return heard.match({ score, rank: stage.rankOf(score), exact: true, from_cache: false });
}

test("a rank costs two reads to start, and the definition once; then one a change or generation", async () => {
  await stage.publish(ladder(1_199, 1_100));
  await stage.setPlayer("ann", { score: 999 });
  const heard = watch("ann");
  expect(await expectRank(heard, 999)).toMatchObject({
    player: "ann",
    rank: 101,
    players: 1_100,
    generation: 1,
  });
  expect(stage.reads()).toBe(3);

  await stage.setPlayer("ann", { score: 1_001 });
  await expectRank(heard, 1_001);
  expect(stage.reads()).toBe(1);

  await stage.publish([2_000, ...ladder(1_199, 1_099)]);
  expect(await expectRank(heard, 1_001)).toMatchObject({ rank: 101, generation: 2 });
  expect(stage.reads()).toBe(1);
  expect(heard.all.map((rank) => rank?.rank)).toEqual([101, 100, 101]);
});

test("a score that leaves its page costs that page; one that stays on it costs nothing more", async () => {
  await stage.publish(ladder(1_199, 1_100));
  await stage.setPlayer("ann", { score: 999 });
  const heard = watch("ann");
  await expectRank(heard, 999);
  stage.reads();

  await stage.setPlayer("ann", { score: 300 });
  await expectRank(heard, 300);
  expect(stage.reads()).toBe(2);
  await stage.setPlayer("ann", { score: 302 });
  await expectRank(heard, 302);
  expect(stage.reads()).toBe(1);
});

test("a generation that moves the score to another page is followed by the same listener", async () => {
  await stage.publish(ladder(1_199, 1_100));
  await stage.setPlayer("ann", { score: 999 });
  const heard = watch("ann");
  await expectRank(heard, 999);
  expect(await stage.pageOf(999)).toBe("0");
  stage.reads();

  await stage.publish([...ladder(9_999, 300), ...ladder(1_199, 1_100)]);
  expect(await stage.pageOf(999)).toBe("1");
  expect(await expectRank(heard, 999)).toMatchObject({ rank: 401, players: 1_400, generation: 2 });
  // The page that came, and the one that went, which not every emulator reports.
  expect([1, 2]).toContain(stage.reads());

  await stage.publish(ladder(1_199, 10));
  expect(await expectRank(heard, 999)).toMatchObject({ rank: 11, players: 10, generation: 3 });
});

test("random scores and generations give the same ranks as counting", async () => {
  let state = 7;
  const next = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  await stage.publish([]);
  const heard = watch("ann");
  for (let step = 0; step < 40; step++) {
    if (next(3) === 0) await stage.publish(Array.from({ length: next(1_500) }, () => next(2_000)));
    const score = next(2_200) - 100;
    await stage.setPlayer("ann", { score });
    await expectRank(heard, score);
  }
});

test("a player has no rank without a score, while hidden, with an invalid score, and after removal", async () => {
  await stage.publish(ladder(9, 5));
  const heard = watch("ann");
  const expectNone = () => heard.match(null);
  await expectNone();
  for (const none of [
    { status: "hidden", score: 5 },
    { status: "banned", score: 5 },
    { score: "5" },
    { score: NaN },
    { display_name: "Ann" },
    undefined,
  ]) {
    await stage.setPlayer("ann", { status: "active", score: 5 });
    await expectRank(heard, 5);
    await stage.setPlayer("ann", none);
    await expectNone();
  }
});

test("before the first publication there is no rank; the definition that holds then is read again", async () => {
  await stage.setPlayer("ann", { score: 30 });
  const heard = watch("ann");
  await heard.match(null);
  await stage.redefine({ order: "ascending" });
  await stage.publish([10, 20, 40]);
  expect(await expectRank(heard, 30)).toMatchObject({ rank: 3, players: 3, generation: 1 });
});

test("a player who watched before having a score is ranked by the order that the board got meanwhile", async () => {
  const heard = watch("ann");
  let reads = 0;
  await vi.waitFor(
    () => {
      expect(heard.all).toEqual([null]);
      expect((reads += stage.reads())).toBe(2); // the player's document, which is missing, and the definition
    },
    { timeout: patienceMs(), interval: 50 },
  );
  await stage.redefine({ order: "ascending" });
  await stage.publish(Array.from({ length: 1_100 }, (_, i) => 2 * i));
  for (const score of [101, 1_001, 2_200]) {
    await stage.setPlayer("ann", { score });
    await expectRank(heard, score);
  }
});

test("changed tiers show at once for one read, even in rankOf", async () => {
  await stage.redefine({ tiers: [{ name: "old", top_percent: 100 }] });
  await stage.publish([10, 20, 40]);
  await stage.setPlayer("ann", { score: 10 });
  const board = stage.boardOf("ann");
  const heard = watch("ann", board);
  const expectTier = (tier: string) => heard.match({ rank: 3, generation: 1, tier, from_cache: false });
  await expectTier("old");
  stage.reads();
  await stage.redefine({ tiers: [{ name: "new", top_percent: 100 }] });
  await expectTier("new");
  expect(await rankOf(board, 15)).toMatchObject({ rank: 3, tier: "new" });
  expect(stage.reads()).toBe(1);
});

test("two watchers on one device cost the same reads as one", async () => {
  await stage.publish(ladder(1_199, 1_100));
  await stage.setPlayer("ann", { score: 999 });
  const board = stage.boardOf("ann");
  const one = watch("ann", board);
  await expectRank(one, 999);
  stage.reads();
  const other = watch("ann", board);
  await expectRank(other, 999);
  expect(stage.reads()).toBe(0);
});

test("a stopped watcher reports and reads nothing more", async () => {
  await stage.publish(ladder(1_199, 1_100));
  await stage.setPlayer("ann", { score: 999 });
  const stopped = listen<WatchedRank | null>();
  const stop = watchRank(stage.boardOf("ann"), stopped.hear, undefined, "ann");
  await expectRank(stopped, 999);
  stop();
  const other = watch("ann");
  await expectRank(other, 999);
  stage.reads();

  await stage.publish(ladder(1_199, 300));
  await stage.setPlayer("ann", { score: 997 });
  await expectRank(other, 997);
  expect(stopped.all).toHaveLength(1);
  expect(stage.reads()).toBe(2);
});

test("offline the last rank stays, marked as from the cache; back online it is that of the newest generation", async () => {
  await stage.publish(ladder(1_199, 1_100));
  await stage.setPlayer("ann", { score: 999 });
  const board = stage.boardOf("ann");
  const heard = watch("ann", board);
  await expectRank(heard, 999);

  await disableNetwork(board.firestore);
  await heard.match({ rank: 101, generation: 1, from_cache: true });
  await stage.publish([2_000, ...ladder(1_199, 1_100)]);
  await enableNetwork(board.firestore);
  expect(await expectRank(heard, 999)).toMatchObject({ rank: 102, generation: 2 });
});

test("a leaderboard that does not exist is an error and not a player without a score", async () => {
  const error = await new Promise((resolve) => {
    onTestFinished(watchRank({ ...stage.boardOf("ann"), id: "nowhere" }, () => undefined, resolve, "ann"));
  });
  expect(error).toMatchObject({
    code: "leaderboard_not_found",
    message: expect.stringContaining('"nowhere"') as string,
  });
});

test("an id that Firestore cannot have is reported to onError, and no player is read", async () => {
  const errors: FirerankError[] = [];
  const none = () => expect.unreachable();
  onTestFinished(watchRank(stage.boardOf("ann"), none, (error) => errors.push(error), "a/b"));
  expect(errors).toEqual([]);
  await eventually(() =>
    expect(errors).toMatchObject([{ code: "invalid_request", fields: [{ path: "player" }] }]),
  );
  expect(errors[0]?.message).toContain('must not contain "/"');
  expect(stage.reads()).toBe(1); // the board's definition
});
