/** What reading needs: the world, and what an instance remembers. */
import type { OpenedBoard, RankingBoard } from "../seasons/board.ts";
import type { World } from "../world/world.ts";
import type { createLiveReads } from "./live-sums.ts";
import type { PageCache } from "./page-cache.ts";
import type { createQuiet } from "./quiet.ts";
import type { RanksAsked, RankingView } from "./ranking-view.ts";

/** What reading needs of final tables (standings/). */
export interface FinalViews {
  /** The view of the final ranking of a season that has closed, or of a segment of it. */
  viewOf(board: OpenedBoard & RankingBoard, asked: RanksAsked): RankingView;
}

export interface ReadingServices extends World {
  pages: PageCache;
  standings: FinalViews;
  live: ReturnType<typeof createLiveReads>;
  quiet: ReturnType<typeof createQuiet>;
}
