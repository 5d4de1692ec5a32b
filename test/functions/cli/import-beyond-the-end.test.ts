/** An import that is still running when its season ends does not say that it has written what no table will have. */
import { expect, test } from "vitest";
import { importPlayers, type NumberedRecord } from "../../../cli/import/import-players.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playersPath, shardsPath } from "../../../functions/src/documents/paths.ts";
import { createEnding, endSeason, playerFields, seasonOf } from "../../support/closing.ts";
import { admin, eachWorld } from "../../support/world.ts";

const world = eachWorld();

test("an import that goes on after its season has closed stops, and leaves nothing behind", async () => {
  const closesAt = Timestamp.fromMillis(world.services.now() + 60_000);
  const begun = { closes_at: closesAt, end_due_at: closesAt };
  const key = await createEnding(world, "board", { ann: playerFields(5, 0) }, { begun });
  async function* records(): AsyncGenerator<NumberedRecord> {
    for (let i = 0; i < 1_601; i++) {
      // A round is 1,600 players: the first is written before the season closes, the last record after.
      if (i === 1_600) {
        world.advance(60_000);
        await endSeason(world, key);
      }
      yield {
        index: i,
        good: i + 1,
        leaderboard: key.leaderboard,
        record: { player: `p${i}`, score: 10 + i },
      };
    }
  }
  const other = world.anotherInstance();
  const { season } = key;
  const work = {
    season,
    records: records(),
    startedMs: other.now(),
    ramp: noRamp,
    onProgress: () => undefined,
  };
  const imported = await importPlayers(other, work).catch((error: unknown) => String(error));
  const { status, ranking } = await seasonOf(world, key);
  expect(status).toBe("closed");
  const players = (await world.db.collection(playersPath(key)).count().get()).data().count;
  const shards = (await world.db.collection(shardsPath(key)).get()).size;
  // Written were 1,601, of 1,602 documents 1,601 were in the table, and nothing folded or deleted a shard any more.
  expect({ players, shards }).toEqual({ players: ranking.players, shards: 0 });
  expect(imported).toMatch(/"cup" takes no scores any more/);
  expect(imported).toMatch(
    /1,600 players that it wrote, and 0 players .* all of the file's first 1,600 records/,
  );
  const audit = await world.call("auditSeason", { ...key, full: true }, admin);
  expect(audit).toMatchObject({ found: { convergence: { difference: 0 } } });
});
