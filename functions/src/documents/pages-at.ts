/** All pages of a season at once, for what looks at the whole of a ranking. */
import type { Firestore, Timestamp } from "./firestore.ts";
import { writesPerCommitMax } from "../model/limits.ts";
import { pagesPath, type SeasonKey, segmentPagesPath } from "./paths.ts";
import { byId } from "./queries.ts";
import { getAt } from "./reads.ts";

/**
 * The pages of a season as of a time. The pages of segments are read too, if page 0 says that there are some, or page 0 is
 * missing. Cost: 1 read each.
 * @param generation the season's generation.
 */
export async function pagesAt(db: Firestore, key: SeasonKey, at: Timestamp, generation: unknown) {
  const pagesIn = (path: string) => getAt(db, at, byId(db, path, writesPerCommitMax));
  const { docs: pages } = await pagesIn(pagesPath(key));
  const first = pages.find(({ id }) => id === "0");
  const hasSegments = generation !== 0 && (first === undefined || first.get("segment_pages") !== undefined);
  const segmentPages = hasSegments ? (await pagesIn(segmentPagesPath(key))).docs : [];
  return { pages, segmentPages };
}
