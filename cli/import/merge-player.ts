/** Merges an imported record into a player's document. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { readPlayer } from "../../functions/src/documents/player.ts";
import { type PlayerStatus, statusNamed, stricter } from "../../functions/src/model/player-status.ts";
import type { Fields } from "../../functions/src/counting/commit-players.ts";
import type { PlayerRecord } from "../records/player-record.ts";

/**
 * The fields that an import writes to a player's document.
 *
 * The record replaces the old values, whatever the board's aggregation: the score, and with it the name and metadata,
 * which are removed if the record has none. Four fields are kept if the record leaves them out, as losing them would
 * do harm: without `status` a banned player stays banned, without `attempts` the used ones stay counted, without
 * `segments` the player stays in those of before, and without `achieved_at` an unchanged score keeps its time.
 * Everything else in the document stays. A record without a score says a status alone, and creates no document.
 * @param data the stored document, if there is one.
 * @param now the time for a new score without one.
 * @param kept the status that the board keeps, where it may differ from the document's: a record is at least as strict.
 * @returns undefined if the document is already the same.
 */
export function mergePlayer(
  data: Fields | undefined,
  { player: _, ...record }: PlayerRecord,
  now: Timestamp,
  kept?: PlayerStatus,
): Fields | undefined {
  const named = record.status && stricter(record.status, kept ?? "active");
  const status = named ?? statusNamed(data?.["status"]) ?? kept;
  if (record.score === undefined)
    return data === undefined || data["status"] === status ? undefined : { status };
  const before = readPlayer(data);
  // Without a time the commit gives the score that of its write.
  const at = before?.score === record.score ? before.achieved_at : now;
  const fields = {
    columns: undefined,
    display_name: undefined,
    metadata: undefined,
    ...record,
    achieved_at: record.achieved_at ?? at,
    attempts: record.attempts ?? before?.attempts ?? 0,
    status,
  };
  const isSame = Object.entries(fields).every(([name, value]) => isDeepStrictEqual(value, data?.[name]));
  return isSame ? undefined : fields;
}
