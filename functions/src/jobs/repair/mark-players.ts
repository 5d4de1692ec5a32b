/**
 * Brings all marks of a season into line with the players' documents: the trigger's work for all players, in batches.
 * Those that differ as read are looked at again in a transaction, so submissions and events may go on meanwhile.
 */
import { countPlayers, fieldsInLine, logRefused } from "../../counting/count-players.ts";
import { playersPath, type SeasonKey } from "../../documents/paths.ts";
import { byId } from "../../documents/queries.ts";
import type { Marked } from "../../documents/repair-record.ts";
import { documentsPerReadMax, playersPerCountMax } from "../../model/limits.ts";
import { isBeaten, isRefused, mayShrink } from "../../world/retryable.ts";
import { tryAgain } from "../../world/try-again.ts";
import type { Services } from "../../world/services.ts";

interface MarkOptions {
  isOver: () => boolean;
  documentsPerRead?: number;
  /** Whether a document needs nothing, by its {@link fieldsInLine}. */
  isRight: (data: Record<string, unknown>) => boolean;
  /** Called with the progress after each part; a step that died is resumed from the last call. */
  onProgress: (marked: Marked) => Promise<void>;
}

/**
 * One step, until every player was looked at or it is over. Cost: 1 read a player; {@link countPlayers} for each that
 * differs.
 */
export async function markPlayers(
  services: Services,
  key: SeasonKey,
  from: Marked,
  { isOver, documentsPerRead = documentsPerReadMax, isRight, onProgress }: MarkOptions,
): Promise<Marked> {
  let marked = from;
  for (;;) {
    const players = byId(services.db, playersPath(key), documentsPerRead, {
      after: marked.cursor ?? undefined,
    });
    const { docs } = await players.select(...fieldsInLine).get();
    const differing = docs.filter((found) => !isRight(found.data())).map(({ id }) => id);
    const { changed, refused } = await countInParts(services, key, differing);
    const isLast = docs.length < documentsPerRead;
    marked = {
      cursor: isLast ? null : (docs.at(-1)?.id ?? null),
      ended: isLast,
      players: marked.players + docs.length,
      differing: marked.differing + differing.length,
      changed: marked.changed + changed,
      refused: marked.refused + refused,
    };
    await onProgress(marked);
    if (isLast || isOver()) return marked;
  }
}

/**
 * Counts any number of players, many in a commit. If it fails, as one of them is being written or they are too large
 * together, each goes alone. A document that Firestore refuses to write alone is logged and passed over.
 * @returns of how many something else is counted now, and how many were refused.
 */
async function countInParts(
  services: Services,
  key: SeasonKey,
  players: readonly string[],
): Promise<Pick<Marked, "changed" | "refused">> {
  const all = { changed: 0, refused: 0 };
  const count = async (some: readonly string[]) => {
    all.changed += (await countPlayers(services, key, some)).changed;
  };
  for (let i = 0; i < players.length; i += playersPerCountMax) {
    const some = players.slice(i, i + playersPerCountMax);
    try {
      await count(some);
      continue;
    } catch (error) {
      if (!isBeaten(error) && !mayShrink(error) && !isRefused(error)) throw error;
    }
    for (const player of some)
      await tryAgain(services, () => count([player])).catch((error: unknown) => {
        if (!isRefused(error)) throw error;
        all.refused += 1;
        logRefused(services, key, player, error);
      });
  }
  return all;
}
