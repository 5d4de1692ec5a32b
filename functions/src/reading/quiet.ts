/** Until when nothing was counted after a ranking. It is then that of each midnight in between, too. */
import type { Timestamp } from "../documents/firestore.ts";
import { pagePath, type RankingKey, rankingPath } from "../documents/paths.ts";
import { pendingShards } from "../documents/queries.ts";
import { readTogether } from "../documents/reads.ts";
import { sharedReadsMax, slotGraceSeconds } from "../model/limits.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import type { World } from "../world/world.ts";
import type { Places } from "./lookup.ts";
import { lookEveryMs } from "./page-cache.ts";

/** A published ranking, and what its pages say of movement. */
export type Ranking = Pick<Places, "generation" | "published">;

/** What an instance remembers of it, by ranking. */
export function createQuiet(parts: Pick<World, "db" | "now" | "databaseMs" | "slotMs">) {
  const { db, now, databaseMs, slotMs } = parts;
  /** In milliseconds since 1970. */
  const reads = createSharedReads<number>({ now, max: sharedReadsMax, keepMs: lookEveryMs });
  // By then the commits that were under way have ended, as for a run.
  const graceMs = slotGraceSeconds * 1_000;

  function read(key: RankingKey, { generation, published }: Ranking): Promise<number> {
    return readTogether(db, async (transaction) => {
      const pending = pendingShards(db, key, { from: published?.shards_from });
      const { docs } = await transaction.get(pending.limit(1));
      const first = await transaction.get(db.doc(pagePath(key, 0)));
      if (first.get("generation") !== generation) return -Infinity;
      const slotEndsAt = docs[0]?.get("slot_ends_at") as Timestamp | undefined;
      const changedMs = slotEndsAt === undefined ? Infinity : slotEndsAt.toMillis() - slotMs;
      return Math.min(changedMs, databaseMs(first.readTime) - graceMs);
    });
  }

  return {
    /**
     * Whether a ranking is also that of a later midnight: nothing was counted in between, and nothing has been published
     * since, both as of one moment. Cost: 2 reads, for all who ask within a second; 0 once it is known, of earlier
     * midnights too.
     */
    async isRankingOf(key: RankingKey, ranking: Ranking, midnightMs: number): Promise<boolean> {
      if (now() < midnightMs + graceMs) return false;
      const name = `${rankingPath(key)} ${ranking.generation} ${ranking.published?.as_of.toMillis()}`;
      if (midnightMs <= (reads.peek(name)?.value ?? -Infinity)) return true;
      const { value: untilMs } = await reads.get(name, () => read(key, ranking));
      return midnightMs <= untilMs;
    },
  };
}
