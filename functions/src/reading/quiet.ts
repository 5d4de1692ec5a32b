/** How long nothing changed after a publication. If midnight fell into that time, this is midnight's ranking too. */
import type { Timestamp } from "../documents/firestore.ts";
import { pagePath, type RankingKey, rankingPath } from "../documents/paths.ts";
import { pendingShards } from "../documents/queries.ts";
import { readTogether } from "../documents/reads.ts";
import { sharedReadsMax, slotGraceSeconds } from "../model/limits.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import { lookEveryMs } from "./page-cache.ts";
import type { RankingFacts } from "./ranking-view.ts";
import type { Services } from "../world/services.ts";

/** Until when nothing had changed after publications, as an instance remembers it. */
export const quietOf = ({ memory }: Pick<Services, "memory">) => memory(createQuiet);

function createQuiet(parts: Pick<Services, "db" | "now" | "databaseMs" | "slotMs">) {
  const { db, now, databaseMs, slotMs } = parts;
  /** In milliseconds since 1970. */
  const reads = createSharedReads<number>({ now, max: sharedReadsMax, keepMs: lookEveryMs });
  // By then the commits that were under way have ended, as for a run.
  const graceMs = slotGraceSeconds * 1_000;

  function read(key: RankingKey, { generation, published }: RankingFacts): Promise<number> {
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
     * Whether a publication is also the ranking of a later midnight: nothing was counted in between, and nothing has been
     * published since, both as of one moment. Cost: 2 reads, for all who ask within a second; 0 once it is known, of
     * earlier midnights too.
     */
    async isRankingOf(key: RankingKey, ranking: RankingFacts, midnightMs: number): Promise<boolean> {
      if (now() < midnightMs + graceMs) return false;
      const name = `${rankingPath(key)} ${ranking.generation} ${ranking.published?.as_of.toMillis()}`;
      if (midnightMs <= (reads.peek(name)?.value ?? -Infinity)) return true;
      const { value: untilMs } = await reads.get(name, () => read(key, ranking));
      return midnightMs <= untilMs;
    },
  };
}
