/** What `getTop` reads: the top document, once for all concurrent requests; the top of a segment. */
import { type SeasonKey, topPath } from "../documents/paths.ts";
import { readTop } from "../documents/top.ts";
import { sharedReadsMax } from "../model/limits.ts";
import { buildTop } from "../top/build-top.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import { isUnpublished } from "./lookup.ts";
import type { RankingView } from "./ranking-view.ts";
import { pageCacheOf } from "./page-cache.ts";
import { emptyTop, type TopRead } from "./top-answer.ts";
import type { Services } from "../world/services.ts";

export const topReadsOf = ({ memory }: Pick<Services, "memory">) => memory(createTopReads);

function createTopReads({ db, now, memory }: Pick<Services, "db" | "now" | "memory">) {
  const reads = createSharedReads<TopRead>({ now, max: sharedReadsMax, keepMs: 0 });

  async function read(key: SeasonKey): Promise<TopRead> {
    const document = await db.doc(topPath(key)).get();
    return document.exists ? readTop(document.data()) : emptyTop(document.readTime);
  }

  /** The top as it is now, or as a read already under way finds it, if its generation is at least the given one. */
  async function topSince(key: SeasonKey, generation: number): Promise<TopRead> {
    const asked = reads.lastRead();
    for (;;) {
      const { value: top, began } = await reads.get(topPath(key), () => read(key));
      if (top.generation >= generation || began > asked) return top;
    }
  }

  return {
    /**
     * A season's top, and the generation that it is of. A publication that changes nothing of the top leaves it alone, so
     * the top names an earlier generation: it is of a later one that was known to be published before the top was read.
     *
     * Cost: 1 read, shared by all waiting requests; 1 more, and what the places cost, if the caller has seen a generation
     * that neither the top nor the pages in memory have.
     */
    async topOf(
      { board: { key }, placesOf }: RankingView,
      minGeneration = 0,
    ): Promise<{ top: TopRead; generation: number }> {
      let known = pageCacheOf({ memory }).generationOf(key);
      let top = await topSince(key, Math.max(known, minGeneration));
      if (Math.max(known, top.generation) < minGeneration) {
        known = (await placesOf([])).generation;
        if (known > top.generation) top = await topSince(key, known);
      }
      // There is none before the first publication.
      return { top, generation: top.generation === 0 ? 0 : Math.max(known, top.generation) };
    },
  };
}

/**
 * The best players of a segment as they are now, with ranks that are exact in the list. Cost: 1 read a player, at least 1,
 * and 1 for a page, 0 while in memory; in a season that has closed 1 or 2 more for a player whose document was changed since.
 */
export async function topOfSegment(view: RankingView, limit: number): Promise<TopRead> {
  const { key, definition } = view.board;
  const ranking = await view.placesOf([]);
  if (isUnpublished(ranking)) return emptyTop(ranking.asOf);
  const { players, readAt } = await view.best(limit);
  const listed = players.map(({ player, score, achievedAt, shown }) => {
    return { id: player, data: { ...shown, score, achieved_at: achievedAt } };
  });
  const about = { generation: ranking.generation, players: ranking.players, as_of: readAt };
  return buildTop(topPath(key), { ...definition, top_size: limit }, listed, about);
}
