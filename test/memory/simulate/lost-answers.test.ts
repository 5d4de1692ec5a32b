/** Batches whose commit succeeds although its answer is lost: their transaction runs twice, but they count once. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { submissionsPerPlayerMax } from "../../../functions/src/model/limits.ts";
import { saveLeaderboardSpec } from "../../../functions/src/operations/save-leaderboard.ts";
import { createServices } from "../../../functions/src/operations/services.ts";
import type { Caller } from "../../../functions/src/operations/access.ts";
import { answer } from "../../../functions/src/operations/spec.ts";
import { submitScoresSpec } from "../../../functions/src/operations/submit-scores.ts";
import { grpc } from "../../../functions/src/world/retryable.ts";
import { createLocks } from "../../../simulate/memory/locks.ts";
import { createClient } from "../../../simulate/memory/wire/connect.ts";
import type { Port } from "../../../simulate/memory/wire/server.ts";
import { createStore } from "../../../simulate/memory/store.ts";
import { silent } from "../../../functions/src/world/world.ts";

const admin: Caller = { uid: "admin", role: "admin" };
const key = { leaderboard: "board", season: "all_time" };
const players = ["ann", "bob"];

interface Sent {
  player: string;
  score: number;
  submission_id?: string;
}

/** A board of sums in memory; an argument of `submit` says whether its commit's answer is lost. */
async function createBoard() {
  const store = createStore(() => 0);
  let isToLose = false;
  let lost = 0;
  let ids = 0;
  const port: Port = {
    request(kind, _what, perform) {
      const result = perform();
      if (!isToLose || kind !== "commit") return Promise.resolve(result as never);
      isToLose = false;
      lost += 1;
      return Promise.reject(Object.assign(new Error("the answer was lost"), { code: grpc.unavailable }));
    },
  };
  const services = createServices({
    db: createClient({ store, locks: createLocks(() => "break") }, port).db,
    now: () => 0,
    random: Math.random,
    newId: () => `made-${(ids += 1)}`,
    log: silent,
    sleep: () => Promise.resolve(),
    intervalMinutesMin: 1,
  });
  await answer(
    saveLeaderboardSpec,
    services,
    { leaderboard: "board", definition: { aggregation: "sum" } },
    admin,
  );
  return {
    async submit(submissions: readonly Sent[], isLost = false) {
      isToLose = isLost;
      const { results } = await answer(
        submitScoresSpec,
        services,
        { leaderboard: "board", submissions },
        admin,
      );
      return results.map((result) => ("error" in result ? result.error.message : "taken"));
    },
    stored: () => players.map((player) => store.get(playerPath(key, player))?.data),
    lost: () => lost,
  };
}

/** Distinct ids, some of them remembered by the player's document, or no ids. */
const anyId = fc.oneof(
  { weight: 4, arbitrary: fc.nat(40).map((i) => ({ submission_id: `own-${i}` })) },
  { weight: 2, arbitrary: fc.nat(24).map((i) => ({ submission_id: `old-${i}` })) },
  { weight: 4, arbitrary: fc.constant({}) },
);
const anyBatch = fc
  .array(fc.tuple(fc.constantFrom("ann", "ann", "ann", "bob"), anyId), {
    minLength: 1,
    maxLength: 40,
    size: "max",
  })
  .map((batch) => batch.map(([player, id], i): Sent => ({ player, score: 1_000 + i, ...id })));

test("a batch counts once, whatever was remembered and however many submissions of one player it has", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(25), anyBatch, async (remembered, batch) => {
      const [plain, unlucky] = await Promise.all([createBoard(), createBoard()]);
      for (const board of [plain, unlucky]) {
        await board.submit([{ player: "bob", score: 1 }]);
        for (let i = 0; i < remembered; i++)
          await board.submit([{ player: "ann", score: 1, submission_id: `old-${i}` }]);
      }
      const outcomes = await plain.submit(batch);
      expect(await unlucky.submit(batch, true)).toEqual(outcomes);
      expect(unlucky.stored()).toEqual(plain.stored());

      for (const player of players) {
        const own = outcomes.filter((_, i) => batch[i]?.player === player);
        expect(own.map((outcome) => outcome === "taken")).toEqual(
          own.map((_, i) => i < submissionsPerPlayerMax),
        );
      }
    }),
    { numRuns: 50 },
  );
});

test("a remembered submission in a full batch of others is not forgotten for them", async () => {
  const board = await createBoard();
  const numbered = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ player: "ann", score: 1, submission_id: `${name}-${i}` }));
  const old = numbered("old", submissionsPerPlayerMax);
  await board.submit(old);
  const others = numbered("new", submissionsPerPlayerMax - 1);
  await board.submit([...old.slice(0, 1), ...others], true);
  expect(board.lost()).toBe(1);
  expect(board.stored()[0]).toMatchObject({ score: old.length + others.length });
});
