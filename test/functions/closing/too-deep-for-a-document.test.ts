/** A final table says a server's place as a map: it may be one level more than a document holds. */
import { expect, test } from "vitest";
import { GeoPoint } from "../../../functions/src/documents/firestore.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { closed, createEnding, endSeason, playerFields, seasonOf } from "../../support/closing.ts";
import { admin, eachWorld } from "../../support/world.ts";

const world = eachWorld();

/** A value in so many maps. */
const within = (levels: number, value: unknown): unknown =>
  levels === 0 ? value : { a: within(levels - 1, value) };

test("a place below 20 maps stops neither the end of a season nor a merge after it", async () => {
  const metadata = within(20, new GeoPoint(48, 16));
  const key = await createEnding(world, "board", {
    ann: playerFields(9, 0, { metadata }),
    bob: playerFields(8, 1),
  });
  await endSeason(world, key);
  expect(closed(await seasonOf(world, key))).toBe(true);
  // The table has what the document has no more.
  await world.db.doc(playerPath(key, "ann")).update({ metadata: "lost" });
  const { seasons } = await world.call(
    "mergePlayers",
    { leaderboard: "board", from: "ann", to: "bob" },
    admin,
  );
  expect(seasons).toMatchObject([{ season: "cup", merged: true, score: 9 }]);
});
