import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { newSeason, type Season } from "../../functions/src/documents/season.ts";

/** A season that began long ago, has no end and is ranked every five minutes, unless told otherwise. */
export function begunSeason(begun: Partial<Parameters<typeof newSeason>[0]> = {}): Season {
  const usual = { span: "all_time", closes_at: null, interval_ms: 300_000, next_run_at: null } as const;
  return newSeason({ ...usual, opens_at: Timestamp.fromMillis(0), ...begun });
}
