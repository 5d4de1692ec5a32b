/**
 * Publishes pages, top and season of a closed season from its standings: after a revision, and where the pages differ
 * from them. The index is gone by then, and the standings are right.
 */
import { Timestamp } from "../documents/firestore.ts";
import { rebuildAttemptsMax } from "../model/limits.ts";
import { createFold } from "../ranking/fold.ts";
import { noRows } from "../ranking/rows.ts";
import { noSums } from "../ranking/shard-sums.ts";
import { summaryAt } from "../repair/check-closed.ts";
import { guardOf, publishRebuild, PublishedMeanwhile } from "../repair/publish-rebuild.ts";
import { standingsInOrder } from "../repair/read-standings.ts";
import { readSeasonState } from "../repair/season-state.ts";
import type { Board } from "../seasons/board.ts";
import type { TopServices } from "../top/gate-memory.ts";

/** What the pages of a closed season show. */
export interface Shown {
  generation: number;
  /** The revision of the standings. */
  revisions: number;
}

/**
 * Publishes the next generation: one row for each score, as far as rows suffice, with the top of the players as they
 * are.
 *
 * Cost: 1 read a page, for each 1,000 players, and the top players; writes the pages, the top and the season. Memory:
 * as a fold's, for as many different scores as there are.
 * The same commit says which revision it is, and that a step of the end is due: should this one have been overtaken by
 * another revision, or die, the next step sees what is missing.
 * @param onProgress called during the work.
 */
export async function publishStandings(
  services: TopServices,
  known: Board,
  onProgress?: () => Promise<void>,
): Promise<Shown> {
  const { key, definition } = known;
  for (let attempt = 1; ; attempt++) {
    const state = await readSeasonState(services, key, definition.order);
    const guard = guardOf(state.pages.find(({ id }) => id === "0"));
    const { revisions } = await summaryAt(services, key, state.at);
    const fold = createFold(definition.order, noRows);
    for await (const chunk of standingsInOrder(services, key, { fields: ["scores"], at: state.at })) {
      for (const document of chunk)
        for (const score of document.get("scores") as number[]) fold.add(score, 1);
      await onProgress?.();
    }
    const board = { ...known, season: state.season };
    // Shards of a closed season do not count: only the standings are published.
    const alone = { ...state, pending: noRows, sums: noSums(), shards: 0 };
    try {
      const result = { rows: fold.finish(), guard, unusable: state.season.ranking.unusable_scores };
      const due = Timestamp.fromMillis(services.now());
      const fields = { published_revisions: revisions, end_due_at: due };
      const { season } = await publishRebuild(services, board, alone, result, fields);
      services.boards.forget(key.leaderboard);
      return { generation: season.ranking.generation, revisions };
    } catch (error) {
      if (!(error instanceof PublishedMeanwhile) || attempt === rebuildAttemptsMax) throw error;
    }
  }
}
