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

const dayMs = 86_400_000;

/**
 * The day, and how many boards were opened on it. An instance whose clock is behind may find a day that has not begun for
 * it: it counts on, as a day that went back would be counted anew.
 */
export function newBoardsToday(nowMs: number, found: DocumentSnapshot): z.infer<typeof storedNewBoards> {
  const [today = "", tomorrow] = [nowMs, nowMs + dayMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
  const { data: stored } = storedNewBoards.safeParse(found.data());
  const isOfToday = stored !== undefined && [today, tomorrow].includes(stored.day);
  return isOfToday ? stored : { day: today, boards: 0 };
}
