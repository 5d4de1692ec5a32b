/** An import of scores with more decimals than the board has. */
import { expect, test } from "vitest";
import { importPlayers, type NumberedRecord } from "../../../cli/import/import-players.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

test("that is repeated changes nothing, so the score keeps its time and its place among equal ones", async () => {
  const key = await createBoard(world, "board", { decimals: 1 });
  async function* records(): AsyncGenerator<NumberedRecord> {
    yield { index: 0, good: 1, leaderboard: "board", record: { player: "ann", score: 0.3000001 } };
  }
  const run = () =>
    importPlayers(world.services, {
      season: key.season,
      records: records(),
      startedMs: world.services.now(),
      ramp: noRamp,
      onProgress: () => undefined,
    });
  expect(await run()).toEqual({ written: 1, unchanged: 0 });
  const stored = async () => (await world.db.doc(playerPath(key, "ann")).get()).data();
  const before = await stored();
  expect(before).toMatchObject({ score: 0.3 });
  world.advance(60_000);
  expect(await run()).toEqual({ written: 0, unchanged: 1 });
  expect(await stored()).toEqual(before);
});
