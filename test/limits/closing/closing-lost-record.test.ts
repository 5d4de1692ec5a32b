/** Somebody deletes the record of a closing under way: the closing begins again, and its standings are right. */
import { expect, test, vi } from "vitest";
import {
  closingRangePath,
  leaderboardPath,
  playerPath,
  runPath,
  type SeasonKey,
  standingsCollection,
  standingsSummaryPath,
} from "../../../functions/src/documents/paths.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import {
  createEnding,
  crowd,
  endSeason,
  expectFinal,
  phaseOf,
  recordOf,
  seasonOf,
} from "../../support/closing.ts";
import { admin, eachWorld } from "../../support/world.ts";

// Small documents, so that a small season has several; and notes are applied one by one.
vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const { smallDocuments } = await import("../../support/small-documents.ts");
  return { ...(await original<object>()), ...smallDocuments, closingNotesPerRead: 1 };
});

const world = eachWorld();

/** As little as a step can do, in steps as many as those of a large season. */
const little = { budgetMs: 0, documentsPerRead: 50, rangePlayers: 60 };

const hide = (player: string) =>
  world.call("setPlayerStatus", { leaderboard: "board", player, status: "hidden" }, admin);

const phases = ["settling", "completing", "writing", "closing", "clearing"] as const;

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
  expect(await recordOf(world, key)).toMatchObject({ outcome: "done", phase: "ended" });
});

test.each([1, 2, 3])(
  "a record deleted %i times while standings are written mixes no two times",
  async (times) => {
    const key = await createEnding(world, "board", crowd(130));
    let [struck, written] = [0, 0];
    await endSeason(world, key, {
      async step(services, n) {
        const { phase, run } = n === 0 ? { phase: "none", run: "" } : await recordOf(world, key);
        // The second step: part of the standings is there.
        if (phase === "writing") written += 1;
        if (phase === "writing" && written % 2 === 0 && struck < times) {
          struck += 1;
          // At the next time another player is missing, so that all places have moved.
          await world.db.doc(runPath(key, run)).delete();
          await world.db.doc(playerPath(key, `p${3 * struck}`)).delete();
          // A step that died in its first seconds has told nobody how far its range is.
          if (struck === 2) await world.db.doc(closingRangePath(key, 0)).delete();
        }
        await stepEnd(services, { ...key, step: n }, little);
      },
    });
    expect(struck).toBe(times);
    await expectFinal(world, key);
  },
);

test("a record deleted while notes are applied keeps what was applied, and the standings that it was applied to", async () => {
  const key = await createEnding(world, "board", crowd(130));
  let struck = false;
  await endSeason(world, key, {
    async step(services, n) {
      const phase = await phaseOf(world, key);
      if (phase === "writing" && !struck) for (const player of ["p1", "p2", "p3"]) await hide(player);
      const { revisions = 0 } = await summaryOf(key);
      if (phase === "closing" && revisions === 1) {
        struck = true;
        await world.db.doc(runPath(key, (await recordOf(world, key)).run)).delete();
      }
      await stepEnd(services, { ...key, step: n }, little);
    },
  });
  expect(struck).toBe(true);
  await expectFinal(world, key);
  expect(await summaryOf(key)).toMatchObject({ revisions: 3 });
  expect(await seasonOf(world, key)).toMatchObject({ published_revisions: 3 });
});

test.each(["completing", "writing", "closing"] as const)(
  "who is erased in the phase %s, while the board's definition is lost, is in no standings when it is back",
  async (phase) => {
    const key = await createEnding(world, "board", crowd(130));
    const { db, services } = world;
    let struck = false;
    await endSeason(world, key, {
      async step(_, n) {
        if (!struck && (await phaseOf(world, key)) === phase) {
          struck = true;
          const definition = db.doc(leaderboardPath("board"));
          const fields = (await definition.get()).data() ?? {};
          await definition.delete();
          services.boards.forget("board");
          const { removed } = await world.call("removePlayer", { player: "p90" }, admin);
          expect(removed).toMatchObject([{ ...key, player: true }]);
          await definition.set(fields);
          services.boards.forget("board");
        }
        await stepEnd(services, { ...key, step: n }, little);
      },
    });
    expect(struck).toBe(true);
    await expectFinal(world, key);
    const { docs } = await db
      .collection(standingsCollection(key))
      .where("players", "array-contains", "p90")
      .get();
    expect(docs).toEqual([]);
  },
);

async function summaryOf(key: SeasonKey) {
  const found = await world.db.doc(standingsSummaryPath(key)).get();
  return (found.data() ?? {}) as { revisions?: number };
}
