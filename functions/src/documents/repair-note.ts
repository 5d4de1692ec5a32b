/**
 * `repair/current`: whether a repair of the season is under way, and at which time T the last one read the marks. While
 * it stands, corrections of foreign writes wait; a write up to T gets none. The first correction after `stands_until`
 * deletes the note of a repair that died.
 */
import { z } from "zod";
import { Timestamp } from "./firestore.ts";

/** What a note says. */
export const storedRepairNote = z.object({
  /** The attempt of a repair that is under way, `{run}/{id}`; null where none is. */
  holder: z.string().nullable().catch(null),
  /** Until when corrections wait for it, unless it says so again. */
  stands_until: z.instanceof(Timestamp).nullable().catch(null),
  /** When the last published repair read the marks. */
  repaired_at: z.instanceof(Timestamp).nullable().catch(null),
});

export type RepairNote = z.infer<typeof storedRepairNote>;

/** Reads a note. Never throws: without a note, or with a damaged one, no repair was ever made. */
export function readRepairNote(data: Record<string, unknown> | undefined): RepairNote {
  return storedRepairNote.parse(data ?? {});
}
