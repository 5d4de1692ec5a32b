/** Somebody deletes the record of a closing under way: the closing begins again, and its standings are right. */
import { beforeEach, expect, test, vi } from "vitest";
import { runPath } from "../../../functions/src/documents/paths.ts";
import { stepEnd } from "../../../functions/src/closing/step.ts";
import { setPlayerStatusSpec } from "../../../functions/src/operations/set-player-status.ts";
import { createEnding, crowd, endSeason, expectFinal, phaseOf, recordOf } from "../../support/closing.ts";
import { admin, createWorld, type World } from "../../support/world.ts";

// Small documents, so that a small season has several.
vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const { smallDocuments } = await import("../../support/small-documents.ts");
  return { ...(await original<object>()), ...smallDocuments };
});

let world: World;
beforeEach(() => {
  world = createWorld();
});

/** As little as a step can do, in steps as many as those of a large season. */
const little = { budgetMs: 0, documentsPerRead: 50 };

const phases = ["settling", "sweeping", "auditing", "ranking", "writing", "checking", "clearing"] as const;

test.each(phases)("a record deleted in the phase %s begins again, and the season closes", async (phase) => {
  const key = await createEnding(world, "board", crowd(130));
  let struck = false;
  await endSeason(world, key, {
    async step(services, n) {
      if (!struck && (await phaseOf(world, key)) === phase) {
        struck = true;
        await world.db.doc(runPath(key, (await recordOf(world, key)).run)).delete();
      }
      await stepEnd(services, { ...key, step: n }, little);
    },
  });
  expect(struck).toBe(true);
  await expectFinal(world, key);
  expect(await recordOf(world, key)).toMatchObject({ outcome: "done", phase: "ended", rounds: 0 });
});

test("a record deleted after a second pass over the players does not take its standings for another's", async () => {
  const key = await createEnding(world, "board", crowd(130));
  let checks = 0;
  const steps = await endSeason(world, key, {
    async step(services, n) {
      if ((await phaseOf(world, key)) === "checking") {
        checks += 1;
        const { run } = await recordOf(world, key);
        if (checks === 1) {
          await world.call(
            setPlayerStatusSpec,
            { leaderboard: "board", player: "p1", status: "hidden" },
            admin,
          );
        }
        if (checks === 2) await world.db.doc(runPath(key, run)).delete();
      }
      await stepEnd(services, { ...key, step: n }, little);
    },
  });
  expect(checks).toBe(3);
  expect(steps).toBeLessThan(50);
  await expectFinal(world, key);
  expect(await recordOf(world, key)).toMatchObject({ outcome: "done", rounds: 0, written: { pass: 3 } });
});
