/** Publishes a board, as a ranking run does, on the Firestore emulator. */
import { Firestore, Timestamp } from "../../functions/src/documents/firestore.ts";
import { leaderboardPath, pagePath, seasonPath } from "../../functions/src/documents/paths.ts";
import { newSeason } from "../../functions/src/documents/season.ts";
import { definitionSchema } from "../../functions/src/model/definition.ts";
import { packPages } from "../../functions/src/ranking/pack-pages.ts";
import { rowsOf } from "../rank-error/measure.ts";
import type { Board } from "./board.ts";

/** Longer than any run of the bench, so that no page falls out of memory while it is measured. */
const untilPublicationMs = 86_400_000;

/**
 * All systems read the board's definition there.
 * @returns how many pages it has.
 * @throws if the board has more different scores than a ranking has exact rows.
 */
export async function publish({ leaderboard, scores }: Board, projectId: string): Promise<number> {
  const db = new Firestore({ projectId });
  const key = { leaderboard, season: "all_time" };
  const definition = definitionSchema(1).parse({ visibility: "public" });
  const now = Timestamp.now();
  const pages = packPages(definition.order, rowsOf(scores), {
    generation: 1,
    unusable_scores: 0,
    as_of: now,
    read_at: now,
    next_publish_at: Timestamp.fromMillis(now.toMillis() + untilPublicationMs),
  });
  const season = newSeason({
    span: "all_time",
    opens_at: now,
    closes_at: null,
    interval_ms: untilPublicationMs,
    next_run_at: null,
  });
  const batch = db.batch();
  batch.set(db.doc(leaderboardPath(leaderboard)), definition);
  batch.set(db.doc(seasonPath(key)), season);
  for (const page of pages) batch.set(db.doc(pagePath(key, page.page)), page);
  await batch.commit();
  await db.terminate();
  return pages.length;
}
