/** A closing that reads the players again leaves documents of its first attempt, which go with an erased player. */
import { expect, test } from "vitest";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { standingsCollection } from "../../../functions/src/documents/paths.ts";
import {
  closed,
  createEnding,
  endSeason,
  expectFinal,
  playerFields,
  recordOf,
  writePlayers,
} from "../../support/closing.ts";
import { admin, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const leaderboard = "board";

test("documents of a first attempt name nobody who was erased since", async () => {
  const many = Array.from({ length: 20 }, (_, i) => [`p${i}`, playerFields(30 - i, i)] as const);
  const definition = { decimals: 1 };
  const key = await createEnding(world, leaderboard, Object.fromEntries(many), { definition });
  // A score that has to be rounded makes the closing read the players again.
  await writePlayers(world, key, { last: playerFields(0.1 + 0.2, 0) });
  const small = { budgetMs: 0, documentsPerRead: 4, rangePlayers: 5 };
  const step = () => stepEnd(world.services, { ...key, step: 0 }, small);
  const named = async () => {
    const { docs } = await world.db.collection(standingsCollection(key)).get();
    const lists = docs.map((document): unknown => document.get("players"));
    return lists.flatMap((list) => (Array.isArray(list) ? (list as string[]) : []));
  };
  let isWritten = false;
  await endSeason(world, key, {
    until: () => isWritten,
    step: async () => {
      await step();
      isWritten = (await named()).includes("p0");
    },
  });
  expect(await recordOf(world, key)).toMatchObject({ pass: 0 });
  await world.call("removePlayer", { leaderboard, player: "p0" }, admin);
  await endSeason(world, key, { until: closed, step });
  expect(await recordOf(world, key)).toMatchObject({ pass: 1 });
  const left = await named();
  expect(left.length).toBeGreaterThan(new Set(left).size);
  expect(left).not.toContain("p0");
  await endSeason(world, key, { step });
  await expectFinal(world, key);
});
