/** A season of many players on an emulator, as it is at its end: written at once, and ranked. */
import { Firestore, Timestamp } from "../../functions/src/documents/firestore.ts";
import {
  leaderboardPath,
  playerPath,
  type SeasonKey,
  seasonPath,
  shardPath,
} from "../../functions/src/documents/paths.ts";
import { newSeason } from "../../functions/src/documents/season.ts";
import { definitionSchema } from "../../functions/src/model/definition.ts";
import { scoreToField } from "../../functions/src/model/score.ts";
import { createServices } from "../../functions/src/operations/shared/services.ts";
import type { Services } from "../../functions/src/world/services.ts";
import { publishRanking } from "../../functions/src/ranking/run.ts";
import { ownProcess } from "../../functions/src/world/own-process.ts";

export const key: SeasonKey = { leaderboard: "bench", season: "cup" };
/** The emulator's project; suites use another. */
const projectId = "demo-closing";
const playersPerChunk = 5_000;

/** Production's services on the bench's emulator, without logs. */
export function benchServices(parts: Partial<Pick<Services, "now" | "enqueueJob">> = {}): Services {
  return createServices({
    ...ownProcess(new Firestore({ projectId }), false),
    ...parts,
    log: { info: () => undefined, warn: console.warn, error: console.error },
  });
}

/** Writes players with names, one in ten with metadata, their marks and a shard that counts them; and ranks them. */
export async function fillSeason(
  services: Services,
  scores: Float64Array,
  random: () => number,
): Promise<void> {
  const { db } = services;
  const now = Timestamp.fromMillis(services.now());
  await db.doc(leaderboardPath(key.leaderboard)).set(definitionSchema(1).parse({}));
  const season = newSeason({
    span: "custom",
    opens_at: now,
    closes_at: now,
    interval_ms: 300_000,
    next_run_at: now,
  });
  await db.doc(seasonPath(key)).set(season);
  const counts: Record<string, number> = {};
  for (let start = 0; start < scores.length; start += playersPerChunk) {
    const writer = db.bulkWriter({ throttling: false });
    for (let i = start; i < Math.min(start + playersPerChunk, scores.length); i++) {
      const score = scores[i] ?? 0;
      const id = `player-${i.toString(36).padStart(6, "0")}-${random().toString(36).slice(2, 14)}`;
      const achieved = Timestamp.fromMillis(now.toMillis() - Math.floor(1e9 * random()));
      const more = i % 10 === 0 ? { metadata: { country: "PT", level: i } } : {};
      void writer.set(db.doc(playerPath(key, id)), {
        score,
        achieved_at: achieved,
        status: "active",
        attempts: 1,
        counted: { score, of: "the bench" },
        display_name: `Player ${i}`,
        ...more,
      });
      counts[scoreToField(score)] = (counts[scoreToField(score)] ?? 0) + 1;
    }
    await writer.close();
  }
  await db.doc(shardPath(key, 0, services.now())).set({ slot_ends_at: now, player_count: counts });
  await publishRanking(services, key, { includeOpenSlot: true });
}
