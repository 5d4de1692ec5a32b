/** Batches whose commit succeeds although its answer is lost: their transaction runs twice, but they count once. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { submissionsPerPlayerMax } from "../../../functions/src/model/limits.ts";
import { failure, watchCommits } from "../../support/commits.ts";
import { admin, allTime, createBoard, createWorld } from "../../support/world.ts";

const key = allTime("board");
const players = ["ann", "bob"];

interface Sent {
  player: string;
  score: number;
  submission_id?: string;
}

/** A board of sums; an argument of `submit` says whether its commit's answer is lost. */
async function createSums() {
  const world = createWorld();
  await createBoard(world, "board", { aggregation: "sum" });
  let isToLose = false;
  let lost = 0;
  watchCommits(world, async (_writes, perform) => {
    const answer = await perform();
    if (!isToLose) return answer;
    isToLose = false;
    lost += 1;
    throw failure("unavailable");
  });
  return {
    async submit(submissions: readonly Sent[], isLost = false) {
      isToLose = isLost;
      const asked = { leaderboard: "board", submissions: [...submissions] };
      const { results } = await world.call("submitScores", asked, admin);
      return results.map((result) => ("error" in result ? result.error.message : "taken"));
    },
    async stored() {
      const found = await world.db.getAll(...players.map((player) => world.db.doc(playerPath(key, player))));
      // A mark also has the time of the version before.
      return found.map((document) => ({
        ...document.data(),
        counted: document.get("counted.score") as number,
      }));
    },
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
      const [plain, unlucky] = await Promise.all([createSums(), createSums()]);
      for (const board of [plain, unlucky]) {
        await board.submit([{ player: "bob", score: 1 }]);
        for (let i = 0; i < remembered; i++)
          await board.submit([{ player: "ann", score: 1, submission_id: `old-${i}` }]);
      }
      const outcomes = await plain.submit(batch);
      expect(await unlucky.submit(batch, true)).toEqual(outcomes);
      expect(await unlucky.stored()).toEqual(await plain.stored());

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
  const board = await createSums();
  const numbered = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ player: "ann", score: 1, submission_id: `${name}-${i}` }));
  const old = numbered("old", submissionsPerPlayerMax);
  await board.submit(old);
  const others = numbered("new", submissionsPerPlayerMax - 1);
  await board.submit([...old.slice(0, 1), ...others], true);
  expect(board.lost()).toBe(1);
  expect((await board.stored())[0]).toMatchObject({ score: old.length + others.length });
});
