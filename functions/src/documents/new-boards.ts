/**
 * `new_boards/today` of a template that has a limit: how many of its boards were opened in a day. The transaction that
 * opens a board counts it, and the end of the template deletes the document.
 */
import { z } from "zod";
import type { DocumentSnapshot } from "./firestore.ts";

export const storedNewBoards = z.object({
  /** A day of UTC, as in `2026-11-29`. */
  day: z.string(),
  boards: z.int().min(0),
});

/** How many boards were opened on a day. */
export function newBoardsOn(day: string, found: DocumentSnapshot): number {
  const { data: stored } = storedNewBoards.safeParse(found.data());
  return stored?.day === day ? stored.boards : 0;
}
