/**
 * What reading needs of final tables. Their folder, standings/, may import this one, and not the reverse: so here is an
 * interface, and operations/shared/services.ts puts standings/final-tables.ts in its place.
 */
import type { OpenedBoard, RankingBoard } from "../seasons/read-board.ts";
import type { Services } from "../world/services.ts";
import type { RanksAsked, RankingView } from "./ranking-view.ts";

export interface FinalViews {
  /** The view of the final ranking of a season that has closed, or of a segment of it. */
  viewOf(board: OpenedBoard & RankingBoard, asked: RanksAsked): RankingView;
}

export const finalViewsOf = ({ memory }: Pick<Services, "memory">) => memory(finalViews);

/** Never called: createServices makes what standings/final-tables.ts has instead (operations/shared/services.ts). */
export function finalViews(): FinalViews {
  throw new Error("the services were not made by createServices: nothing makes the views of final tables");
}
