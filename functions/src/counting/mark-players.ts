/**
 * Brings all marks of a season into line with the players' documents. The trigger does this for one player; this does
 * it for all players, in batches. Players whose mark differs are read again in a transaction, so submissions and events
 * may go on meanwhile.
 */
import { countPlayers, fieldsInLine, logRefused } from "./count-players.ts";
import { playersPath, type SeasonKey } from "../documents/paths.ts";
import { byId } from "../documents/queries.ts";
import type { Marked } from "../documents/repair-record.ts";
import { documentsPerReadMax, playersPerCountMax } from "../model/limits.ts";
import { isBeaten, isRefused, mayShrink } from "../world/retryable.ts";
import { tryAgain } from "../world/try-again.ts";
import type { Services } from "../world/services.ts";

interface MarkOptions {
  isOver: () => boolean;
  documentsPerRead?: number;
  /** Whether a document needs no change, by its {@link fieldsInLine}. */
  isRight: (data: Record<string, unknown>) => boolean;
  /** Called with the progress after each batch. If a step dies, the next step goes on from the last progress. */
  onProgress: (marked: Marked) => Promise<void>;
}

/**
 * One step: goes on until every player was looked at, or `isOver`. Cost: 1 read a player; {@link countPlayers} for each
 * player whose mark differs.
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
 * Counts any number of players, many in a commit. If a commit fails, because a player is being written or the players
 * are too large together, each of its players gets a commit of its own. If Firestore refuses this commit too, the
 * player is logged and left out.
 * @returns for how many players something else is counted now, and how many were refused.
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
