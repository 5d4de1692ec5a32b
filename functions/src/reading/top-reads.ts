/** What `getTop` reads: the top document, once for all concurrent requests; the top of a segment. */
import { type RankingKey, type SeasonKey, topPath } from "../documents/paths.ts";
import { readTop } from "../documents/top.ts";
import type { TopAnswer } from "../model/answers.ts";
import { sharedReadsMax } from "../model/limits.ts";
import { buildTop } from "../top/build-top.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import { answered, dated, entryOf, withPlainMetadata } from "./entries.ts";
import { isUnpublished } from "./lookup.ts";
import { skipsOfNobody } from "./offset.ts";
import type { RankingView } from "./ranking-view.ts";
import { emptyTop, topAnswer, type TopRead } from "./top-answer.ts";
import type { Services } from "../world/services.ts";

export const topReadsOf = ({ memory }: Pick<Services, "memory">) => memory(createTopReads);

function createTopReads({ db, now }: Pick<Services, "db" | "now">) {
  const reads = createSharedReads<TopRead>({ now, max: sharedReadsMax, keepMs: 0 });

  async function read(key: SeasonKey): Promise<TopRead> {
    const document = await db.doc(topPath(key)).get();
    if (!document.exists) return emptyTop(document.readTime);
    const top = readTop(document.data());
    return { ...top, entries: top.entries.map(withPlainMetadata) };
  }

  return {
    /**
     * A season's top, read now, or by a read already under way if its generation is at least `minGeneration`: it may be
     * older than the publication that the caller knows. Cost: 1 read, shared by all waiting requests.
     */
    async topOf(key: SeasonKey, minGeneration = 0): Promise<TopRead> {
      const asked = reads.lastRead();
      for (;;) {
        const { value: top, began } = await reads.get(topPath(key), () => read(key));
        if (top.generation >= minGeneration || began > asked) return top;
      }
    },
  };
}

/**
 * The best players of a segment as they are now, with ranks that are exact in the list; of a season that has closed with those
 * of its final ranking. Cost: 1 read a player, at least 1, and 1 for a page, 0 while in memory; in a season that has closed
 * 1 for each page with one of the scores, and 1 or 2 more for a player whose document was changed since.
 */
export async function topOfSegment(view: RankingView, limit: number): Promise<TopAnswer> {
  const { key, definition, season } = view.board;
  if (season?.status === "closed") return finalTopOfSegment(view, limit);
  const ranking = await view.placesOf([]);
  if (isUnpublished(ranking)) return topIn(key, emptyTop(ranking.asOf));
  const { players, readAt } = await view.best(limit);
  const listed = players.map(({ player, score, achievedAt, shown }) => {
    return { id: player, data: { ...shown, score, achieved_at: achievedAt } };
  });
  const about = { generation: ranking.generation, players: ranking.players, as_of: readAt };
  return topIn(key, buildTop(topPath(key), { ...definition, top_size: limit }, listed, about));
}

const topIn = (key: RankingKey, top: TopRead) => ({ ...topAnswer(key, top), ...answered(key) });

async function finalTopOfSegment(view: RankingView, limit: number): Promise<TopAnswer> {
  const { key, definition } = view.board;
  const { ranking, lines } = await view.linesFrom(0, limit, skipsOfNobody);
  const last = lines.length < limit ? undefined : lines.at(-1);
  return {
    ...answered(key),
    entries: lines.map(({ player, place, position }) => entryOf(definition, player, place, position)),
    lowest_score: last?.player.score ?? null,
    players: ranking.players,
    ...dated(ranking),
  };
}
