/** What reading needs of final tables, whose room (standings/) lies above. */
import type { OpenedBoard, RankingBoard } from "../seasons/board.ts";
import type { Services } from "../world/services.ts";
import type { RanksAsked, RankingView } from "./ranking-view.ts";

export interface FinalViews {
  /** The view of the final ranking of a season that has closed, or of a segment of it. */
  viewOf(board: OpenedBoard & RankingBoard, asked: RanksAsked): RankingView;
}

export const finalViewsOf = ({ memory }: Pick<Services, "memory">) => memory(finalViews);

/** Stands for what standings/ makes (operations/shared/services.ts). */
export function finalViews(): FinalViews {
  throw new Error("no room has made the views of final tables");
}
