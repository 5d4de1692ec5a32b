/**
 * Closings, clearings and deletions, cut off at each request, doubled and overlapping: nothing is lost and everything
 * is completed.
 */
import { describe, expect, test } from "vitest";
import { enqueueDueEnds } from "../../../../functions/src/jobs/schedule.ts";
import { stepEnd } from "../../../../functions/src/jobs/closing/end.ts";
import {
  closingNotesPath,
  closingRangesPath,
  playersPath,
  receiptsPath,
  seasonPath,
  type SeasonKey,
  shardsPath,
} from "../../../../functions/src/documents/paths.ts";
import { createServices, type Services } from "../../../../functions/src/operations/services.ts";
import type { ClosingRequest } from "../../../../functions/src/world/tasks.ts";
import {
  createEnding,
  endSeason,
  expectFinal,
  phaseOf,
  playerFields,
  seasonOf,
  writePlayers,
} from "../../../support/closing.ts";
import { admin, createWorld, eachWorld, type World } from "../../../support/world.ts";
import { atEachRequest, createDoomed, type Fault } from "../../../functions/doomed.ts";

const world = eachWorld();

const crowd = (size: number) =>
  Object.fromEntries(
    Array.from({ length: size }, (_, i) => {
      const more = { ...(i === 3 ? { status: "hidden" } : {}), ...(i % 2 === 0 ? { metadata: { i } } : {}) };
      return [`p${i}`, playerFields(i % 5, i, more)];
    }),
  );

async function expectCleared(world: World, key: SeasonKey): Promise<void> {
  await expectFinal(world, key);
  for (const path of [shardsPath, receiptsPath, closingNotesPath, closingRangesPath])
    expect((await world.db.collection(path(key)).get()).size, path(key)).toBe(0);
  expect(await seasonOf(world, key)).toMatchObject({ end_due_at: null });
}

describe.each<Fault>(["killed before", "killed after", "answer lost"])("%s each request", (fault) => {
  test("each killed step is continued by the next, with the same result", async () => {
    // Each step is cut off at its n-th request, if it has that many; the next step runs completely.
    const methods = await atEachRequest(async (n) => {
      const own = createWorld();
      const key = await createEnding(own, "board", crowd(12));
      await writePlayers(own, key, { bare: { score: 3 } });
      const little = { budgetMs: 0, documentsPerRead: 5, rangePlayers: 5 };
      let struck: string | undefined;
      await endSeason(own, key, {
        async step(services, count) {
          // A note for the closing to apply.
          if ((await phaseOf(own, key)) === "writing") {
            const status = count % 3 === 0 ? "hidden" : "active";
            await own.call("setPlayerStatus", { leaderboard: "board", player: "p4", status }, admin);
          }
          if (count % 2 === 1) {
            await stepEnd(services, { ...key, step: count }, little);
            return;
          }
          const doomed = createDoomed(own.db, n, fault);
          const broken = createServices({ ...services, db: doomed.db });
          await Promise.allSettled([stepEnd(broken, { ...key, step: count }, little)]);
          await doomed.bury();
          // Of the steps' requests with this number, a commit tells the most.
          if (struck !== "commit") struck = doomed.struck() ?? struck;
        },
      });
      await expectCleared(own, key);
      return struck;
    });
    expect(methods).toContain("commit");
  });
});

test("the schedule enqueues each due season once, and again if the step did not run", async () => {
  const key = await createEnding(world, "board", crowd(3));
  // A collection of the game, with a field of this name.
  const { end_due_at } = await seasonOf(world, key);
  await world.db.doc("seasons/spring").set({ end_due_at });
  const asked = new Map<string, ClosingRequest>();
  const services: Services = {
    ...world.services,
    enqueueJob: (request, taskId) => {
      if (request.job === "end") asked.set(taskId, request);
      return Promise.resolve();
    },
  };
  await enqueueDueEnds(services);
  await enqueueDueEnds(services);
  expect([...asked.values()]).toEqual([{ ...key, job: "end", step: 0 }]);
  world.advance(120_000);
  await enqueueDueEnds(services);
  expect(asked.size).toBe(2);
  await endSeason(world, key);
  expect(await enqueueDueEnds(services)).toBe(0);
  expect((await world.db.collection(playersPath(key)).get()).size).toBe(3);
});

test("a season deleted in the middle of its closing is left alone", async () => {
  const key = await createEnding(world, "board", crowd(3));
  await endSeason(world, key, { until: ({ status }) => status === "closing" });
  await world.db.doc(seasonPath(key)).delete();
  await stepEnd(world.services, { ...key, step: 0 });
  expect((await world.db.doc(seasonPath(key)).get()).exists).toBe(false);
});
