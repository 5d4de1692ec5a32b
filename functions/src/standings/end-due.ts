/** When the end of a season that has closed is due again. */
import { Timestamp, type Transaction } from "../documents/firestore.ts";
import type { SeasonKey } from "../documents/paths.ts";
import { hasUnpublishedRevision, type Season } from "../documents/season.ts";
import { changeSeason } from "../seasons/board.ts";
import type { Services } from "../world/services.ts";

/**
 * Sets when the end of a closed season is due again: never, if it is cleared and its last revision is published.
 * Cost: 1 read, 1 write.
 * @param tellCleared adds to the transaction the record that the season is cleared; left out, the season stays as it is.
 */
export async function setEndDue(
  services: Services,
  key: SeasonKey,
  tellCleared?: (transaction: Transaction) => void,
): Promise<void> {
  const { now, endWaitMs } = services;
  await changeSeason(services, key, (season, transaction) => {
    if (season.status !== "closed") return undefined;
    tellCleared?.(transaction);
    const clearedAt = tellCleared === undefined ? season.cleared_at : Timestamp.fromMillis(now());
    const dueAt = clearedAt === null ? Timestamp.fromMillis(clearsAtMs(season, endWaitMs)) : null;
    return {
      cleared_at: clearedAt,
      end_due_at: hasUnpublishedRevision(season) ? Timestamp.fromMillis(now()) : dueAt,
      next_run_at: null,
    };
  });
}

/** From when on a closed season may be cleared: no instance remembers it as closing, and counts in it. Pure. */
export function clearsAtMs({ closed_at: closedAt }: Pick<Season, "closed_at">, endWaitMs: number): number {
  return (closedAt?.toMillis() ?? 0) + endWaitMs;
}
