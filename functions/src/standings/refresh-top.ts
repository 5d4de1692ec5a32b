/** The top document, renewed between ranking runs: a player who was hidden or erased must not stay on it. */
import { publishAttemptsMax } from "../model/limits.ts";
import { pagePath, type SeasonKey, topPath } from "../model/paths.ts";
import { topPlayers } from "../model/queries.ts";
import { isBetter } from "../model/score.ts";
import { isBeaten } from "../retryable.ts";
import type { Board } from "../seasons/board.ts";
import type { Services } from "../services.ts";
import { buildTop, readTop, type Top } from "./top.ts";

/**
 * Renews a season's top document if a player who was taken out of the ranking is on it, or might come onto it by a
 * run that is under way and read the player's score before.
 *
 * Cost: 1 read and the board's; where the top is renewed, {@link refreshTop}.
 * @param score of the player before.
 * @returns whether the player was on it.
 */
export async function refreshTopWithout(
  services: Services,
  key: SeasonKey,
  player: string,
  score: number | undefined,
): Promise<boolean> {
  const found = await services.db.doc(topPath(key)).get();
  if (!found.exists) return false;
  const { entries, lowest_score: lowest } = readTop(found.data());
  const board = await services.boards.load(key);
  const listed = entries.some((entry) => entry.player === player);
  const { order } = board.definition;
  const mayEnter = score !== undefined && (lowest === null || !isBetter(order, lowest, score));
  if (listed || mayEnter) await refreshTop(services, board);
  return listed;
}

/**
 * Renews a season's top document from the players as they are now; its generation and number of players stay.
 *
 * A ranking run that is under way may have read the players before the change and would bring the old top back
 * with its commit. So the refresh also touches page 0, the guard of every run: such a run fails and reads again.
 * The refresh itself is guarded the same way, by both documents as it read them.
 *
 * Cost: reads the top, page 0, the top players and 1 for each 1,000 of these; 2 writes. Nothing is written before
 * the first publication.
 * @returns the new top; nothing before the first publication.
 * @throws Firestore's error when another writer was first at each attempt.
 */
export async function refreshTop(services: Services, board: Board): Promise<Top | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToRefresh(services, board);
    } catch (error) {
      if (!isBeaten(error) || attempt === publishAttemptsMax) throw error;
      await services.sleep(2 ** attempt * 25 * (1 + services.random()));
    }
  }
}

async function tryToRefresh({ db }: Services, { key, definition }: Board): Promise<Top | undefined> {
  const topRef = db.doc(topPath(key));
  const guardRef = db.doc(pagePath(key, 0));
  const { found, guard, listed } = await db.runTransaction(
    async (transaction) => {
      const [found, guard] = await transaction.getAll(topRef, guardRef);
      return {
        found,
        guard,
        listed: await transaction.get(topPlayers(db, key, definition, definition.top_size)),
      };
    },
    { readOnly: true },
  );
  if (found?.updateTime === undefined) return undefined;
  const { generation, players } = readTop(found.data());
  const top = buildTop(
    topPath(key),
    definition,
    listed.docs.map((document) => ({ id: document.id, data: document.data() })),
    { generation, players, as_of: listed.readTime },
  );
  const batch = db.batch();
  batch.update(topRef, { ...top }, { lastUpdateTime: found.updateTime });
  if (guard?.updateTime !== undefined) {
    // The read time is later than the last one, and so changes the page, without which its update time would stay.
    const touch = { top_refreshed_at: listed.readTime };
    batch.update(guardRef, touch, { lastUpdateTime: guard.updateTime });
  }
  await batch.commit();
  return top;
}
