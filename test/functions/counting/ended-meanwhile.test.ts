/** An event of a season that has ended changes nothing, also where the instance remembers the season as it was before. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import { closed, createEnding, endSeason, expectFinal, playerFields } from "../../support/closing.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();

test("the event of a server's write comes just after a season that slept has closed", async () => {
  const key = await createEnding(world, "cups", { ann: playerFields(5, 1), bob: playerFields(3, 2) });
  const dormant_at = Timestamp.fromMillis(world.services.now() - 3_600_000);
  await world.db.doc(seasonPath(key)).update({ dormant_at, next_run_at: null });
  const event = await world.writeDirectly(key, "ann", playerFields(9, 1));
  const other = world.anotherInstance();
  const step = async () => {
    await boardCacheOf(world.services).load(key);
    await stepEnd(other, { ...key, step: 0 });
  };
  await endSeason(world, key, { until: closed, step });
  const bill = await world.bill(() => world.follow(key, "ann", event));
  expect(bill).toMatchObject({ writes: 0, deletes: 0 });
  await expectFinal(world, key);
});
