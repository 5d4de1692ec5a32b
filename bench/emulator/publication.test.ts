/** What the model of load says of a slot, with the run itself: one commit publishes ten seconds of 7,000 changes a second. */
import { expect, test } from "vitest";
import { ratePerSecondMax, instancesOf } from "../load/scenarios.ts";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { seasonPath, shardPath, shardsPath } from "../../functions/src/documents/paths.ts";
import { documentSize } from "../../functions/src/model/document-size.ts";
import { pagesMax, shardBytesPerPublicationMax, slotMs } from "../../functions/src/model/limits.ts";
import { scoreToField } from "../../functions/src/model/score.ts";
import { publishRanking } from "../../functions/src/ranking/run.ts";
import { createBoard, createWorld, presentOf } from "../../test/support/world.ts";
import { publicationExtraWrites } from "../../functions/src/ranking/publication.ts";

/** As many as an instance with ten commits a second has in a slot, by the model. */
const documentsOfInstance = 12;

test("a whole slot of 7,000 changes a second, each of two scores of its own, is published in one commit", async () => {
  const world = createWorld();
  const { db, services } = world;
  const key = await createBoard(world, "busy");
  await services.boards.open(presentOf(key));
  const documents = documentsOfInstance * instancesOf(ratePerSecondMax);
  const scores = 2 * ratePerSecondMax * (slotMs / 1_000);
  const slotEndMs = services.now() - slotMs;
  let bytes = 0;
  for (let n = 0; n < documents; n++) {
    const counts: Record<string, number> = {};
    for (let i = n; i < scores; i += documents) counts[scoreToField(1_000_000 + 7 * i)] = 1;
    const path = shardPath(key, `instance-${n}`, slotEndMs);
    const fields = {
      slot_ends_at: Timestamp.fromMillis(slotEndMs),
      player_count: counts,
      marks: Object.keys(counts).length,
    };
    bytes += documentSize(path, fields);
    await db.doc(path).set(fields);
  }
  expect(bytes).toBeLessThan(shardBytesPerPublicationMax);

  const { billed } = await publishRanking(services, key);

  // No document was joined: it wrote pages, top, season and record.
  expect(billed.writes).toBe(pagesMax + publicationExtraWrites);

  const season = await db.doc(seasonPath(key)).get();
  expect(season.get("ranking.generation")).toBe(1);
  expect(season.get("ranking.players")).toBe(scores);
  expect((await db.collection(shardsPath(key)).count().get()).data().count).toBe(0);
}, 120_000);
