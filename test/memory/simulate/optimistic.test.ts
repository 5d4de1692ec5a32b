/**
 * Optimistic transactions, which an Enterprise database has unless told otherwise: nobody waits for a lock, the first
 * commit stands, and a transaction that has read what it changed is aborted and starts again. No emulator has them, so this is in
 * memory, with the five attempts of Firestore's library but without its pauses in between.
 */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { FirerankError } from "../../../functions/src/model/errors.ts";
import { saveLeaderboardSpec } from "../../../functions/src/operations/save-leaderboard.ts";
import { createServices } from "../../../functions/src/operations/services.ts";
import type { Caller } from "../../../functions/src/operations/access.ts";
import { answer } from "../../../functions/src/operations/spec.ts";
import { submitScoreSpec } from "../../../functions/src/operations/submit-score.ts";
import { seededRandom } from "../../support/arbitraries.ts";
import { createLocks } from "../../../simulate/memory/locks.ts";
import { createClient } from "../../../simulate/memory/wire/connect.ts";
import { createStore } from "../../../simulate/memory/store.ts";
import { createScheduler, noFaults, settled } from "../../../simulate/scheduler.ts";
import { silent } from "../../../functions/src/world/world.ts";

const seed = Number(process.env["FIRERANK_SEED"]);
const seeds = Array.from({ length: 3 }, (_, i) => seed + i);
const key = { leaderboard: "board", season: "all_time" };

test.each(seeds)(
  "a rush on one player ends for each as counted once, or as contention that counts when sent again, seed %i",
  async (each) => {
    const submissions = 24;
    const random = seededRandom(each);
    const scheduler = createScheduler(random);
    const store = createStore(() => 0);
    const port = scheduler.portOf({ name: "functions", alive: true, pace: 1 });
    const locks = createLocks(() => "break");
    const services = createServices({
      db: createClient({ store, locks }, port).db,
      now: () => 0,
      random,
      newId: () => `made-${Math.floor(random() * 1e9)}`,
      log: silent,
      sleep: () => Promise.resolve(),
      intervalMinutesMin: 1,
    });
    const admin: Caller = { uid: "admin", role: "admin" };
    const ann: Caller = { uid: "ann" };

    async function ended<Result>(works: readonly Promise<Result>[]): Promise<PromiseSettledResult<Result>[]> {
      const all = Promise.allSettled(works);
      const progress = { isOver: false };
      void all.then(() => (progress.isOver = true));
      while (!progress.isOver) {
        if (scheduler.size() > 0) await scheduler.step(noFaults);
        await settled();
      }
      return all;
    }
    const submit = (id: number) =>
      answer(submitScoreSpec, services, { leaderboard: "board", score: 1, submission_id: `try-${id}` }, ann);

    const definition = { aggregation: "sum" } as const;
    await ended([answer(saveLeaderboardSpec, services, { leaderboard: "board", definition }, admin)]);
    let waiting = Array.from({ length: submissions }, (_, i) => i);
    for (let round = 1; waiting.length > 0; round++) {
      expect(round).toBeLessThanOrEqual(submissions);
      const results = await ended(waiting.map(submit));
      const failed = results.flatMap((result) =>
        result.status === "rejected" ? [result.reason as unknown] : [],
      );
      for (const error of failed) {
        expect(error).toBeInstanceOf(FirerankError);
        expect(error).toMatchObject({ code: "contention" });
      }
      expect(failed.length).toBeLessThan(waiting.length);
      waiting = waiting.filter((_, i) => results[i]?.status === "rejected");
      const counted = submissions - waiting.length;
      expect(store.get(playerPath(key, "ann"))?.data).toMatchObject({ score: counted });
    }
  },
);
