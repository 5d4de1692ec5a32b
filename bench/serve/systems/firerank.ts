/** Firerank itself: the deployed function, with the page in memory after the first request for it. */
import { join } from "node:path";
import { Firestore, Timestamp } from "../../../functions/src/documents/firestore.ts";
import { leaderboardPath, pagePath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { newSeason } from "../../../functions/src/documents/season.ts";
import { definitionSchema } from "../../../functions/src/model/definition.ts";
import { packPages } from "../../../functions/src/ranking/pack-pages.ts";
import type { Rows } from "../../../functions/src/ranking/rows.ts";
import { root } from "../../../scripts/project.ts";
import type { Board } from "../board.ts";
import type { System } from "./system.ts";

export const firerank: System = {
  name: "Firerank",
  async store() {
    return { source: join(root, "functions"), target: "getRank", env: {}, stop: async () => undefined };
  },
};

/** Longer than any run of the bench, so that no page falls out of memory while it is measured. */
const untilPublicationMs = 86_400_000;

/**
 * Publishes a board, as a ranking run does, on the Firestore emulator; all systems read its definition there.
 * @returns how many pages it has.
 * @throws if the board has more different scores than a ranking has exact rows.
 */
export async function publish(board: Board, projectId: string, nowMs: number): Promise<number> {
  const db = new Firestore({ projectId });
  const key = { leaderboard: board.leaderboard, season: "all_time" };
  const definition = definitionSchema(1).parse({ visibility: "public" });
  const now = Timestamp.fromMillis(nowMs);
  const generation = {
    generation: 1,
    unusable_scores: 0,
    as_of: now,
    read_at: now,
    next_publish_at: Timestamp.fromMillis(nowMs + untilPublicationMs),
  };
  const pages = packPages(definition.order, rowsOf(board), generation);
  const season = newSeason({
    span: "all_time",
    opens_at: now,
    closes_at: null,
    interval_ms: untilPublicationMs,
    next_run_at: null,
  });
  const batch = db.batch();
  batch.set(db.doc(leaderboardPath(board.leaderboard)), definition);
  batch.set(db.doc(seasonPath(key)), season);
  for (const page of pages) batch.set(db.doc(pagePath(key, page.page)), page);
  await batch.commit();
  await db.terminate();
  return pages.length;
}

function rowsOf({ scores }: Board): Rows {
  const distinct = scores.filter((score, i) => score !== scores[i - 1]);
  const players = new Float64Array(distinct.length);
  let row = -1;
  scores.forEach((score, i) => {
    if (score !== scores[i - 1]) row += 1;
    players[row] = (players[row] ?? 0) + 1;
  });
  return { scores: distinct, lows: distinct, players };
}
