/** Which page answers for a score. Pure: clients that read pages by themselves ask it too. */
import { isBetter, type Order } from "../model/score.ts";
import type { Page } from "./page.ts";

/** The scores that a page answers for. */
export type PageBounds = Pick<Page, "from_score" | "until_score">;

/** Whether a page answers for a score. */
export function covers(
  order: Order,
  { from_score: from, until_score: until }: PageBounds,
  score: number,
): boolean {
  if (isBetter(order, score, from)) return false;
  return until === null || isBetter(order, score, until);
}
