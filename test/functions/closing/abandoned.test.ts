/**
 * Standings that were begun as of another time are nobody's: no call shows them, who asks for all gets them too, and they go
 * with an erased player.
 */
import { expect, test } from "vitest";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { playerPath, standingsCollection, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import {
  closed,
  createEnding,
  endSeason,
  expectFinal,
  playerFields,
  recordOf,
  writePlayers,
} from "../../support/closing.ts";
import { expectRefusal } from "../../support/refusals.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const noisy = 0.1 + 0.2;

/** A season whose first range is written, and whose second one has to be rounded first. */
async function begin(): Promise<SeasonKey> {
  const definition = { decimals: 1 };
  const players = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`p${i}`, playerFields(9 - i / 10, i, { metadata: { hero: i } })]),
  );
  const key = await createEnding(world, "board", players, { definition });
  await writePlayers(world, key, { low: playerFields(noisy, 1) });
  const step = () =>
    stepEnd(world.services, { ...key, step: 0 }, { budgetMs: 0, documentsPerRead: 4, rangePlayers: 10 });
  const hasBegunAgain = async () => (await recordOf(world, key)).pass === 1;
  await endSeason(world, key, { until: ({ status }) => status === "closing", step });
  for (let n = 0; n < 50 && !(await hasBegunAgain()); n++)
    await endSeason(world, key, { stepsMax: 1, step }).catch(() => undefined);
  expect(await recordOf(world, key)).toMatchObject({ pass: 1 });
  expect((await world.db.collection(standingsCollection(key)).get()).size).toBeGreaterThan(0);
  return key;
}

test("who is not in the table is not ranked", async () => {
  const key = await begin();
  await world.db.doc(playerPath(key, "p0")).update({ status: "hidden" });
  await endSeason(world, key, { until: closed });
  const ask = () => world.call("getRank", { ...key, player: "p0" }, user("reader"));
  await expectRefusal(world, "player_not_ranked", ask);
});

test("an export has the paths of all documents with the player", async () => {
  const key = await begin();
  await endSeason(world, key, { until: closed });
  const { docs } = await world.db
    .collection(standingsCollection(key))
    .where("players", "array-contains", "p0")
    .get();
  expect(docs).toHaveLength(2);
  const { seasons } = await world.call("exportPlayer", { leaderboard: "board", player: "p0" }, admin);
  const paths = docs.flatMap(({ ref: { path } }) => [path, `${path}-metadata`]);
  expect(seasons[0]?.documents).toEqual(expect.arrayContaining(paths));
});

test("documents of a first attempt name nobody who was erased since", async () => {
  const many = Array.from({ length: 20 }, (_, i) => [`p${i}`, playerFields(30 - i, i)] as const);
  const definition = { decimals: 1 };
  const key = await createEnding(world, "board", Object.fromEntries(many), { definition });
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
  await world.call("removePlayer", { leaderboard: "board", player: "p0" }, admin);
  await endSeason(world, key, { until: closed, step });
  expect(await recordOf(world, key)).toMatchObject({ pass: 1 });
  const left = await named();
  expect(left.length).toBeGreaterThan(new Set(left).size);
  expect(left).not.toContain("p0");
  await endSeason(world, key, { step });
  await expectFinal(world, key);
});
