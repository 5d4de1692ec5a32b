/** Brings the ranking up to date with players of whom one was erased, or merged into another. */
import type { DocumentSnapshot } from "../documents/firestore.ts";
import { leaderboardPath, type SeasonKey } from "../documents/paths.ts";
import { indexPlayers } from "../indexing/index-players.ts";
import { boardIfAny } from "../seasons/board.ts";
import type { Services } from "./services.ts";

/**
 * Indexes players, and deletes the index entry of the one who goes also on a board of the source `count`. That one may
 * have old entries from when it had an index, which {@link indexPlayers} leaves alone.
 *
 * Cost: what {@link indexPlayers} does; on a board of the source `count`, 1 read and 1 delete where there is an entry.
 * @param entry of the player who goes, as it was before.
 */
export async function indexErased(
  services: Services,
  key: SeasonKey,
  players: readonly string[],
  entry: Pick<DocumentSnapshot, "exists" | "ref">,
): Promise<void> {
  await indexPlayers(services, key, players);
  if (!entry.exists) return;
  const board = await boardIfAny(services, key, () => services.boards.load(key));
  if (board?.definition.source !== "count") return;
  // The board in memory may be from before its switch back to an index.
  await services.db.runTransaction(async (transaction) => {
    const definition = await transaction.get(services.db.doc(leaderboardPath(key.leaderboard)));
    if (definition.get("source") === "count") transaction.delete(entry.ref);
  });
}
